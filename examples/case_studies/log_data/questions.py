"""Queries of the log, planned by the key in use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from examples.case_studies.log_data.records import DAY_MS, Record
from examples.case_studies.measure.counted import Counted

from rowstone.keys import Key, KeyedTable

EVENTS = ("cancelled", "departed", "late")


@dataclass(frozen=True)
class Log:
    """A table of the log. Each line also has its host and event as columns, because hashed keys cannot be decoded."""

    table: Counted
    key: Key

    @property
    def keyed(self) -> KeyedTable:
        """The table, addressed by values instead of keys."""
        return KeyedTable(self.table, self.key)  # type: ignore[arg-type]

    @property
    def is_by_time(self) -> bool:
        """Whether a range of times is a range of keys."""
        return self.key.fields[0] == "at"

    def _select(self, where: dict[str, Any]) -> list[Record]:
        """The lines in a range of keys, decoded from their columns."""
        with self.keyed.scan(where) as scan:
            return [_line(values.at, row) for values, row in scan]

    def of_a_time(self, start: int, stop: int) -> list[Record]:
        """All lines of a time range, in time order: a range scan if the key begins with the time, else a full scan."""
        found = self._select({"at": (start, stop)} if self.is_by_time else {})
        return sorted((one for one in found if start <= one.at < stop), key=_order)

    def of_a_host(self, host: str, start: int, stop: int) -> list[Record]:
        """A host's lines of a time range: a scan for each kind of event, or all lines of the time range."""
        if self.is_by_time:
            found = [one for one in self._select({"at": (start, stop)}) if one.host == host]
        else:
            ranges = [{"host": host, "event": event, "at": (start, stop)} for event in EVENTS]
            found = [one for where in ranges for one in self._select(where)]
        return sorted(found, key=_order)

    def newest(self, host: str, event: str) -> list[Record]:
        """The last line of a host and event.

        With newest-first keys it is the first row of a scan, with oldest-first keys the first of a reversed scan. If
        times come before hosts, a reversed scan reads until it meets the host.
        """
        if self.is_by_time:
            with self.keyed.scan({}, reverse=True) as scan:
                for values, row in scan:
                    if (values.host, values.event) == (host, event):
                        return [_line(values.at, row)]
            return []
        newest_first = "reverse_time" in repr(self.key)
        with self.keyed.scan({"host": host, "event": event}, reverse=not newest_first, limit=1) as scan:
            return [_line(values.at, row) for values, row in scan]

    def one(self, record: Record) -> list[Record]:
        """A line whose host, event and time are known: a get."""
        values = {"at": record.at, "host": record.host, "event": record.event}
        return [_line(record.at, self.keyed.get(values))]


def _line(at: int, row: Any) -> Record:
    return Record(at, row["d:h"].decode(), row["d:e"].decode(), row["d:v"].decode())


def _order(record: Record) -> tuple[int, str, str]:
    return record.at, record.host, record.event


def week(lines: list[Record]) -> tuple[int, int]:
    """Seven days in the middle of the log."""
    middle = lines[len(lines) // 2].at // DAY_MS * DAY_MS
    return middle, middle + 7 * DAY_MS
