"""``list_security_capabilities``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
What the database checks of its users. A directory checks rights where hbase.security.authorization is set.

  hbase> list_security_capabilities
"""


def command(session: Session) -> list[str]:
    found = session.admin.security_capabilities()
    for name in found:
        session.formatter.line(name)
    return found
