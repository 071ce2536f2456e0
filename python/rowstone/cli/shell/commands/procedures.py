"""Commands of the group procedures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.command import command
from rowstone.cli.shell.events import print_lock, print_procedure

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command(directory="one server")
def list_locks(session: Session) -> list[dict[str, Any]]:
    """List the locks of the master's procedures. A directory has no procedures.

    hbase> list_locks
    """
    locks = session.admin.locks() if session.is_cluster else []
    for lock in locks:
        print_lock(session, lock)
    return locks


@command(directory="one server")
def list_procedures(session: Session) -> None:
    """List the master's procedures. A directory has no procedures: a call returns when its work is done.

    hbase> list_procedures
    """
    session.formatter.header(["PID", "Name", "State", "Submitted", "Last_Update", "Parameters"])
    found = session.admin.procedures() if session.is_cluster else []
    for procedure in found:
        print_procedure(session, procedure)
    session.formatter.footer(len(found))
