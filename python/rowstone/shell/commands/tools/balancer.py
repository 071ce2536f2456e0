"""``balancer``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Runs the balancer now; true where it ran. In a directory it has nothing to do and always has run, unless it is switched
off.

  hbase> balancer
  hbase> balancer 'force'
"""


def command(session: Session, force: Any = None) -> bool:
    if force is not None and force != "force":
        raise ArgumentMistake(f"Invalid argument {to_s(force)}.")
    forced = force is not None
    if session.is_cluster:
        ran = session.admin.balance_now(ignore_regions_in_transition=forced)
    else:
        ran = forced or session.switch("balancer")
    session.formatter.row([ran])
    return ran
