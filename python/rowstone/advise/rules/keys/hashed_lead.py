"""L42: keys begin with a hash, and scans look for something else."""

import re
from collections.abc import Iterable, Sequence

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts

_UUID = re.compile(rb"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-")
_HEX = re.compile(rb"[0-9a-f]{16,}|[0-9A-F]{16,}")


def lead_of(keys: Sequence[bytes]) -> str | None:
    """What the keys begin with: ``"UUIDs"``, ``"hex hashes"``, ``"random bytes"``; None for anything else.

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


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By what the sampled keys begin with, and how many rows scans examined for each that they returned."""
    lead = lead_of([row.key for row in table.data.rows])
    scans = [read for read in table.use.reads if read.kind == "scan"]
    examined, returned = sum(read.rows_examined for read in scans), sum(read.rows_returned for read in scans)
    if lead and examined > limits["ratio"] * max(returned, 1):
        message = f"keys begin with {lead}, and scans examined {examined:,} rows to return {returned:,}"
        yield Found("warning", "", message)


RULE = Rule(
    code="L42",
    name="scans-over-hashed-keys",
    needs=("data", "access"),
    thresholds={"ratio": 100},
    reason="a hash spreads writes and leaves nothing to scan a range of",
    source="reference card: random keys are fastest to write and know no range scans",
    remedy="keep an index table keyed by what is looked for, or lead with it and a few salts",
    check=check,
)
