"""``get_balancer_decisions``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ShellError

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Why the balancer moved regions, for its last runs. A directory has nothing to balance.

  hbase> get_balancer_decisions
  hbase> get_balancer_decisions LIMIT => 10
"""


def command(session: Session, options: Any = None) -> None:
    if options is not None and not isinstance(options, dict):
        raise ShellError("Filter parameters are not Hash")
    session.refuse_cluster("get_balancer_decisions")
    session.formatter.line("Retrieved BalancerDecision Responses")
