"""``balancer_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Whether the balancer moves regions between servers. In a directory there is nothing to move; the answer is that of the
switch.

  hbase> balancer_enabled
"""


def command(session: Session) -> bool:
    on = session.balancer_on()
    session.formatter.row([on])
    return on
