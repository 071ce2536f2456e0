"""L09: decimal numbers in keys have different lengths."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from rowstone._printable import printable
from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts

_DIGITS = re.compile(rb"[0-9]+")


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By keys that differ in nothing but their numbers, where such are most of the sample.

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


RULE = Rule(
    code="L09",
    name="unpadded-numbers",
    needs=("data",),
    thresholds={"share": 0.5, "keys": 10},
    reason="keys sort as bytes, so that ranges of numbers are no ranges of rows",
    source="HBase basics: pad with zeros on the left; Bigtable, row keys",
    remedy="pad to the largest length with zeros, or store numbers as 8 bytes",
    check=check,
)
