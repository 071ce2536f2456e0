"""Rules about how a table is read and written."""

import re
from collections.abc import Iterable, Iterator

from rowstone._base.printable import printable
from rowstone.schema.advise._rule import Found, Thresholds, rule
from rowstone.schema.advise._table import TableFacts

_CONSTRAINT = re.compile(r"constraint[ .$]", re.IGNORECASE)
_REFERENCE = re.compile(r"foreign_?key|referential|references?\b|referenceconstraint", re.IGNORECASE)
_OFF = re.compile(r"_ENABLED\W+(?:<value>|value)?\W*false|enabled\W+false", re.IGNORECASE)
_ID_COLUMN = re.compile(rb"(.*[^_.-])[_.-]?(?:ids?|key|ref|fk)", re.IGNORECASE)


@rule(
    code="L31",
    name="full-scans",
    needs=("access",),
    thresholds={"rows": 100_000, "share": 0.01, "min_rows": 1000},
    reason="a filter does not shorten a scan: every row is still read",
    source="HBase guide, secondary indexes: filter query",
    remedy="pass start and stop, or a prefix; else add an index or a summary table",
)
def full_scans(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L31: an application scans whole tables.

    Based on scans without bounds, what each examines and how much of that it returns.
    """
    for read in table.use.reads:
        if read.kind != "scan" or read.bounded or not read.count:
            continue
        examined = read.rows_examined / read.count
        returned = read.rows_returned / read.rows_examined if read.rows_examined else 1.0
        if examined > limits["rows"] or (examined > limits["min_rows"] and returned < limits["share"]):
            message = f"{read.count:,} scans without bounds examined {examined:,.0f} rows each, returned {returned:.1%}"
            yield Found("warning", "", message)


@rule(
    code="L32",
    name="small-scan-caching",
    needs=("access",),
    thresholds={"caching": 10, "rows": 1000},
    reason="each fetch is a round trip to the server",
    source="HBase guide, scan caching",
    remedy="do not set caching, or set it to some hundreds",
)
def small_scan_caching(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L32: a scan fetches few rows at a time.

    Based on the rows that scans ask for at a time, and how many they get in all.
    """
    for read in table.use.reads:
        rows = read.rows_returned / max(read.count, 1)
        if read.kind == "scan" and 0 < read.caching < limits["caching"] and rows > limits["rows"]:
            message = f"scans fetch {read.caching} row(s) at a time and return {rows:,.0f}"
            yield Found("info", "", message)


@rule(
    code="L33",
    name="huge-multi",
    needs=("access",),
    thresholds={"actions": 5000},
    reason="the server keeps all of its rows in memory, and may refuse it",
    source="hbase.rpc.rows.warning.threshold",
    remedy="use table.batch(), which limits a call by size",
)
def huge_multi(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L33: requests with very many actions.

    Based on the largest request that was counted.
    """
    largest = table.use.largest_multi
    if largest > limits["actions"]:
        yield Found("warning", "", f"a request had {largest:,} actions, over {limits['actions']:,.0f}")


@rule(
    code="L39",
    name="skip-wal",
    thresholds={"writes": 0},
    reason="unlogged writes are lost if the server dies before its flush",
    source="HBase guide, deferred log flush and turning off the WAL",
    remedy="use ASYNC_WAL, or a bulk load (rowstone.hfile.write, admin.tables.bulk_load)",
)
def skip_wal(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L39: writes that a crash may lose.

    Based on the table's DURABILITY, and by what was written so.
    """
    if table.attributes.get("DURABILITY", "").upper() == "SKIP_WAL":
        yield Found("error", "", "DURABILITY is SKIP_WAL")
    elif table.use.skip_wal_writes > limits["writes"]:
        yield Found("error", "", f"{table.use.skip_wal_writes:,} writes skipped the log")


@rule(
    code="L44",
    name="referential-integrity",
    reason="each put first reads a row of another table",
    source="HBase guide, constraints: referential integrity is strongly discouraged",
    remedy="check references in a separate job, or store the referenced data in the row",
)
def referential_integrity(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L44: a constraint keeps references whole.

    Based on the constraints in the table's description: HBase keeps them as ``constraint $CLASS``.
    """
    for key, value in {**table.attributes, **table.configuration}.items():
        is_reference = _CONSTRAINT.match(key) and _REFERENCE.search(f"{key} {value}")
        if is_reference and not _OFF.search(value):
            yield Found("warning", "", f"{key} checks a reference with each write")


def _names(qualifier: bytes) -> Iterator[str]:
    """Table names that a column of ids may refer to."""
    if match := _ID_COLUMN.fullmatch(qualifier):
        stem = match.group(1).decode(errors="replace").lower()
        yield from (stem, f"{stem}s", f"{stem}es")
        if stem.endswith("y"):
            yield f"{stem[:-1]}ies"


@rule(
    code="L46",
    name="tables-joined-by-ids",
    needs=("data",),
    thresholds={"columns": 0},
    reason="there are no joins: reading from several tables takes a call for each, and is not atomic",
    source="HBase basics: do not imitate relational design",
    remedy="store data that is read together in one row, duplicated if necessary; or join in the application",
)
def tables_joined_by_ids(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L46: a table for each entity, joined by ids.

    Based on columns of the sample named after another table: ``user_id`` next to a table ``users``.
    """
    others = {name.rpartition(":")[2].lower(): name for name in reversed(table.others)}
    found: dict[str, str] = {}
    for family, cells in table.data.by_family.items():
        for qualifier in {cell.qualifier for cell in cells}:
            for other in filter(None, map(others.get, _names(qualifier))):
                found[f"{printable(family)}:{printable(qualifier)}"] = other
    if len(found) > limits["columns"]:
        columns, tables = ", ".join(sorted(found)), ", ".join(sorted(set(found.values())))
        yield Found("info", "", f"columns that are called as ids of other tables: {columns} (of {tables})")
