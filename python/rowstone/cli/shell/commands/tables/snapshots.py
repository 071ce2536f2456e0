"""Commands of the group snapshots."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rowstone import Snapshot
from rowstone.cli.shell.checks import hash_of, legal_snapshot, pattern_of, text_of, whole
from rowstone.cli.shell.command import command
from rowstone.cli.shell.errors import ShellError
from rowstone.cli.shell.output.times import zoned_time
from rowstone.cli.shell.table_reference import TableReference
from rowstone.cli.shell.values import Opaque, to_s
from rowstone.errors import NamespaceNotFound, SnapshotExists, SnapshotNotFound, TableNotFound

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


_CREATION = "org.apache.hadoop.hbase.snapshot.SnapshotCreationException"


@command()
def clone_snapshot(session: Session, snapshot: Any, table: Any, options: Any = None) -> None:
    """Create a table from a snapshot. No data is copied.

      hbase> clone_snapshot 'snapshotName', 'tableName'
      hbase> clone_snapshot 'snapshotName', 'namespace:tableName'

      hbase> clone_snapshot 'snapshotName', 'tableName', {CLONE_SFT => 'FILE'}

    CLONE_SFT changes the store file tracker of the new table on a cluster. A directory has no trackers and accepts it
    without effect. {RESTORE_ACL => true} is accepted and not used.
    """
    given = hash_of({} if options is None else options, "Arguments should be a Hash")
    target = session.table(table).name
    try:
        session.admin.snapshots.clone(to_s(snapshot), target)
    except NamespaceNotFound:
        raise ShellError(f"Unknown namespace: {target.partition(':')[0]}!") from None
    if session.is_cluster and given.get("CLONE_SFT"):
        session.admin.tables.set_store_file_tracker(target, to_s(given["CLONE_SFT"]))


@command()
def delete_all_snapshot(session: Session, regex: Any) -> None:
    """Delete the snapshots whose name matches a regular expression. Asks for confirmation.

    hbase> delete_all_snapshot 's.*'
    """
    line = session.formatter.line
    session.formatter.header(TITLES)
    found = matching(session, regex)
    if not found:
        line(f"No snapshots matched the regex {to_s(regex)}")
        return
    if not ask_to_delete(session, found):
        return
    for snapshot in found:
        session.admin.snapshots.delete(snapshot.name)
    left = matching(session, regex)
    if len(found) > len(left):
        line(f"{len(found) - len(left)} snapshots successfully deleted.")
    if left:
        line(f"\nFailed to delete the below {len(left)} snapshots.")
        session.formatter.header(TITLES)
        print_rows(session, left)


@command()
def delete_snapshot(session: Session, snapshot: Any) -> None:
    """Delete a snapshot. Tables that were cloned from it keep their data.

    hbase> delete_snapshot 'snapshotName'
    """
    session.admin.snapshots.delete(to_s(snapshot))


@command()
def delete_table_snapshots(session: Session, table_regex: Any, snapshot_regex: Any = ".*") -> Any:
    """Delete snapshots of tables whose name matches, optionally those whose own name matches. Asks for confirmation.

    hbase> delete_table_snapshots 'tableName'
    hbase> delete_table_snapshots 'tableName.*'
    hbase> delete_table_snapshots 'ns:tableName.*', 'snapshotName.*'
    """
    line = session.formatter.line
    session.formatter.header(TITLES)
    found = matching(session, snapshot_regex, table_regex)
    if not found:
        line(
            f"No snapshots matched the table name regular expression {to_s(table_regex)} and the snapshot name regular"
            f" expression {to_s(snapshot_regex)}"
        )
        return None
    if not ask_to_delete(session, found):
        return None
    for snapshot in found:
        session.admin.snapshots.delete(snapshot.name)
        line(f"Successfully deleted snapshot: {snapshot.name}\n")
    return [Opaque(f"#<Java::OrgApacheHadoopHbaseClient::SnapshotDescription:{id(item):#x}>") for item in found]


@command()
def list_snapshots(session: Session, regex: Any = ".*") -> list[str]:
    """List all snapshots with their table, creation time and TTL in seconds, or those whose name matches.

    hbase> list_snapshots
    hbase> list_snapshots 'abc.*'
    """
    session.formatter.header([TITLES[0], f"{TITLES[1]} + TTL(Sec)"])
    found = matching(session, regex)
    for item in found:
        session.formatter.row([item.name, f"{_table_and_time(item)} {_life_time(item)}"])
    session.formatter.footer(len(found))
    return [item.name for item in found]


@command()
def list_table_snapshots(session: Session, table_regex: Any, snapshot_regex: Any = ".*") -> list[str]:
    """List the snapshots of tables whose name matches, optionally those whose own name matches.

    hbase> list_table_snapshots 'tableName'
    hbase> list_table_snapshots 'tableName.*', 'snapshotName.*'
    """
    session.formatter.header(TITLES)
    found = matching(session, snapshot_regex, table_regex)
    print_rows(session, found)
    session.formatter.footer(len(found))
    return [item.name for item in found]


@command()
def restore_snapshot(session: Session, snapshot: Any, options: Any = None) -> None:
    """Restore a table to a snapshot. Its current data is lost. The table must be disabled first.

      hbase> restore_snapshot 'snapshotName'

    {RESTORE_ACL => true} is accepted and not used.
    """
    hash_of({} if options is None else options, "Arguments should be a Hash")
    name = to_s(snapshot)
    try:
        session.admin.snapshots.restore(name)
    except SnapshotNotFound:
        raise ShellError(f"Unable to find the table name for snapshot={name}") from None


@command()
def snapshot(session: Session, table: Any, snapshot: Any, *options: Any) -> Any:
    """Take a snapshot of a table: its files at this moment, under a name. No data is copied. SKIP_FLUSH leaves out the
    memstore. With TTL, the snapshot is deleted after that many seconds.

      hbase> snapshot 'sourceTable', 'snapshotName'
      hbase> snapshot 'namespace:sourceTable', 'snapshotName', {TTL => 86400}
      hbase> snapshot 'sourceTable', 'snapshotName', {SKIP_FLUSH => true}
    """
    if not isinstance(table, TableReference):
        text_of(table, "Table name must be of type String")
    name = legal_snapshot(text_of(snapshot, "Snapshot name must be of type String"))
    source = session.table(table).name
    given = {key: value for option in options for key, value in hash_of(option, "Options should be a Hash").items()}
    ttl = whole("TTL", given["TTL"]) if given.get("TTL") else None
    try:
        session.admin.snapshot(name, source, flush=given.get("SKIP_FLUSH") is not True, ttl_seconds=ttl or None)
    except SnapshotExists as error:
        raise ShellError(f"{error.remote_class}: Snapshot '{name}' already stored on the filesystem.") from None
    except TableNotFound:
        raise ShellError(f"{_CREATION}: Table '{source}' doesn't exist, can't take snapshot.") from None
    return list(options) or None


TITLES = ("SNAPSHOT", "TABLE + CREATION TIME")


def matching(session: Session, snapshot_regex: Any, table_regex: Any = ".*") -> list[Snapshot]:
    """Snapshots whose name, and whose table's name, match as a whole."""
    snapshots, tables = pattern_of(snapshot_regex), pattern_of(table_regex)
    found = session.admin.snapshots.list()
    return [item for item in found if snapshots.fullmatch(item.name) and tables.fullmatch(item.table)]


def print_rows(session: Session, snapshots: list[Snapshot]) -> None:
    """Print a row for each snapshot."""
    for snapshot in snapshots:
        session.formatter.row([snapshot.name, _table_and_time(snapshot)])


def _table_and_time(snapshot: Snapshot) -> str:
    return f"{snapshot.table} ({zoned_time(snapshot.created_ms)})"


def _life_time(snapshot: Snapshot) -> str:
    """The TTL as HBase prints it. A cluster lists expired snapshots until its cleaner removes them."""
    if snapshot.ttl_seconds == 0:
        return "FOREVER"
    is_expired = 0 < snapshot.created_ms + snapshot.ttl_seconds * 1000 < time.time() * 1000
    return f"{snapshot.ttl_seconds} (Expired) " if is_expired else str(snapshot.ttl_seconds)


def ask_to_delete(session: Session, snapshots: list[Snapshot]) -> bool:
    """Print the snapshots to delete, and ask for confirmation."""
    print_rows(session, snapshots)
    session.formatter.line()
    return session.confirm(f"Delete the above {len(snapshots)} snapshots (y/n)?")
