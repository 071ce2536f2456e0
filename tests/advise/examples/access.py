"""Examples for rules on read and write patterns."""

from __future__ import annotations

from rowstone.schema.advise import Access, Read
from tests.advise.case import NOW_MS, Case


def full_scans(is_bad: bool) -> Case:
    scan = Read(kind="scan", bounded=not is_bad, count=2, rows_examined=200_002, rows_returned=200_002)
    return Case(access=Access(reads=(scan,)))


def scans_that_find_little(is_bad: bool) -> Case:
    scan = Read(kind="scan", bounded=False, rows_examined=2000, rows_returned=19 if is_bad else 20)
    return Case(access=Access(reads=(scan,)))


def small_scan_caching(is_bad: bool) -> Case:
    scan = Read(kind="scan", caching=1 if is_bad else 10, rows_examined=1001, rows_returned=1001)
    return Case(access=Access(reads=(scan,)))


def huge_multi(is_bad: bool) -> Case:
    return Case(access=Access(largest_multi=5001 if is_bad else 5000))


def skip_wal(is_bad: bool) -> Case:
    return Case(attributes={"DURABILITY": "SKIP_WAL" if is_bad else "ASYNC_WAL"})


def skipped_writes(is_bad: bool) -> Case:
    return Case(access=Access(skip_wal_writes=int(is_bad)))


def referential_integrity(is_bad: bool) -> Case:
    name = "ForeignKey" if is_bad else "Range"
    return Case(attributes={f"constraint $org.example.{name}": "_ENABLED = true"})


def a_table_for_each_entity(is_bad: bool) -> Case:
    """Orders that name a user and a product, next to tables of both; or that contain the data read with them."""
    values = (
        {"f:user_id": "u1", "f:product_id": "p1"} if is_bad else {"f:user": "Ann", "f:product": "tea", "f:paid": "1"}
    )
    return Case(puts=[("o1", values, NOW_MS)], others=["users", "product", "unrelated"])


def ids_of_nothing_else(is_bad: bool) -> Case:
    """A column is named like an ID; the table with these IDs exists or not."""
    return Case(puts=[("o1", {"f:categoryId": "7"}, NOW_MS)], others=["Categories" if is_bad else "users"])


EXAMPLES = {
    "L31": full_scans,
    "L31, little": scans_that_find_little,
    "L32": small_scan_caching,
    "L33": huge_multi,
    "L39": skip_wal,
    "L39, writes": skipped_writes,
    "L44": referential_integrity,
    "L46": a_table_for_each_entity,
    "L46, plural": ids_of_nothing_else,
}
