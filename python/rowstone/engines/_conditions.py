"""Conditions as text, in a subset of SQL: ``age >= 18 and town in ('Oslo', 'Rome') and name like 'a%'``.

| form | examples |
|---|---|
| comparisons of a column with a literal | ``age >= 18``, ``'Oslo' = town``, ``age between 18 and 65`` |
| lists, prefixes, nulls | ``town in ('Oslo', null)``, ``name like 'a%'``, ``startswith(row, x'00')``, ``age is null`` |
| joined | ``and``, ``or``, ``not``, parentheses |
| for all rows, for none | ``true``, ``false`` |
| names | ``age``, ``f:age``, `` `first name` ``, ``"first name"`` |
| literals | ``5``, ``-2.5``, ``'it''s'``, ``x'00ff'``, ``true`` |
| | ``timestamp '2026-01-01T00:00Z'``, ``decimal '1'``, ``float 'inf'`` |
"""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Callable
from typing import Any

from rowstone.engines._predicate import And, Compare, In, IsNull, Not, Numeral, Or, Predicate, StartsWith
from rowstone.errors import InvalidArgument

MOST_CHARACTERS = 1_000_000

_TOKEN = re.compile(
    r"\s*(?:(?P<string>'(?:[^']|'')*')|(?P<name>`(?:[^`]|``)+`|\"(?:[^\"]|\"\")+\")|(?P<word>[^\W\d][\w:.]*)"
    r"|(?P<number>-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<sign><=|>=|<>|!=|==|[=<>(),]))"
)
_OPERATORS: dict[str, Any] = {
    "=": "==", "==": "==", "<>": "!=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
}  # fmt: skip
_MIRRORED: dict[str, Any] = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_CONSTANTS = {"true": True, "false": False, "null": None, "nan": float("nan")}
_TYPED: dict[str, Callable[[str], Any]] = {
    "x": bytes.fromhex,
    "timestamp": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
    "decimal": decimal.Decimal,
    "float": float,
}


def condition(given: Predicate | str | None) -> Predicate | None:
    """Return a predicate; a text is parsed.

    Raises:
        InvalidArgument: The text is not a condition; the message says where.

    Example:
        >>> condition("age >= 18 and town is not null")
        ... # doctest: +NORMALIZE_WHITESPACE
        And(parts=(Compare(column='age', operator='>=', value=18), Not(part=IsNull(column='town'))))
    """
    return _Parser(given).whole() if isinstance(given, str) else given


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_CHARACTERS:
            raise InvalidArgument(f"the condition has {len(text)} characters; the limit is {MOST_CHARACTERS}")
        self._text = text
        self._place = 0
        self._kind, self._token = "", ""
        self._next()

    def whole(self) -> Predicate:
        try:
            found = self._or()
        except RecursionError:
            raise InvalidArgument("the condition has too many parentheses within each other") from None
        if self._kind:
            raise self._wrong("the end")
        return found

    def _next(self) -> None:
        rest = self._text[self._place :]
        found = _TOKEN.match(rest)
        if found is None and rest.strip():
            self._kind, self._token = "sign", rest.strip()[:1]
            raise self._wrong("a name, a literal or an operator")
        self._kind, self._token = (found.lastgroup or "", found.group(found.lastgroup or 0)) if found else ("", "")
        self._place += found.end() if found else len(rest)

    def _wrong(self, wanted: str) -> InvalidArgument:
        where = f"at {self._token!r}" if self._kind else "at its end"
        return InvalidArgument(f"condition {self._text!r} needs {wanted} {where}")

    def _is(self, *words: str) -> bool:
        """Whether the next token is one of the words or signs; then it is passed."""
        if self._kind in ("word", "sign") and self._token.lower() in words:
            self._next()
            return True
        return False

    def _need(self, word: str) -> None:
        if not self._is(word):
            raise self._wrong(repr(word))

    def _or(self) -> Predicate:
        parts = [self._and()]
        while self._is("or"):
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _and(self) -> Predicate:
        parts = [self._not()]
        while self._is("and"):
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _not(self) -> Predicate:
        if self._is("not"):
            return Not(self._not())
        if self._is("("):
            found = self._or()
            self._need(")")
            return found
        if self._is("startswith", "starts_with"):
            self._need("(")
            column = self._name()
            self._need(",")
            prefix = self._literal()
            self._need(")")
            return StartsWith(column, prefix)
        return self._test()

    def _test(self) -> Predicate:
        """A test of one column."""
        if self._is_literal():
            value = self._literal()
            if isinstance(value, bool) and self._token not in _OPERATORS:
                return And(()) if value else Or(())
            operator = _MIRRORED[self._operator()]
            return Compare(self._name(), operator, value)
        column = self._name()
        if self._is("is"):
            is_negated = self._is("not")
            self._need("null")
            return Not(IsNull(column)) if is_negated else IsNull(column)
        if self._is("not"):
            return Not(self._list_or_pattern(column))
        if self._token.lower() in ("in", "like", "between"):
            return self._list_or_pattern(column)
        return Compare(column, self._operator(), self._literal())

    def _list_or_pattern(self, column: str) -> Predicate:
        if self._is("in"):
            self._need("(")
            values = [self._literal()]
            while self._is(","):
                values.append(self._literal())
            self._need(")")
            return In(column, tuple(values))
        if self._is("between"):
            low = self._literal()
            self._need("and")
            return And((Compare(column, ">=", low), Compare(column, "<=", self._literal())))
        self._need("like")
        pattern = self._literal()
        if not isinstance(pattern, str) or not re.fullmatch(r"[^%_\\]*%", pattern):
            raise InvalidArgument(f"pattern {pattern!r} of column '{column}' is not a prefix: write 'prefix%'")
        return StartsWith(column, pattern[:-1])

    def _operator(self) -> Any:
        if self._token not in _OPERATORS:
            raise self._wrong("an operator")
        found = _OPERATORS[self._token]
        self._next()
        return found

    def _name(self) -> str:
        if self._kind == "name":
            mark = self._token[0]
            found = self._token[1:-1].replace(mark * 2, mark)
        elif self._kind == "word" and not self._is_literal():
            found = self._token
        else:
            raise self._wrong("a column")
        self._next()
        return found

    def _is_literal(self) -> bool:
        word = self._token.lower()
        is_typed = word in _TYPED and self._text[self._place :].lstrip().startswith("'")
        return self._kind in ("string", "number") or (self._kind == "word" and (word in _CONSTANTS or is_typed))

    def _literal(self) -> Any:
        if not self._is_literal():
            raise self._wrong("a literal")
        kind, token = self._kind, self._token
        self._next()
        if kind == "number":
            return _number(token)
        if kind == "string":
            return _unquoted(token)
        if token.lower() in _CONSTANTS:
            return _CONSTANTS[token.lower()]
        text = _unquoted(self._token)
        try:
            found = _TYPED[token.lower()](text)
        except (ValueError, ArithmeticError):
            raise InvalidArgument(f"{token} {text!r} is not valid in condition {self._text!r}") from None
        self._next()
        return found


def _number(token: str) -> int | float:
    if not re.fullmatch(r"-?\d+", token):
        found = Numeral(token)
        found.text = token
        return found
    try:
        return int(token)
    except ValueError:
        # Python's own limit.
        raise InvalidArgument(f"the condition has an integer of {len(token.lstrip('-')):,} digits") from None


def _unquoted(token: str) -> str:
    return token[1:-1].replace("''", "'")
