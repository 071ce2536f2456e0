"""``get_balancer_rejections``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ShellError
from rowstone.shell.events import limit_of, print_event

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Why the balancer did not move regions, for its last runs. A directory has nothing to balance.

  hbase> get_balancer_rejections
  hbase> get_balancer_rejections LIMIT => 10
"""


_NO_LIMIT = 250


def command(session: Session, options: Any = None) -> None:
    if options is not None and not isinstance(options, dict):
        raise ShellError("Filter parameters are not Hash")
    events = session.admin.balancer_rejections(limit_of(options, _NO_LIMIT)) if session.is_cluster else []
    session.formatter.line("Retrieved BalancerRejection Responses")
    for event in events:
        print_event(session, event)
