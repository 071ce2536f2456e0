"""``clear_deadservers``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import legal_server

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Forgets servers that are dead; those that could not be forgotten come back. A directory has none.

  hbase> clear_deadservers 'host187.example.com,60020,1289493121758'
  hbase> clear_deadservers
"""


def command(session: Session, *servers: Any) -> list[str]:
    for server in servers:
        legal_server(server)
    session.refuse_cluster("clear_deadservers")
    session.formatter.row([True])
    return []
