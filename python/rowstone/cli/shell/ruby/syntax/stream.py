"""Token stream shared by both halves of the parser, with visible variables and parse errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rowstone.cli.shell.errors import BeyondSubset, Incomplete, SyntaxMistake
from rowstone.cli.shell.ruby.syntax.tokens import Token

_SHOWN = {"end": "end-of-file", "newline": "end of line", "label": "key"}

MOST_NESTED = 100
"""Maximum depth of brackets and blocks in a statement."""


class TokenStream:
    """The tokens of a script, read one after the other."""

    def __init__(self, tokens: Sequence[Token], names: set[str]) -> None:
        self._tokens = tokens
        self._place = 0
        self._names = names
        self._no_do = 0
        self._nested = 0

    @property
    def _token(self) -> Token:
        return self._tokens[self._place]

    def _peek(self, distance: int = 1) -> Token:
        return self._tokens[min(self._place + distance, len(self._tokens) - 1)]

    def _next(self) -> Token:
        token = self._token
        if token.kind == "end":
            raise Incomplete
        if token.kind == "error":
            raise SyntaxMistake(token.value, token.line)
        self._place += 1
        return token

    def _take(self, *values: str) -> Token | None:
        """Consume and return the next token if it is one of these operators."""
        token = self._token
        if token.is_operator(*values):
            self._place += 1
            return token
        return None

    def _take_keyword(self, *values: str) -> Token | None:
        token = self._token
        if token.is_keyword(*values):
            self._place += 1
            return token
        return None

    def _need(self, value: str) -> None:
        """Consume a required operator, skipping newlines before it."""
        self._skip_newlines()
        if not self._take(value):
            raise self._unexpected()

    def _need_keyword(self, value: str) -> None:
        if not self._take_keyword(value):
            raise self._unexpected()

    def _skip_newlines(self) -> None:
        while self._token.kind == "newline":
            self._place += 1

    def _skip_separators(self) -> None:
        while self._token.kind == "newline" or self._token.is_operator(";"):
            self._place += 1

    def _unexpected(self) -> SyntaxMistake | Incomplete:
        token = self._token
        if token.kind == "end":
            return Incomplete()
        if token.kind == "error":
            return SyntaxMistake(token.value, token.line)
        shown = _SHOWN.get(token.kind)
        if shown is None:
            value = token.value
            texts = value if isinstance(value, tuple) else (value,)
            shown = repr(next((str(text) for text in texts if not isinstance(text, tuple)), "..."))
        return SyntaxMistake(f"syntax error, unexpected {shown}", token.line)

    def _beyond(self, token: Token, construct: str | None = None) -> BeyondSubset:
        return BeyondSubset(construct or f"'{token.value}'", token.line)

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        """Enter one more level. Raises `SyntaxMistake` if it is too deep."""
        if self._nested >= MOST_NESTED:
            raise SyntaxMistake(f"syntax error, more than {MOST_NESTED} levels of nesting", self._token.line)
        self._nested += 1
        try:
            yield
        finally:
            self._nested -= 1

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """Parse inside brackets or a block, where a ``do`` again belongs to a call."""
        outer, self._no_do = self._no_do, 0
        try:
            with self._deeper():
                yield
        finally:
            self._no_do = outer

    @contextmanager
    def _without_do(self) -> Iterator[None]:
        """Parse where ``do`` belongs to the text before it: a command with arguments, or a loop."""
        self._no_do += 1
        try:
            yield
        finally:
            self._no_do -= 1

    @contextmanager
    def _scope(self, *, is_method: bool = False) -> Iterator[None]:
        """Open a scope: variables assigned inside end with it; a method does not see those outside."""
        outer = self._names
        self._names = set() if is_method else set(outer)
        try:
            yield
        finally:
            self._names = outer
