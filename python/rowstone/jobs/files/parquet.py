"""Parquet files, read in batches. A position is a number of rows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rowstone._base.lazy import import_optional
from rowstone.errors import InvalidArgument
from rowstone.jobs.files.records import Position, Record, Refused

_PIECE_ROWS = 4096


class ParquetFile:
    """A Parquet file; ``sources`` are names of its columns."""

    def __init__(self, path: Path, sources: Sequence[str]) -> None:
        self.path = path
        self._sources = list(sources)
        self._parquet = arrow().parquet
        with self._open() as file:
            names = file.schema_arrow.names
            self._rows: int = file.metadata.num_rows
        for source in self._sources:
            if names.count(source) != 1:
                raise InvalidArgument(f"'{path}' has no column '{source}'; it has {', '.join(names)}")

    def total(self) -> int:
        return self._rows

    def mark(self, position: Position) -> str:
        status = self.path.stat()
        return f"{status.st_size}-{status.st_mtime_ns}"

    def records(self, start: Position) -> Iterator[Record | Refused]:
        with self._refused("cannot be read"), self._open() as file:
            groups: list[int] = []
            row = start.offset
            before = 0
            for group in range(file.metadata.num_row_groups):
                end = before + file.metadata.row_group(group).num_rows
                if end > start.offset:
                    if not groups:
                        row = before
                    groups.append(group)
                before = end
            if not groups:
                return
            for batch in file.iter_batches(_PIECE_ROWS, row_groups=groups, columns=self._sources):
                if row + batch.num_rows <= start.offset:
                    row += batch.num_rows
                    continue
                columns = [batch.column(source).to_pylist() for source in self._sources]
                for values in zip(*columns, strict=True):
                    row += 1
                    if row > start.offset:
                        yield Record(row, values, Position(row, row))

    def _open(self) -> Any:
        with self._refused("is not a Parquet file"):
            return self._parquet.ParquetFile(self.path)

    @contextmanager
    def _refused(self, what: str) -> Iterator[None]:
        """Add the file name to Arrow's errors. Errors of the operating system (a missing file) are unchanged."""
        try:
            yield
        except (arrow().ArrowException, OSError) as error:
            # Arrow raises a bare `OSError` for bytes that it cannot parse.
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise InvalidArgument(f"'{self.path}' {what}: {str(error).strip()}") from None


def arrow() -> Any:
    """The module ``pyarrow``, with ``pyarrow.parquet``."""
    import_optional("pyarrow.parquet", "Parquet", "arrow")
    return import_optional("pyarrow", "Parquet", "arrow")


def arrow_type(name: str, field: str) -> Any:
    """Arrow's type of this name. Raises `InvalidArgument` if there is none."""
    try:
        return arrow().type_for_alias(name)
    except ValueError:
        raise InvalidArgument(f"field '{field}' has type '{name}', which Arrow does not know") from None
