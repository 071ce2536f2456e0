"""``clear_deadservers``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import legal_server
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Forgets servers that are dead; those that could not be forgotten come back. A directory has none.

  hbase> clear_deadservers 'host187.example.com,60020,1289493121758'
  hbase> clear_deadservers
"""


def command(session: Session, *servers: Any) -> list[str]:
    names = [to_s(name) for given in servers for name in (given if isinstance(given, list) else [given])]
    for name in names:
        legal_server(name)
    left = session.admin.clear_dead_servers(names or session.state().dead_servers) if session.is_cluster else []
    if not left:
        session.formatter.row([True])
        return []
    session.formatter.row(["Some dead server clear failed"])
    session.formatter.row(["SERVERNAME"])
    for name in left:
        session.formatter.row([name])
    session.formatter.footer(len(left))
    return left
