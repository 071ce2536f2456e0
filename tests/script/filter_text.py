r"""Filters in scripts: HBase's filter language, plus words for what that lacks (`ScriptFilters.java` says which).

    parse_filter("ValueFilter(=,'binary:x')")  ->  Node("ValueFilter", ("=", Compared("binary", b"x")))

Only what scripts write is understood: this is no judge of wrong texts. `\xNN` is a byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.script.text import to_bytes

_TOKEN = re.compile(r"\s*(?:'((?:[^']|'')*)'|([A-Za-z_]\w*)|(-?\d+)|(<=|>=|!=|[<>=])|([(),]))")
COMPARING = ("RowFilter", "FamilyFilter", "QualifierFilter", "ValueFilter")
OF_COLUMNS = (
    "ColumnValueFilter", "SingleColumnValueFilter", "SingleColumnValueExcludeFilter", "DependentColumnFilter",
)  # fmt: skip
ADDED = ("FuzzyRowFilter", "MultiRowRangeFilter", "RandomRowFilter", "FirstKeyValueMatchingQualifiersFilter",
         "HintingTimestampsFilter")  # fmt: skip
ADDED_COMPARATORS = ("long", "decimal", "bit", "null", "component", "regex")


@dataclass(frozen=True)
class Compared:
    """A comparator: its kind and the rest."""

    kind: str
    value: bytes


Argument = bytes | int | bool | str | Compared
"""Bytes, a number, true or false, an operator, a comparator."""


@dataclass(frozen=True)
class Node:
    """A filter by name with its arguments; or "AND", "OR", "SKIP", "WHILE" with filters."""

    name: str
    arguments: tuple[Argument | Node, ...]

    @property
    def filters(self) -> list[Node]:
        """The filters among the arguments."""
        return [argument for argument in self.arguments if isinstance(argument, Node)]

    @property
    def is_plain(self) -> bool:
        """Whether HBase's own language has words for it."""
        if self.name in ADDED or "NO_OP" in self.arguments:
            return False
        if self.name == "ColumnPaginationFilter" and isinstance(self.arguments[1], bytes):
            return False
        comparators = [argument for argument in self.arguments if isinstance(argument, Compared)]
        if any(comparator.kind in ADDED_COMPARATORS for comparator in comparators):
            return False
        return all(part.is_plain for part in self.filters)


def parse_filter(text: str) -> Node:
    """Parse a filter from text."""
    parser = _Parser(text)
    node = parser.alternatives()
    if parser.tokens:
        raise ValueError(f"after the filter there is {parser.tokens[0]}")
    return node


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        place = 0
        while place < len(text.rstrip()):
            match = _TOKEN.match(text, place)
            if match is None:
                raise ValueError(f"not a filter: {text[place:]!r}")
            kind = ("quoted", "word", "number", "operator", "sign")[(match.lastindex or 1) - 1]
            self.tokens.append((kind, match[match.lastindex or 1]))
            place = match.end()

    def _next_is(self, word: str) -> bool:
        return bool(self.tokens) and self.tokens[0][1] == word and self.tokens[0][0] != "quoted"

    def _take(self) -> tuple[str, str]:
        if not self.tokens:
            raise ValueError("the filter ends too early")
        return self.tokens.pop(0)

    def alternatives(self) -> Node:
        parts = [self.conjunction()]
        while self._next_is("OR"):
            self._take()
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else Node("OR", tuple(parts))

    def conjunction(self) -> Node:
        parts = [self.single()]
        while self._next_is("AND"):
            self._take()
            parts.append(self.single())
        return parts[0] if len(parts) == 1 else Node("AND", tuple(parts))

    def single(self) -> Node:
        if self._next_is("SKIP") or self._next_is("WHILE"):
            return Node(self._take()[1], (self.single(),))
        if self._next_is("("):
            self._take()
            inside = self.alternatives()
            self._take()
            return inside
        name = self._take()[1]
        self._take()
        arguments: list[Argument] = []
        while not self._next_is(")"):
            if self._next_is(","):
                self._take()
            else:
                arguments.append(_argument(*self._take()))
        self._take()
        return Node(name, tuple(_with_comparator(name, arguments)))


def _argument(kind: str, text: str) -> Argument:
    if kind == "quoted":
        return to_bytes(text.replace("''", "'")) if text else b""
    if kind == "number":
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    return text


def _with_comparator(name: str, arguments: list[Argument]) -> list[Argument]:
    place = 1 if name in COMPARING else 4 if name == "DependentColumnFilter" else 3
    if name not in (*COMPARING, *OF_COLUMNS) or len(arguments) <= place:
        return arguments
    written = arguments[place]
    assert isinstance(written, bytes)
    kind, _, value = written.partition(b":")
    return [*arguments[:place], Compared(kind.decode(), value), *arguments[place + 1 :]]
