"""Results of queries and checks of an index."""

from dataclasses import dataclass

from rowstone._base.options.words import IndexStrategy


@dataclass(frozen=True)
class Explanation:
    """Access path and cost of a query, as far as it was read.

    Attributes:
        path: ``"filter scan of people"``, ``"entries of people_by_town, rows of people"``, …
        index_rows: Index rows read. table_rows: Table rows read.
        returned: Rows returned. dropped: Outdated entries, skipped because their row has changed since.
        elapsed_ms: Time since the query began, including the caller's time between rows.
        note: A remark: why an index was not used, or how old it is.
        is_read: Whether the query was read, so that the numbers are meaningful.
    """

    index: str
    strategy: IndexStrategy
    path: str
    index_rows: int
    table_rows: int
    returned: int
    dropped: int
    elapsed_ms: float
    note: str = ""
    is_read: bool = True

    def __str__(self) -> str:
        cost = (
            f"read {self.index_rows:,} rows of the index and {self.table_rows:,} of the table, "
            f"returned {self.returned:,}, left out {self.dropped:,}; {self.elapsed_ms:.1f} ms"
        )
        lines = [
            f"{self.index} ({self.strategy}): {self.path}",
            cost if self.is_read else "not read yet: iterate over the query, then explain() has its cost",
        ]
        return "\n".join([*lines, self.note] if self.note else lines)


@dataclass(frozen=True)
class Lag:
    """Lag of an index behind its table.

    Attributes:
        rows: Rows written since the index was brought up to date; None if it never was.
        since: Time up to which the index knows the table, in milliseconds; None for an index updated by every write.
    """

    rows: int | None
    since: int | None


@dataclass(frozen=True)
class IndexDifferences:
    """Differences between an index and its table; true if there are any.

    Attributes:
        missing: Row keys missing in the index, the first thousand.
        extra: Row keys of entries that contradict the table, the first thousand.
        missing_count, extra_count: Their total numbers.
        checked: Number of table rows compared.
        unreadable_count: Rows among them whose value the codec cannot decode: they have no entry, and no query finds
            them. That does not count as a difference.
    """

    missing: tuple[bytes, ...]
    extra: tuple[bytes, ...]
    missing_count: int
    extra_count: int
    checked: int
    unreadable_count: int = 0

    def __bool__(self) -> bool:
        return bool(self.missing_count or self.extra_count)


@dataclass(frozen=True)
class IndexCost:
    """Cost of an index.

    Attributes:
        entries: Rows of the index. index_bytes, table_bytes: Cells in memory and files, of each of the two tables.
        write_amplification: Bytes written to both tables per byte written to the table.
    """

    entries: int
    index_bytes: int
    table_bytes: int
    write_amplification: float
