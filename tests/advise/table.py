"""The table of rules in `docs/how-to/advise.md`: `python -m tests.advise.table` writes it again."""

from __future__ import annotations

import re

from rowstone.schema.advise import Rule, rules
from tests.python.structure import ROOT

DOCUMENT = ROOT / "docs/how-to/advise.md"
BEGIN, END = "<!-- rules: begin -->\n", "<!-- rules: end -->\n"
TOPICS = {
    "families": "Families",
    "keys": "Row keys",
    "values": "Values, qualifiers, rows",
    "versions": "Versions, timestamps, deletes",
    "regions": "Regions",
    "storage": "Files and cache",
    "access": "Reading and writing",
}
"""Modules of rules, in the order of the document."""


def table() -> str:
    """Build a table per topic: code and name, question, thresholds, inspected data, reason, advice, source."""
    lines: list[str] = []
    for module, title in TOPICS.items():
        lines += [
            f"### {title}",
            "",
            "| rule | thresholds | needs | why | remedy | source |",
            "|---|---|---|---|---|---|",
        ]
        lines += [_line(rule) for rule in rules() if rule.check.__module__.split(".")[-1] == module]
        lines.append("")
    return "\n".join(lines)


def _line(rule: Rule) -> str:
    thresholds = ", ".join(f"{name} {_number(value)}" for name, value in rule.thresholds.items())
    needs = (" or " if rule.any_of_needs else " and ").join(("schema", *rule.needs) if not rule.needs else rule.needs)
    parts = (f"{rule.code} `{rule.name}`", thresholds, needs, rule.reason, rule.remedy, rule.source)
    return "| " + " | ".join(part.replace("|", "\\|") for part in parts) + " |"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"


def in_document(text: str) -> str:
    """The document with the table as it is now."""
    return re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + table() + END, text, flags=re.DOTALL)


if __name__ == "__main__":
    DOCUMENT.write_text(in_document(DOCUMENT.read_text()))
