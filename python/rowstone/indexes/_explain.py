"""What queries and checks of an index tell."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Explanation:
    """Which path a query took and what it cost, as far as it was read.

    Attributes:
        path: ``"filter scan of people"``, ``"entries of people_by_town, rows of people"``, …
        index_rows: Rows of the index that were read. table_rows: Rows of the table that were read.
        returned: Rows that the caller got. dropped: Entries whose row says otherwise by now; they are left out.
        elapsed_ms: Time in the query, with the caller's between two rows.
        note: What else to know: why an index was not used, how old it is.
        is_read: Whether the query has been read, so that the numbers mean something.
    """

    index: str
    strategy: str
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
    """How far an index is behind its table.

    Attributes:
        rows: Rows that were written since the index was brought up to date; None where it never was.
        since: Up to when it knows the table, in milliseconds; None for an index that every write keeps.
    """

    rows: int | None
    since: int | None


@dataclass(frozen=True)
class IndexDifferences:
    """Where an index and its table differ; true where they do.

    Attributes:
        missing: Row keys that the index should have and has not, the first thousand of them.
        extra: Row keys of entries that say what the table does not, the first thousand.
        missing_count, extra_count: How many.
        checked: Rows of the table that were compared.
        unreadable_count: Rows among them whose value is none of the index's codec: they have no entry, and no query
            finds them. That is no difference.
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
    """What an index takes.

    Attributes:
        entries: Its rows. index_bytes, table_bytes: Of both tables' cells in memory and files.
        write_amplification: Bytes of both tables for each byte of the table.
    """

    entries: int
    index_bytes: int
    table_bytes: int
    write_amplification: float
