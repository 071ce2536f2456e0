"""Tokens of a script, and detection of unfinished statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


KEYWORDS = words(
    "BEGIN END __FILE__ __LINE__ alias and begin break case class def defined? do else elsif end ensure false for if in"
    " module next nil not or redo rescue retry return self super then true undef unless until when while yield"
)

_OPENS_BLOCK = words("begin case class def do for if module unless until while")
_MODIFIERS = words("if unless until while")
_LOOPS = words("for until while")

_VALUE_KINDS = words("constant global identifier instance number regex string symbol words")
_VALUE_KEYWORDS = words("__FILE__ __LINE__ end false nil redo retry self true")
_JUMPS = words("break next return super yield")
_MAY_TAKE_A_VALUE = _JUMPS | {"rescue"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_NEVER_CONTINUE = ("begin", "else")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a script.

    ``kind`` is ``identifier``, ``constant``, ``instance``, ``global``, ``keyword``, ``label`` (``name:``), ``number``,
    ``string``, ``symbol``, ``words``, ``regex``, ``operator``, ``newline``, ``end``, or ``error`` where no token
    begins: then ``value`` is the message. ``value`` of a string, symbol or regex is a tuple of `str` and, for
    ``#{...}``, of tuples of tokens. ``spaced`` says that a blank stands before it, ``before_space`` that one follows.
    """

    kind: str
    value: Any
    line: int
    spaced: bool = False
    before_space: bool = False
    flags: str = ""

    def is_operator(self, *values: str) -> bool:
        """Whether it is one of these operators or brackets."""
        return self.kind == "operator" and self.value in values

    def is_keyword(self, *values: str) -> bool:
        """Whether it is one of these keywords."""
        return self.kind == "keyword" and self.value in values

    def ends_value(self) -> bool:
        """Whether a value may end here, so that what follows is an operator, not the beginning of another value."""
        if self.kind == "keyword":
            return self.value in _VALUE_KEYWORDS
        return self.kind in _VALUE_KINDS or self.is_operator(")", "]", "}")


@dataclass(frozen=True, slots=True)
class Progress:
    """Completeness of a script, as ``irb`` counts: open brackets and blocks, and whether the line continues."""

    depth: int
    continues: bool

    @property
    def is_complete(self) -> bool:
        """Whether the statement is complete."""
        return self.depth == 0 and not self.continues


def progress_of(tokens: Sequence[Token]) -> Progress:
    """Compute the completeness of these tokens.

    An unmatched closing bracket is left to the parser: it must not end the block around it.
    """
    blocks: list[str] = []
    loops = 0
    previous: Token | None = None
    continues = False
    for token in tokens:
        if token.kind in ("newline", "end"):
            if previous is not None:
                continues = _goes_on_after(previous)
            previous, loops = None, 0
            continue
        if token.is_operator("(", "[", "{"):
            blocks.append(_CLOSING[token.value])
        elif token.is_operator(")", "]", "}"):
            if blocks and blocks[-1] == token.value:
                blocks.pop()
        elif token.kind == "keyword" and not (previous is not None and previous.is_operator(".", "&.", "::")):
            loops = _enter_or_leave(blocks, token, previous, loops)
        previous = token
    return Progress(len(blocks), continues)


def _enter_or_leave(blocks: list[str], token: Token, previous: Token | None, loops: int) -> int:
    """Count a keyword among the open ``blocks``; return the number of loops whose ``do`` is still to come."""
    if token.value == "end":
        if "end" in blocks:
            while blocks.pop() != "end":
                pass
        return loops
    if token.value not in _OPENS_BLOCK:
        return loops
    if token.value == "do" and loops:
        return loops - 1
    if token.value in _MODIFIERS and previous is not None and (previous.ends_value() or previous.is_keyword(*_JUMPS)):
        return loops
    blocks.append("end")
    return loops + (token.value in _LOOPS)


def _goes_on_after(token: Token) -> bool:
    if token.is_operator(";") or token.is_keyword(*_NEVER_CONTINUE):
        return False
    if token.kind == "keyword":
        return token.value not in _VALUE_KEYWORDS and token.value not in _MAY_TAKE_A_VALUE
    if token.kind == "operator":
        return not token.is_operator(")", "]", "}")
    return token.kind == "label"
