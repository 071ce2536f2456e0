"""The tables of metrics in `docs/reference/metrics.md`: `python -m tests.dashboard.table` writes them again."""

from __future__ import annotations

import re
from itertools import groupby

from rowstone.server.dashboard.metrics._metric import Kind, Metric
from rowstone.server.dashboard.metrics._table import METRICS
from tests.python.structure import ROOT

DOCUMENT = ROOT / "docs/reference/metrics.md"
BEGIN, END = "<!-- metrics: begin -->\n", "<!-- metrics: end -->\n"


def tables() -> str:
    """For every bean the existing metrics with their meaning, then the missing ones with the reason."""
    return "\n".join(_bean(name, list(metrics)) for name, metrics in groupby(METRICS, lambda metric: metric.bean))


def _bean(name: str, metrics: list[Metric]) -> str:
    there = [metric for metric in metrics if metric.source is not None]
    lines = [f"### `{name}`", ""]
    if there:
        lines += ["| metric | kind | what it is here |", "|---|---|---|"]
        lines += [f"| `{one.name}` | {_kind(one)} | {one.says} |" for one in there]
        lines.append("")
    reasons: dict[str, list[str]] = {}
    for one in metrics:
        if one.source is None:
            reasons.setdefault(one.says, []).append(f"`{one.name}`")
    if reasons:
        lines += ["| missing | why |", "|---|---|"]
        lines += [f"| {', '.join(names)} | {reason} |" for reason, names in reasons.items()]
        lines.append("")
    return "\n".join(lines)


def _kind(metric: Metric) -> str:
    unit = {Kind.TIMES: ", ms", Kind.SIZES: ", bytes"}.get(metric.kind, "")
    return f"{str(metric.kind).split()[0]}{unit}"


def in_document(text: str) -> str:
    """The document with the tables as they are now."""
    return re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + tables() + END, text, flags=re.DOTALL)


if __name__ == "__main__":
    DOCUMENT.write_text(in_document(DOCUMENT.read_text()))
