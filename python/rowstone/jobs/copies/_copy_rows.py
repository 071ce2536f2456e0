"""Copy of the cells of a range of rows, with timestamps, tags and delete markers, in one pass."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rowstone import _native
from rowstone._native import Delete, Put

_PIECE_CELLS = 10_000
_BUFFER_BYTES = 2 << 20
_EVER = 1 << 40

Mutation = Put | Delete


@dataclass
class Copied:
    """Result of a copy, or its progress.

    ``rows``, ``cells`` (without markers), ``markers`` and ``value_bytes`` count what was read. ``resume_row`` is the
    row to pass as ``start`` after an interruption: every row before it is written. None is the first row of the table;
    the result of a complete copy has none, too.
    """

    rows: int = 0
    cells: int = 0
    markers: int = 0
    value_bytes: int = 0
    resume_row: bytes | None = None


def copy_rows(
    source: _native.Table,
    target: _native.Table,
    *,
    start: str | bytes | None = None,
    stop: str | bytes | None = None,
    deletes: bool = True,
    progress: Callable[[Copied], None] | None = None,
) -> Copied:
    """Copy the rows from ``start`` (included) to ``stop`` (excluded); see `copy_table`.

    ``progress`` is called whenever a buffer (2 MiB) was written. Tags and TTLs are those of the cells.
    """
    state = Copied()
    seen: bytes | None = None
    with (
        source.scan(start, stop, raw=deletes, versions=None, batch=_PIECE_CELLS, cache_blocks=False) as rows,
        target.batch(buffer_bytes=_EVER) as writer,
    ):
        for row in rows:
            for mutation in _mutations(row, state):
                writer.mutate(mutation)
            if row.key != seen:
                seen = row.key
                state.rows += 1
            if writer._buffered_bytes >= _BUFFER_BYTES:
                _flush(writer, state, seen, progress)
        _flush(writer, state, seen, progress)
    return state


def _flush(
    writer: _native.BufferedWriter, state: Copied, row: bytes | None, progress: Callable[[Copied], None] | None
) -> None:
    writer.flush()
    state.resume_row = row if row is not None else state.resume_row
    if progress is not None:
        progress(state)


def _mutations(row: _native.Row, state: Copied) -> Iterator[Mutation]:
    """Return the mutations that write the cells of a row, or of a chunk of one."""
    puts: dict[tuple[tuple[int, bytes], ...], list[tuple[tuple[bytes, bytes], bytes, int]]] = {}
    delete: Delete | None = None
    for cell in row.cells:
        if cell.type == "Put":
            # The tags of a put apply to all its cells.
            puts.setdefault(tuple(cell.tags), []).append(((cell.family, cell.qualifier), cell.value, cell.timestamp))
            state.cells += 1
            state.value_bytes += len(cell.value)
        else:
            delete = _with_marker(delete or Delete(row.key), cell)
            state.markers += 1
    for tags, cells in puts.items():
        yield Put(row.key, cells, tags=tags or None)
    if delete is not None:
        yield delete


def _with_marker(delete: Delete, marker: _native.Cell) -> Delete:
    column, timestamp = (marker.family, marker.qualifier), marker.timestamp
    if marker.type == "Delete":
        return delete.add_column(column, timestamp)
    if marker.type == "DeleteColumn":
        return delete.add_columns(column, timestamp)
    if marker.type == "DeleteFamily":
        return delete.add_family(marker.family, timestamp)
    return delete.add_family_version(marker.family, timestamp)
