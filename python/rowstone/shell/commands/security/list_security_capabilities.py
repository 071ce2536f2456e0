"""``list_security_capabilities``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
What the database checks of its users. A directory believes who may open its files.

  hbase> list_security_capabilities
"""


def command(session: Session) -> list[str]:
    found = session.admin.security_capabilities() if session.is_cluster else ["SIMPLE_AUTHENTICATION"]
    for name in found:
        session.formatter.line(name)
    return found
