"""The observer that maintains "coprocessor" indexes: in the same log record as each write."""

from collections.abc import Mapping, Sequence
from typing import Any

from rowstone import _native
from rowstone.coprocessors._context import ObserverContext
from rowstone.coprocessors._host import unobserved
from rowstone.coprocessors._observers import Refusing, RegionObserver
from rowstone.errors import CoprocessorError, InvalidArgument, TableExists, TableNotFound
from rowstone.indexes._after import deciding_cells, newest_after
from rowstone.indexes._definition import Definition, definitions_of
from rowstone.indexes._entries import COLUMN, entry
from rowstone.indexes._read import entries_table

_LAST = 2**63 - 2


class IndexMaintainer(RegionObserver):
    """Adds the changes of index entries to each write."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self.definitions = definitions
        # A changed table descriptor leads to a new observer.
        self._by_order: dict[str, frozenset[bytes]] = {}

    def pre_batch_mutate(self, context: ObserverContext, rows: Sequence[bytes], cells: Sequence[_native.Cell]) -> None:
        """Add the changes of the indexes."""
        for definition in self.definitions:
            wanted = [cell for cell in cells if _concerns(definition, cell)]
            if not cells or wanted:
                self._keep(context, definition, rows, wanted)

    def _keep(
        self, context: ObserverContext, definition: Definition, rows: Sequence[bytes], cells: Sequence[_native.Cell]
    ) -> None:
        table = context.database.table(context.table)
        if definition.name not in self._by_order:
            try:
                entries_table(context.database, definition)
            except (TableExists, TableNotFound) as error:
                raise CoprocessorError(str(error)) from None
            self._by_order[definition.name] = _by_order(table)
        by_order = self._by_order[definition.name]
        by_row: dict[bytes, list[_native.Cell]] = {} if cells else {row: [] for row in rows}
        for cell in cells:
            by_row.setdefault(cell.row, []).append(cell)
        for row, written in by_row.items():
            with unobserved():
                stored = [
                    cell
                    for cell in deciding_cells(table, definition, row, written, by_order=by_order)
                    if _concerns(definition, cell)
                ]
            before = definition.value_of(row, newest_after(stored, (), by_order=by_order))
            after = definition.value_of(row, newest_after(stored, written, by_order=by_order))
            for one in changes(definition, row, before, after, always=not cells):
                context.also(definition.index_table or "", one)


def changes(
    definition: Definition,
    row: bytes,
    before: tuple[bytes, int] | None,
    after: tuple[bytes, int] | None,
    *,
    always: bool,
) -> list[Any]:
    """Return the changes of the entries of a row whose value changes.

    Index tables have NEW_VERSION_BEHAVIOR: a marker hides what was written before it, whatever the timestamps, and
    nothing that is written later.
    """
    if not definition.expires:
        # When the value was written says nothing then; writing it again changes nothing.
        before, after = before and (before[0], 0), after and (after[0], 0)
    done: list[Any] = []
    if before is not None and before != after:
        done.append(_native.Delete(entry(before[0], row)).add_columns(COLUMN, _LAST))
    if after is not None and (always or before != after):
        timestamp = after[1] if definition.expires else None
        done.append(_native.Put(entry(after[0], row), {COLUMN: b""}, timestamp=timestamp))
    if len(done) == 2 and before is not None and after is not None and before[0] == after[0]:
        # The same entry with another timestamp: within one record the marker would hide both.
        del done[0]
    return done


def _concerns(definition: Definition, cell: _native.Cell) -> bool:
    if not isinstance(definition.on, bytes):
        return True
    family, _, qualifier = definition.on.partition(b":")
    if cell.family != family:
        return False
    return cell.qualifier == qualifier or cell.type in ("DeleteFamily", "DeleteFamilyVersion")


def _by_order(table: Any) -> frozenset[bytes]:
    """The table's families with NEW_VERSION_BEHAVIOR."""
    return frozenset(name for name, family in table.schema.families.items() if family.new_version_behavior)


def maintainer_of(table: str, attributes: Mapping[str, str]) -> RegionObserver | None:
    """Return the observer for a descriptor, or None if no index needs one."""
    try:
        kept = [one for one in definitions_of(attributes) if one.strategy == "coprocessor"]
    except InvalidArgument as error:
        return Refusing(f"indexes of table '{table}': {error}")
    foreign = [one for one in kept if one.table != table]
    if foreign:
        names = ", ".join(f"'{one.name}'" for one in foreign)
        return Refusing(
            f"table '{table}' is a copy of table '{foreign[0].table}' and has no entries of its index {names} yet: "
            f"db.index('{table}', '{foreign[0].name}').rebuild() creates them, and drop() removes the index"
        )
    return IndexMaintainer(kept) if kept else None
