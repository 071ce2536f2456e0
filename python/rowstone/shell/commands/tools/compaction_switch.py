"""``compaction_switch``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import truth

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Lets servers compact, or not; says what held before for each. Where it is off, compact and major_compact do nothing.
A directory remembers it while it is open.

  hbase> compaction_switch true
  hbase> compaction_switch false, 'rs1,port,startcode'
"""


def command(session: Session, on: Any, *servers: Any) -> None:
    session.formatter.header(["['SERVER'", "'PREV_STATE']"])
    chosen = session.chosen_servers(list(servers)) if servers and session.is_cluster else session.servers()
    before = session.admin.set_compactions(truth(on), chosen)
    for name, state in before.items():
        session.formatter.row([name, state])
    session.formatter.footer(len(before))
