"""``clear_compaction_queues``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import legal_server
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Empties the queues of compactions that a server has not begun: short, long or both. A directory's are empty between the
calls that ask for them.

  hbase> clear_compaction_queues 'host187.example.com,60020'
  hbase> clear_compaction_queues 'host187.example.com,60020', 'long'
  hbase> clear_compaction_queues 'host187.example.com,60020', ['long', 'short']
"""


_QUEUES = ["long", "short"]


def command(session: Session, server: Any, queues: Any = None) -> None:
    chosen = _QUEUES if queues is None else queues if isinstance(queues, list) else [queues]
    for queue in chosen:
        if queue not in _QUEUES:
            raise ArgumentMistake(f"Unknown queue name {to_s(queue)}")
    legal_server(server)
    if session.is_cluster:
        session.admin.clear_compaction_queues(to_s(server), chosen)
