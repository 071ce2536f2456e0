"""L23: a put and a delete of one cell in the same millisecond."""

from collections.abc import Iterable

from rowstone._printable import printable
from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, row_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By markers and cells that lie together in the files. With NEW_VERSION_BEHAVIOR the order of writes decides."""
    by_order = {name for name, family in table.families.items() if family.new_version_behavior}
    clashes = [clash for clash in table.data.clashes if clash[1].partition(b":")[0] not in by_order]
    if len(clashes) > limits["cells"]:
        row, column = clashes[0]
        message = f"{len(clashes):,} cells were put and deleted in one millisecond, such as {printable(column)}"
        yield Found("warning", row_place(row), message)


RULE = Rule(
    code="L23",
    name="put-and-delete-at-once",
    needs=("data",),
    thresholds={"cells": 0},
    reason="at equal timestamps the delete wins, also over a put that came later",
    source="HBase guide, deletes mask puts",
    remedy="write the new value without a delete before it, or wait a millisecond",
    check=check,
)
