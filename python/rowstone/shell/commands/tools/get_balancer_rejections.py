"""``get_balancer_rejections``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ShellError

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Why the balancer did not move regions, for its last runs. A directory has nothing to balance.

  hbase> get_balancer_rejections
  hbase> get_balancer_rejections LIMIT => 10
"""


def command(session: Session, options: Any = None) -> None:
    if options is not None and not isinstance(options, dict):
        raise ShellError("Filter parameters are not Hash")
    session.refuse_cluster("get_balancer_rejections")
    session.formatter.line("Retrieved BalancerRejection Responses")
