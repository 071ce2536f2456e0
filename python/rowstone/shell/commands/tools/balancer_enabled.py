"""``balancer_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.switches import show

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Whether the balancer moves regions between servers. In a directory there is nothing to move; the answer is that of the
switch.

  hbase> balancer_enabled
"""


def command(session: Session) -> bool:
    return show(session, "balancer")
