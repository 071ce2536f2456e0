"""``compaction_switch``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import truth

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Lets servers compact, or not; says what held before for each. In a directory it is remembered while that is open, and
flush, compact and major_compact still do what they are asked.

  hbase> compaction_switch true
  hbase> compaction_switch false, 'rs1,port,startcode'
"""


def command(session: Session, on: Any, *servers: Any) -> None:
    session.formatter.header(["['SERVER'", "'PREV_STATE']"])
    if session.is_cluster:
        chosen = session.chosen_servers(list(servers)) if servers else session.servers()
        before = session.admin.set_compactions(truth(on), chosen)
    else:
        before = {session.server_name(): session.switch("compaction", truth(on))}
    for name, state in before.items():
        session.formatter.row([name, state])
    session.formatter.footer(len(before))
