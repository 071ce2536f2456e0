"""``list_procedures``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.events import print_procedure

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
What the master has done and is doing. A directory has no procedures: a call returns when its work is done.

  hbase> list_procedures
"""


def command(session: Session) -> None:
    session.formatter.header(["PID", "Name", "State", "Submitted", "Last_Update", "Parameters"])
    found = session.admin.procedures() if session.is_cluster else []
    for procedure in found:
        print_procedure(session, procedure)
    session.formatter.footer(len(found))
