"""``delete``, ``deleteall``, ``truncate``, and helpers for writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone import Delete
from rowstone.cli.shell.checks import whole
from rowstone.cli.shell.commands.data.reads import in_hbases_words
from rowstone.cli.shell.errors import ArgumentMistake
from rowstone.cli.shell.table_reference import TableReference
from rowstone.cli.shell.values import inspect, to_bytes

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

_LATEST = 2**63 - 1


def life_time(options: Any) -> int | None:
    """The TTL option in milliseconds, or None. ATTRIBUTES and VISIBILITY have no effect here."""
    value = options.get("TTL") if isinstance(options, dict) else None
    return None if value is None else whole("TTL", value)


def refuse_labels(session: Session, *options: Any) -> None:
    """Refuse labels on a cluster: a cell without them would be visible to more users than intended.

    A directory ignores them, as HBase does if visibility labels are disabled.

    Raises:
        ShellError: VISIBILITY or AUTHORIZATIONS is given, and would not be sent.
    """
    for given in options:
        for name in ("VISIBILITY", "AUTHORIZATIONS"):
            if session.is_cluster and isinstance(given, dict) and given.get(name):
                raise session.cluster_only(name)


def delete(table: TableReference, row: Any, column: Any, timestamp: Any, *, all_versions: bool) -> None:
    """Delete a row, a family or a column of it; for a hash with ROWPREFIXFILTER, of every row with the prefix.

    Raises:
        ArgumentMistake: The timestamp is invalid. The delete may raise other errors.
    """
    moment = None if timestamp is None or isinstance(timestamp, dict) or timestamp == _LATEST else timestamp
    if moment is not None and not isinstance(moment, int):
        raise ArgumentMistake(f"the timestamp must be a number, not {inspect(moment)}")
    with in_hbases_words(table, row):
        if not isinstance(row, dict):
            _delete_row(table, to_bytes(row), column, moment, all_versions)
            return
        with table.handle().scan(prefix=to_bytes(row.get("ROWPREFIXFILTER")), filter="KeyOnlyFilter()") as rows:
            for found in rows:
                _delete_row(table, found.key, column, moment, all_versions)


def _delete_row(table: TableReference, row: bytes, column: Any, moment: int | None, all_versions: bool) -> None:
    handle = table.handle()
    if column is None or column == "":
        handle.delete(row, timestamp=moment)
        return
    family, qualifier = table.column(column)
    marker = Delete(row)
    if qualifier is None and all_versions:
        marker = marker.add_family(family, moment)
    elif qualifier is None:
        marker = marker.add_family_version(family, _LATEST if moment is None else moment)
    elif all_versions:
        marker = marker.add_columns((family, qualifier), moment)
    else:
        marker = marker.add_column((family, qualifier), moment)
    handle.mutate_row(row, marker)


def truncate(session: Session, table: Any, *, preserve_splits: bool) -> None:
    """Empty a table, printing each step."""
    reference = session.table(table)
    session.formatter.line(f"Truncating '{reference.name}' table (it may take a while):")
    if session.admin.tables.is_enabled(reference.name):
        session.formatter.line("Disabling table...")
        session.admin.disable_table(reference.name)
    session.formatter.line("Truncating table...")
    session.admin.truncate_table(reference.name, preserve_splits=preserve_splits)
