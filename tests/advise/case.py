"""A table on which a rule is tried: schema, data, use and settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import rowstone as rs
from rowstone.schema.advise import Access, Report, advise

NOW_MS = 1_700_000_000_000
DAY_MS = 86_400_000

QUIET: dict[str, Any] = {"rowstone.compaction.background": False, "hbase.table.sanity.checks": False}

Put = tuple[str | bytes, Mapping[str, str | bytes], int]
"""Row, values by column, timestamp."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One table `t`. `limits` are thresholds of the rule that is tried; `plans` what the owner says of the table.

    `others` are more tables.
    """

    families: Mapping[str, Any] = field(default_factory=lambda: {"f": {}})
    puts: Iterable[Put] = ()
    deletes: Iterable[tuple[str, str, int]] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    splits: Iterable[str] = ()
    flushes: int = 0
    access: Access | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    plans: Mapping[str, Any] = field(default_factory=dict)
    others: Iterable[str] = ()


def report_on(case: Case, code: str, configuration: Mapping[str, Any] | None = None) -> Report:
    """The advisor's report on the table."""
    with rs.connect(":memory:", configuration={**QUIET, **(configuration or {})}) as db:
        db.create_table("t", case.families, attributes=case.attributes, splits=list(case.splits))
        for other in case.others:
            db.create_table(other, ["f"])
        table = db.table("t")
        for row, values, timestamp in case.puts:
            table.put(row, values, timestamp=timestamp)
        for row, column, timestamp in case.deletes:
            table.delete(row, [column], timestamp=timestamp)
        for turn in range(case.flushes):
            if turn:
                table.put(f"flush {turn}", dict.fromkeys((f"{name}:q" for name in case.families), "value"))
            db.admin.flush("t")
        settings = {"rules": {code: dict(case.limits)}, "tables": {"t": dict(case.plans)}}
        access = {"t": case.access} if case.access else None
        return advise(db, settings=settings, access=access, now_ms=NOW_MS)


def puts(rows: int, **values: str | bytes) -> list[Put]:
    """Rows `row000`, …, all of them with the same values, in family `f` where no family is named."""
    columns = {name.replace("_", ":") if "_" in name else f"f:{name}": value for name, value in values.items()}
    return [(f"row{number:03}", columns, NOW_MS) for number in range(rows)]
