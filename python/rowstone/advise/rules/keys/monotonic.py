"""L07: new rows come in the order of their keys."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts


def in_order_of_writing(table: TableFacts) -> list[bytes]:
    """The keys in the order in which they came: as counted, or by the oldest timestamp of each sampled row.

    Of rows with one timestamp nobody knows which came first; of each such group the first key stands for all.
    """
    if len(table.use.new_keys) > 1:
        return list(table.use.new_keys)
    first_keys: dict[int, bytes] = {}
    for row in table.data.rows:
        if row.cells:
            first_keys.setdefault(min(cell.timestamp for cell in row.cells), row.key)
    return [first_keys[timestamp] for timestamp in sorted(first_keys)]


def share_in_order(keys: Sequence[bytes]) -> tuple[float, str]:
    """Which share of the steps from a key to the next go the same way, and which way.

    >>> share_in_order([b"a", b"b", b"c", b"a"])
    (0.6666666666666666, 'increase')
    """
    steps = [later > earlier for earlier, later in pairwise(keys) if later != earlier]
    up = sum(steps) / len(steps) if steps else 0.0
    return (up, "increase") if up >= 0.5 else (1 - up, "decrease")


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the share of consecutive new keys that increase, or decrease."""
    keys = in_order_of_writing(table)
    share, way = share_in_order(keys)
    if len(keys) >= limits["keys"] and share >= limits["share"]:
        yield Found(
            "error", "", f"{share:.0%} of {len(keys):,} consecutive new keys {way}: one region takes all writes"
        )


RULE = Rule(
    code="L07",
    name="monotonic-keys",
    needs=("data", "access"),
    any_of_needs=True,
    thresholds={"share": 0.95, "keys": 30},
    reason="all clients write to one region, then all to the next; further servers do not help",
    source="HBase guide, monotonically increasing row keys/timeseries data; Bigtable, row keys to avoid",
    remedy="lead with what differs between writers (host, user, metric), or with a salt or hash",
    check=check,
)
