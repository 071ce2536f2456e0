"""A table in parts: the regions, as far as a job wants their rows."""

from dataclasses import dataclass

from rowstone._base.schema import as_bytes
from rowstone._core.database import Database


@dataclass(frozen=True)
class Split:
    """Rows from ``start``, included, to ``stop``, excluded; empty at the ends of the table."""

    number: int
    start: bytes
    stop: bytes


def splits_of(db: Database, table: str, start: str | bytes | None, stop: str | bytes | None) -> list[Split]:
    """A split for each region that has rows from ``start``, included, to ``stop``, excluded."""
    first, last = as_bytes(start or b""), as_bytes(stop or b"")
    found: list[Split] = []
    for region in db.admin.regions(table):
        begin = max(first, region.start_key)
        end = min(filter(None, (last, region.end_key)), default=b"")
        if not end or begin < end:
            found.append(Split(len(found), begin, end))
    return found
