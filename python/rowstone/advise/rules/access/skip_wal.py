"""L39: writes that a crash may lose."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the table's DURABILITY, and by what was written so."""
    if table.attributes.get("DURABILITY", "").upper() == "SKIP_WAL":
        yield Found("error", "", "DURABILITY is SKIP_WAL")
    elif table.use.skip_wal_writes > limits["writes"]:
        yield Found("error", "", f"{table.use.skip_wal_writes:,} writes skipped the log")


RULE = Rule(
    code="L39",
    name="skip-wal",
    thresholds={"writes": 0},
    reason="what is not in the log is lost when a server dies before its flush",
    source="HBase guide, deferred log flush and turning off the WAL",
    remedy="use ASYNC_WAL, or a bulk load (rowstone.hfile.write, admin.bulk_load)",
    check=check,
)
