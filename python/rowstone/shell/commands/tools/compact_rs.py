"""``compact_rs``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import legal_server, truth
from rowstone.shell.errors import ShellError

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Merges files of all regions of a server; with true all files of each. In a directory these are all tables.

  hbase> compact_rs 'host187.example.com,60020'
  hbase> compact_rs 'host187.example.com,60020,1289493121758', true
"""


def command(session: Session, server: Any, major: Any = False) -> None:
    host, port = legal_server(server)[:2]
    name = session.one_server(server)
    if name is None:
        raise ShellError(f"{host}:{port} could not be resolved")
    is_major = truth(major)
    for table in session.admin.tables():
        if not session.is_cluster:
            work = session.admin.major_compact if is_major else session.admin.compact
            work(table)
            continue
        for place in session.admin.region_places(table):
            if place.server == name:
                session.admin.compact_region(place.region, major=is_major)
