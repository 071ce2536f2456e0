"""Rules about row keys."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rowstone._base.printable import printable
from rowstone._core.inspect.sampling import SampledRow
from rowstone.schema.advise._rule import Found, Thresholds, level_of, rule
from rowstone.schema.advise._sample import percentile
from rowstone.schema.advise._table import TableFacts, row_place

_DIGITS = re.compile(rb"[0-9]+")
_UUID = re.compile(rb"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-")
_HEX = re.compile(rb"[0-9a-f]{16,}|[0-9A-F]{16,}")


@rule(
    code="L05",
    name="long-row-keys",
    needs=("data",),
    thresholds={"info": 100, "warning": 400, "longest": 32_767},
    reason="the row key is stored with each cell of the row, and in the index of each file",
    source="HBase basics: 10 to 100 bytes; the warning is a tenth of Bigtable's 4 KB; HBase allows 32,767 bytes",
    remedy="replace long parts by hashes of fixed length, or by numbers from a lookup table",
)
def long_row_keys(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L05: row keys are long.

    Based on the middle length of the sampled keys, and the longest.
    """
    lengths = [len(row.key) for row in table.data.rows]
    middle, longest = percentile(lengths, 0.5), max(lengths)
    if longest > limits["longest"]:
        [key] = [row.key for row in table.data.rows if len(row.key) == longest][:1]
        yield Found("error", row_place(key), f"the key has {longest:,} bytes; the limit is {limits['longest']:,.0f}")
    elif level := level_of(middle, limits):
        yield Found(level, "", f"half of the row keys have {middle:,} bytes or more, over {limits[level]:g}")


def in_order_of_writing(table: TableFacts) -> list[bytes]:
    """The keys in write order: as counted, or by the oldest timestamp of each sampled row.

    The order of rows with equal timestamps is unknown, so each such group is represented by its first key. A batch is
    written region by region, in key order, whatever the order of its rows was. So the result is empty if most
    consecutive keys are in different regions.
    """
    if len(table.use.new_keys) > 1:
        return list(table.use.new_keys)
    first_rows: dict[int, SampledRow] = {}
    for row in table.data.rows:
        if row.cells:
            first_rows.setdefault(min(cell.timestamp for cell in row.cells), row)
    rows = [first_rows[timestamp] for timestamp in sorted(first_rows)]
    within_regions = sum(one.region == two.region for one, two in pairwise(rows))
    return [row.key for row in rows] if 2 * within_regions >= len(rows) - 1 else []


def share_in_order(keys: Sequence[bytes]) -> tuple[float, str]:
    """The share of steps between consecutive keys that go in the more frequent direction, and that direction.

    >>> share_in_order([b"a", b"b", b"c", b"a"])
    (0.6666666666666666, 'increase')
    """
    steps = [later > earlier for earlier, later in pairwise(keys) if later != earlier]
    up = sum(steps) / len(steps) if steps else 0.0
    return (up, "increase") if up >= 0.5 else (1 - up, "decrease")


@rule(
    code="L07",
    name="monotonic-keys",
    needs=("data", "access"),
    any_of_needs=True,
    thresholds={"share": 0.95, "keys": 30},
    reason="all clients write to one region, then all to the next; more servers do not help",
    source="HBase guide, monotonically increasing row keys/timeseries data; Bigtable, row keys to avoid",
    remedy="begin with a part that differs between writers (host, user, metric), or with a salt or hash",
)
def monotonic_keys(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L07: new rows come in the order of their keys.

    Based on the share of consecutive new keys that increase, or decrease.
    """
    keys = in_order_of_writing(table)
    share, way = share_in_order(keys)
    if len(keys) >= limits["keys"] and share >= limits["share"]:
        yield Found(
            "error", "", f"{share:.0%} of {len(keys):,} consecutive new keys {way}: one region takes all writes"
        )


@rule(
    code="L09",
    name="unpadded-numbers",
    needs=("data",),
    thresholds={"share": 0.5, "keys": 10},
    reason="keys sort as bytes, so a range of numbers is not a range of rows",
    source="HBase basics: pad with zeros on the left; Bigtable, row keys",
    remedy="pad to the largest length with zeros, or store numbers as 8 bytes",
)
def unpadded_numbers(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L09: decimal numbers in keys have different lengths.

    Based on keys that differ in nothing but their numbers, where such are most of the sample.

    Hashes in hex have digits, too, but few of them have the same letters.
    """
    by_shape: dict[bytes, list[bytes]] = defaultdict(list)
    for row in table.data.rows:
        by_shape[_DIGITS.sub(b"#", row.key)].append(row.key)
    shape, keys = max(by_shape.items(), key=lambda item: len(item[1]))
    if b"#" not in shape or len(keys) < limits["keys"] or len(keys) < limits["share"] * len(table.data.rows):
        return
    for place, numbers in enumerate(zip(*map(_DIGITS.findall, keys), strict=True), 1):
        lengths = Counter(map(len, numbers))
        if len(lengths) > 1:
            least, most = min(lengths), max(lengths)
            message = f"number {place} of keys like {printable(shape[:40])} has {least} to {most} digits"
            yield Found("warning", "", f"{message}: 10 sorts before 9")


def lead_of(keys: Sequence[bytes]) -> str | None:
    """The kind of prefix of the keys: ``"UUIDs"``, ``"hex hashes"``, ``"random bytes"``; None for anything else.

    >>> lead_of([b"123e4567-e89b-12d3-a456-426614174000"]), lead_of([b"user1"])
    ('UUIDs', None)
    """
    if all(_UUID.match(key) for key in keys):
        return "UUIDs"
    if all(_HEX.match(key) and not key[:16].isdigit() for key in keys):
        return "hex hashes"
    leads = {key[:4] for key in keys}
    high = sum(key[:1] >= b"\x80" for key in keys) / len(keys)
    if len(leads) > 0.95 * len(keys) and len(keys) >= 20 and 0.25 < high < 0.75:
        return "random bytes"
    return None


@rule(
    code="L42",
    name="scans-over-hashed-keys",
    needs=("data", "access"),
    thresholds={"ratio": 100},
    reason="a hash spreads writes, but leaves no ranges to scan",
    source="reference card: random keys are fastest to write and do not allow range scans",
    remedy="add an index table keyed by the searched value, or begin the key with a few salts and that value",
)
def scans_over_hashed_keys(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L42: keys begin with a hash, and scans look for something else.

    Based on what the sampled keys begin with, and how many rows scans examined for each that they returned.
    """
    lead = lead_of([row.key for row in table.data.rows])
    scans = [read for read in table.use.reads if read.kind == "scan"]
    examined, returned = sum(read.rows_examined for read in scans), sum(read.rows_returned for read in scans)
    if lead and examined > limits["ratio"] * max(returned, 1):
        message = f"keys begin with {lead}, and scans examined {examined:,} rows to return {returned:,}"
        yield Found("warning", "", message)


@rule(
    code="L43",
    name="many-buckets",
    thresholds={"buckets": 100, "per_region": 4},
    reason="reading a range takes a scan for each bucket, and more buckets than regions do not speed up writes",
    source="HBase guide, timeseries: 100 buckets are 100 scans",
    remedy="use as many buckets as regions, with a region for each",
)
def many_buckets(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L43: a salted key has more buckets than its regions need.

    Based on the planned ``buckets`` of the settings.
    """
    buckets = table.plans.buckets
    if buckets > limits["buckets"]:
        yield Found("warning", "", f"{buckets} buckets, over {limits['buckets']:g}: each range read is as many scans")
    elif buckets > limits["per_region"] * table.regions:
        message = f"{buckets} buckets for {table.regions} region(s), over {limits['per_region']:g} for each"
        yield Found("warning", "", message)


@rule(
    code="L45",
    name="unneeded-key-part",
    needs=("queries",),
    reason="the row key is stored with each cell of the row; a query without the leading part is a full scan",
    source="HBase guide, row key length: as short as is still useful for the access path",
    remedy="remove the part from the key, or put it last if it is needed to make keys unique",
)
def unneeded_key_part(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L45: the row key has parts that no query needs.

    Based on the ``key`` and the ``queries`` of the settings: each query names the parts that it gives values for.
    """
    plans = table.plans
    needed = {part for query in plans.queries for part in query}
    if unneeded := [part for part in plans.key if part not in needed]:
        parts, count = ", ".join(unneeded), len(plans.queries)
        yield Found("info", "", f"key of {', '.join(plans.key)}: none of the {count} declared queries needs {parts}")
