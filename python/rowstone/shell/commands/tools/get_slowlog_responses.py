"""``get_slowlog_responses``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.events import print_slow_calls

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Calls that took servers long, newest last, of all servers ('*') or some. LIMIT, REGION_NAME, TABLE_NAME, CLIENT_IP,
USER and
FILTER_BY_OP choose among them. A directory remembers none.

  hbase> get_slowlog_responses '*'
  hbase> get_slowlog_responses '*', {'LIMIT' => 50}
  hbase> get_slowlog_responses ['SERVER_NAME1'], {'TABLE_NAME' => 't1', 'FILTER_BY_OP' => 'AND'}
"""


def command(session: Session, servers: Any, options: Any = None) -> None:
    print_slow_calls(session, servers, options, large=False)
