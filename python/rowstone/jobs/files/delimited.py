"""CSV with quotes, and TSV as HBase's ImportTsv reads it: no quotes, a separator of one byte.

Text passes through `csv` as Latin-1, in which every byte is a character: values come out as the bytes of the file.
"""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument
from rowstone.jobs.files.lines import LineFile, Lines
from rowstone.jobs.files.records import Position, Record, Refused

_MOST_FIELD_BYTES = 16 << 20


class DelimitedFile(LineFile):
    """A file of fields. ``sources`` are names of its header, or without a header numbers of fields from 0.

    A line has as many fields as the header, or without one from the first to the second of ``fields``: 0 is no bound.
    """

    def __init__(
        self,
        path: Path,
        sources: Sequence[str | int],
        *,
        separator: str,
        quoted: bool,
        header: bool,
        fields: tuple[int, int] = (0, 0),
    ) -> None:
        super().__init__(path)
        if len(separator.encode("latin-1", errors="replace")) != 1 or not separator.isascii():
            raise InvalidArgument(f"separator {separator!r} is not one ASCII character")
        self._separator = separator
        self._quoted = quoted
        self._start = Position()
        self._least_fields, self._most_fields = fields
        self._names = [str(source) for source in sources]
        self._places = [source if isinstance(source, int) else -1 for source in sources]
        if header:
            self._read_header(sources)
        elif any(isinstance(source, str) for source in sources):
            raise InvalidArgument(f"'{path}' is read without a header: name fields by HBASE_ROW_KEY,f:q,…")

    def _read_header(self, sources: Sequence[str | int]) -> None:
        first = next(iter(self._all(Position())), None)
        if not isinstance(first, Record):
            why = "it is empty" if first is None else first.reason
            raise InvalidArgument(f"'{self.path}' has no header in its first line: {why}")
        names = [value.decode(errors="surrogateescape") for value in first.values]
        for place, source in enumerate(sources):
            if isinstance(source, str):
                if names.count(source) != 1:
                    many = "has no" if source not in names else "has more than one"
                    listed = ", ".join(f"'{printable(value)}'" for value in first.values)
                    raise InvalidArgument(f"'{self.path}' {many} field '{source}'; it has {listed}")
                self._places[place] = names.index(source)
        self._least_fields = self._most_fields = len(names)
        self._start = first.after

    def records(self, start: Position) -> Iterator[Record | Refused]:
        for record in self._all(max(start, self._start, key=lambda position: position.offset)):
            if isinstance(record, Refused):
                yield record
                continue
            fields = record.values
            count = len(fields)
            if reason := self._wrong_width(count):
                yield Refused(record.line, reason, record.after, record.raw)
                continue
            values = [fields[place] if place < count else None for place in self._places]
            yield Record(record.line, values, record.after, record.raw)

    def _wrong_width(self, count: int) -> str:
        has = f"it has {count} {'field' if count == 1 else 'fields'}"
        if self._most_fields and count > self._most_fields:
            return f"{has}, more than {self._most_fields}"
        return f"{has}, fewer than {self._least_fields}" if count < self._least_fields else ""

    def _all(self, start: Position) -> Iterator[Record | Refused]:
        return self._quoted_records(start) if self._quoted else self._plain_records(start)

    def _plain_records(self, start: Position) -> Iterator[Record | Refused]:
        lines = Lines(self.path, start)
        separator = self._separator.encode()
        for raw in lines:
            text = raw.rstrip(b"\r\n")
            if text:
                yield Record(lines.line, text.split(separator), lines.position, raw)

    def _quoted_records(self, start: Position) -> Iterator[Record | Refused]:
        # The limit is the whole process's; no smaller one can be kept for the reader alone.
        csv.field_size_limit(max(csv.field_size_limit(), _MOST_FIELD_BYTES))
        lines = Lines(self.path, start)
        taken: list[bytes] = []

        def texts() -> Iterator[str]:
            for raw in lines:
                taken.append(raw)
                yield raw.decode("latin-1")

        rows = csv.reader(texts(), delimiter=self._separator, strict=True)
        while True:
            first = lines.line + 1
            taken.clear()
            try:
                fields = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                yield Refused(first, str(error), lines.position, b"".join(taken))
                continue
            if fields:
                values = [field.encode("latin-1") for field in fields]
                yield Record(first, values, lines.position, b"".join(taken))
