"""``compact_rs``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import legal_server, truth
from rowstone.shell.errors import ShellError

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Merges files of all regions of a server; with true all files of each. In a directory these are all tables.

  hbase> compact_rs 'host187.example.com,60020'
  hbase> compact_rs 'host187.example.com,60020,1289493121758', true
"""


def command(session: Session, server: Any, major: Any = False) -> None:
    host, port = legal_server(server)[:2]
    session.refuse_cluster("compact_rs")
    if not session.matching_servers([server]):
        raise ShellError(f"{host}:{port} could not be resolved")
    for table in session.admin.tables():
        if truth(major):
            session.admin.major_compact(table)
        else:
            session.admin.compact(table)
