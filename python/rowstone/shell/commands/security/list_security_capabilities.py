"""``list_security_capabilities``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
What the database checks of its users. A directory believes who may open its files.

  hbase> list_security_capabilities
"""


def command(session: Session) -> list[str]:
    session.refuse_cluster("list_security_capabilities")
    session.formatter.line("SIMPLE_AUTHENTICATION")
    return ["SIMPLE_AUTHENTICATION"]
