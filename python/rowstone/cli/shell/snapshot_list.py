"""Lists of snapshots, and confirmation before several are deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone import Snapshot
from rowstone.cli.shell.checks import pattern_of
from rowstone.cli.shell.times import zoned_time

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

TITLES = ("SNAPSHOT", "TABLE + CREATION TIME")


def matching(session: Session, snapshot_regex: Any, table_regex: Any = ".*") -> list[Snapshot]:
    """Snapshots whose name, and whose table's name, match as a whole."""
    snapshots, tables = pattern_of(snapshot_regex), pattern_of(table_regex)
    found = session.admin.snapshots()
    return [item for item in found if snapshots.fullmatch(item.name) and tables.fullmatch(item.table)]


def print_rows(session: Session, snapshots: list[Snapshot]) -> None:
    """Print a row for each snapshot."""
    for snapshot in snapshots:
        session.formatter.row([snapshot.name, f"{snapshot.table} ({zoned_time(snapshot.created_ms)})"])


def print_all(session: Session, snapshot_regex: Any, table_regex: Any = ".*") -> list[str]:
    """Print the list, and return the names."""
    session.formatter.header(TITLES)
    found = matching(session, snapshot_regex, table_regex)
    print_rows(session, found)
    session.formatter.footer(len(found))
    return [snapshot.name for snapshot in found]


def ask_to_delete(session: Session, snapshots: list[Snapshot]) -> bool:
    """Print the snapshots to delete, and ask for confirmation."""
    print_rows(session, snapshots)
    session.formatter.line()
    return session.ask(f"Delete the above {len(snapshots)} snapshots (y/n)?")
