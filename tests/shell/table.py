"""The table of commands in `docs/shell.md`: `python -m tests.shell.table` writes it again."""

from __future__ import annotations

import re

from rowstone.shell import registry
from tests.python.structure import ROOT
from tests.shell.test_transcripts import recorded_uses

DOCUMENT = ROOT / "docs/shell.md"
BEGIN, END = "<!-- commands: begin -->\n", "<!-- commands: end -->\n"


def table() -> str:
    """A line for every command: its group, what it is on a directory and on a cluster, whether it was recorded."""
    compared = set(recorded_uses())
    lines = ["| group | command | directory | cluster | compared with HBase |", "|---|---|---|---|---|"]
    for group in registry.GROUPS:
        for name in sorted(group.commands):
            module = registry.module_of(name)
            was = "yes" if name in compared else "no recording"
            lines.append(f"| {group.name} | `{name}` | {module.ON_DIRECTORY} | {module.ON_CLUSTER} | {was} |")
    return "\n".join(lines) + "\n"


def in_document(text: str) -> str:
    """The document with the table as it is now."""
    return re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + table() + END, text, flags=re.DOTALL)


if __name__ == "__main__":
    DOCUMENT.write_text(in_document(DOCUMENT.read_text()))
