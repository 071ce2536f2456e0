"""Tables of commands and methods in `docs/reference/shell.md`: `python -m tests.shell.table` writes them again."""

from __future__ import annotations

import re

from rowstone.cli.shell import registry
from rowstone.cli.shell.ruby.kernel import KERNEL
from rowstone.cli.shell.ruby.methods import table_of
from rowstone.cli.shell.ruby.methods.general import OBJECT
from rowstone.cli.shell.ruby.values.objects import ClassReference, ErrorObject, Hash, MatchData, Moment, Proc, Range
from rowstone.cli.shell.ruby.values.regexes import regex
from rowstone.cli.shell.values import Symbol
from tests.python.structure import ROOT
from tests.shell.test_transcripts import recorded_uses

DOCUMENT = ROOT / "docs/reference/shell.md"
BEGIN, END = "<!-- commands: begin -->\n", "<!-- commands: end -->\n"
METHODS_BEGIN, METHODS_END = "<!-- methods: begin -->\n", "<!-- methods: end -->\n"


def table() -> str:
    """A line for every command: its group, what it is on a directory and on a cluster, whether it was recorded."""
    compared = set(recorded_uses())
    lines = ["| group | command | directory | cluster | compared with HBase |", "|---|---|---|---|---|"]
    for group in registry.GROUPS:
        for name in sorted(group.commands):
            command = registry.find(name)
            was = "yes" if name in compared else "no recording"
            lines.append(f"| {group.name} | `{name}` | {command.on_directory} | {command.on_cluster} | {was} |")
    return "\n".join(lines) + "\n"


_EMPTY_MATCH = re.compile("").search("")
assert _EMPTY_MATCH is not None

_VALUES: tuple[tuple[str, object], ...] = (
    ("text", ""), ("symbol", Symbol("a")), ("number", 1), ("array", []), ("hash", Hash()),
    ("range", Range(1, 2, False)), ("regular expression", regex("")), ("`MatchData`", MatchData(_EMPTY_MATCH)),
    ("`Time`", Moment(0)), ("block, lambda", Proc(None, None)), ("error", ErrorObject("", "")),
    ("class", ClassReference("String")),
)  # fmt: skip


def methods() -> str:
    """A line for every kind of value: what a script can call on it."""
    lines = ["| of | methods |", "|---|---|", f"| nothing | {_listed(KERNEL.names() - OBJECT.names())} |"]
    lines += [f"| every value | {_listed(OBJECT.names())} |"]
    lines += [f"| {kind} | {_listed(table_of(value).names() - OBJECT.names())} |" for kind, value in _VALUES]
    return "\n".join(lines) + "\n"


def _listed(names: set[str]) -> str:
    """Ruby's names; those of Java are left out."""
    shown = sorted(name for name in names if not name.startswith("__") and not re.search("[a-z][A-Z]", name))
    return " ".join(f"`{name}`" for name in shown).replace("|", "\\|")


def in_document(text: str) -> str:
    """The document with the tables as they are now."""
    return _replaced(_replaced(text, BEGIN, END, table()), METHODS_BEGIN, METHODS_END, methods())


def _replaced(text: str, begin: str, end: str, found: str) -> str:
    inside = re.escape(begin) + ".*?" + re.escape(end)
    return re.sub(inside, lambda _: begin + found + end, text, flags=re.DOTALL)


if __name__ == "__main__":
    DOCUMENT.write_text(in_document(DOCUMENT.read_text()))
