"""``clear_slowlog_responses``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import inspect, is_text, kind_of

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Forgets the slow calls that servers remember. A directory remembers none.

  hbase> clear_slowlog_responses
  hbase> clear_slowlog_responses ['SERVER_NAME1', 'SERVER_NAME2']
"""


def command(session: Session, servers: Any = None) -> None:
    if servers is not None and not is_text(servers) and not isinstance(servers, list):
        raise ArgumentMistake(f"{kind_of(servers)} of {inspect(servers)} is not of correct type")
    if not session.is_cluster:
        session.formatter.line("Cleared Slowlog responses from 0/1 RegionServers")
        return
    chosen = session.servers() if servers is None else session.chosen_servers(servers)
    cleared = session.admin.clear_slow_calls(chosen)
    session.formatter.line(f"Cleared Slowlog responses from {cleared}/{len(chosen)} RegionServers")
