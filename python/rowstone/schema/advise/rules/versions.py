"""Rules about versions, timestamps and deletes."""

from collections.abc import Iterable

from rowstone._base.printable import printable
from rowstone._base.schema import whole_seconds
from rowstone._core.inspect.moments import stamp_text
from rowstone.schema.advise._rule import Found, Thresholds, level_of, rule
from rowstone.schema.advise._sample import percentile
from rowstone.schema.advise._table import TableFacts, family_place, row_place

_SHOWN_ROWS = 3


@rule(
    code="L12",
    name="too-many-versions",
    thresholds={"warning": 100, "error": 999},
    reason="versions of a cell are in one row, and a read skips those that it does not request",
    source="HBase guide, maximum number of versions: hundreds are not recommended",
    remedy="prefer rows: put the time into the row key (rows versus versions)",
)
def too_many_versions(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L12: a family keeps very many versions.

    Based on VERSIONS.
    """
    for name, family in table.families.items():
        if level := level_of(family.max_versions or 1, limits):
            message = f"VERSIONS is {family.max_versions:,}, over {limits[level]:g}"
            yield Found(level, family_place(name), message)


@rule(
    code="L13",
    name="unused-versions",
    needs=("data",),
    thresholds={"cells": 100},
    reason="the schema keeps a history that hardly any cell has",
    source="HBase guide, number of versions",
    remedy="set VERSIONS => 1, unless programs read the older versions of the few cells that have some",
)
def unused_versions(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L13: a family may have versions and has few or none.

    Based on how many versions 99 of 100 sampled columns of a row have at most. A sample may miss the others. The
    remedy is then to check rows that are written often.
    """
    for name, family in table.families.items():
        counts = table.data.versions.get(name, [])
        if (family.max_versions or 1) > 1 and len(counts) >= limits["cells"] and percentile(counts, 0.99) == 1:
            several = sum(count > 1 for count in counts)
            rows = f"{'all' if table.data.is_complete else 'a sample of'} {len(table.data.rows):,} rows"
            found = f"{several:,} of {len(counts):,} cells have several, in {rows}"
            message = f"VERSIONS is {family.max_versions:,}, but {found}"
            yield Found("info", family_place(name), message, "" if table.data.is_complete else _look_first(table))


def _look_first(table: TableFacts) -> str:
    """The remedy for a sample: it may have missed the rows with versions."""
    keys = [printable(row) for row in table.use.hot_rows[:_SHOWN_ROWS]]
    rows = f"rows that are written most, such as {', '.join(keys)}" if keys else "rows that are written often"
    return f"look at {rows}: the sample may have missed their versions"


@rule(
    code="L19",
    name="min-versions-without-ttl",
    reason="MIN_VERSIONS is the number of versions kept after the TTL; without a TTL it has no effect",
    source="HBase guide, minimum number of versions",
    remedy="set a TTL, or MIN_VERSIONS => 0",
)
def min_versions_without_ttl(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L19: MIN_VERSIONS without a time to live.

    Based on MIN_VERSIONS and TTL.
    """
    for name, family in table.families.items():
        if family.min_versions > 0 and family.ttl_seconds is None:
            message = f"MIN_VERSIONS is {family.min_versions}, and there is no TTL"
            yield Found("warning", family_place(name), message)


@rule(
    code="L20",
    name="min-versions-not-below-versions",
    reason="MIN_VERSIONS keeps as many as VERSIONS allows, so the TTL never removes any",
    source="HBase guide, minimum number of versions: must be less than the number of row versions",
    remedy="set MIN_VERSIONS below VERSIONS",
)
def min_versions_not_below_versions(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L20: MIN_VERSIONS is not below VERSIONS.

    Based on both numbers; HBase refuses a larger minimum unless its checks are off.
    """
    for name, family in table.families.items():
        least, most = family.min_versions, family.max_versions or 1
        if least > 0 and least >= most:
            level = "error" if least > most else "warning"
            yield Found(level, family_place(name), f"MIN_VERSIONS is {least}, VERSIONS {most}")


@rule(
    code="L21",
    name="explicit-timestamps-with-ttl",
    needs=("access",),
    thresholds={"gap_ms": 86_400_000},
    reason="a cell's age counts from its timestamp, not from the time of its write",
    source="HBase guide, versions: explicit timestamps and TTL",
    remedy="leave timestamps to the server, and store other times as values or in the key",
)
def explicit_timestamps_with_ttl(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L21: cells with a time of their own in a family whose cells expire.

    Based on how far explicit timestamps were from the time of the write, in families with a TTL.
    """
    for name, family in table.families.items():
        gap_ms = table.use.timestamp_gap_ms.get(name, 0)
        seconds = whole_seconds(family.ttl_seconds)
        if seconds is not None and gap_ms > limits["gap_ms"]:
            expired = "; beyond its TTL: it is written and never seen" if gap_ms > seconds * 1000 else ""
            message = f"a timestamp was {gap_ms:,} ms from the time of its write{expired}"
            yield Found("warning", family_place(name), message)


@rule(
    code="L22",
    name="future-timestamps",
    needs=("data",),
    thresholds={"ahead_ms": 3_600_000},
    reason="they hide all later puts with the current time",
    source="HBase guide, put: an explicit version",
    remedy="leave timestamps to the server; delete these cells by their version",
)
def future_timestamps(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L22: cells from the future.

    Based on the sampled cells that are newer than now, by more than clocks differ.
    """
    latest_ms = table.now_ms + limits["ahead_ms"]
    for family, cells in table.data.by_family.items():
        ahead = [cell.timestamp for cell in cells if cell.timestamp > latest_ms]
        if ahead:
            number = "1 cell has" if len(ahead) == 1 else f"{len(ahead):,} cells have"
            message = f"{number} a timestamp in the future, up to {stamp_text(max(ahead))}"
            yield Found("warning", family_place(family), message)


@rule(
    code="L23",
    name="put-and-delete-at-once",
    needs=("data",),
    thresholds={"cells": 0},
    reason="at equal timestamps the delete wins, even over a later put",
    source="HBase guide, deletes mask puts",
    remedy="write the new value without a preceding delete, or wait a millisecond",
)
def put_and_delete_at_once(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L23: a put and a delete of one cell in the same millisecond.

    Based on markers and cells that lie together in the files. With NEW_VERSION_BEHAVIOR the order of writes decides.
    """
    by_order = {name for name, family in table.families.items() if family.new_version_behavior}
    clashes = [clash for clash in table.data.clashes if clash[1].partition(b":")[0] not in by_order]
    if len(clashes) > limits["cells"]:
        row, column = clashes[0]
        message = f"{len(clashes):,} cells were put and deleted in one millisecond, such as {printable(column)}"
        yield Found("warning", row_place(row), message)


@rule(
    code="L24",
    name="kept-deletes-without-end",
    thresholds={"versions": 1000},
    reason="deleted cells are removed by age or by newer versions only, and neither applies here",
    source="HBase guide, keeping deleted cells",
    remedy="set a TTL, or limit VERSIONS",
)
def kept_deletes_without_end(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L24: nothing that is deleted ever goes.

    Based on KEEP_DELETED_CELLS without an end in time or number.
    """
    for name, family in table.families.items():
        is_kept = family.keep_deleted_cells.upper() == "TRUE"
        if is_kept and family.ttl_seconds is None and (family.max_versions or 1) > limits["versions"]:
            message = f"KEEP_DELETED_CELLS with VERSIONS {family.max_versions:,} and no TTL: it grows for ever"
            yield Found("warning", family_place(name), message)
