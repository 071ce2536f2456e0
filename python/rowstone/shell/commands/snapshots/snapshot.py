"""``snapshot``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.errors import SnapshotExists, TableNotFound
from rowstone.shell.checks import hash_of, legal_snapshot, text_of, whole
from rowstone.shell.errors import ShellError
from rowstone.shell.tables import TableReference

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Takes a snapshot of a table: its files at this moment, under a name. No data is copied. SKIP_FLUSH leaves out what
is only
in memory; after TTL seconds the snapshot goes by itself.

  hbase> snapshot 'sourceTable', 'snapshotName'
  hbase> snapshot 'namespace:sourceTable', 'snapshotName', {TTL => 86400}
  hbase> snapshot 'sourceTable', 'snapshotName', {SKIP_FLUSH => true}
"""


_CREATION = "org.apache.hadoop.hbase.snapshot.SnapshotCreationException"


def command(session: Session, table: Any, snapshot: Any, *options: Any) -> Any:
    if not isinstance(table, TableReference):
        text_of(table, "Table name must be of type String")
    name = legal_snapshot(text_of(snapshot, "Snapshot name must be of type String"))
    source = session.table(table).name
    given = {key: value for option in options for key, value in hash_of(option, "Options should be a Hash").items()}
    ttl = whole("TTL", given["TTL"]) if given.get("TTL") else None
    try:
        session.admin.snapshot(name, source, flush=given.get("SKIP_FLUSH") is not True, ttl=ttl or None)
    except SnapshotExists as error:
        raise ShellError(f"{error.remote_class}: Snapshot '{name}' already stored on the filesystem.") from None
    except TableNotFound:
        raise ShellError(f"{_CREATION}: Table '{source}' doesn't exist, can't take snapshot.") from None
    return list(options) or None
