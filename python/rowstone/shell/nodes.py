"""What the parser makes of a line: expressions of the part of Ruby that HBase's shell is used with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Node = Any
"""One of the classes of this module."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as it stands: text, number, symbol, ``true``, ``false``, ``nil``."""

    value: Any


@dataclass(frozen=True, slots=True)
class Interpolated:
    """Text in double quotes with expressions in it."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Array:
    """``[a, b]``"""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Hash:
    """``{a => b}``, with braces or, at the end of a call, without."""

    pairs: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A word that is a variable or a command without arguments."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A word that begins with a capital."""

    name: str


@dataclass(frozen=True, slots=True)
class Scoped:
    """``target::Name``"""

    target: Node
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    """A command, or with a ``target`` a method."""

    target: Node | None
    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Index:
    """``target[key]``"""

    target: Node
    key: Node


@dataclass(frozen=True, slots=True)
class Assign:
    """``a = value``, ``a, b = 1, 2``; ``operator`` is that of ``a += 1``."""

    names: tuple[str, ...]
    value: Node
    operator: str | None = None


@dataclass(frozen=True, slots=True)
class Binary:
    """``left operator right``"""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Unary:
    """``-x`` and ``!x``."""

    operator: str
    operand: Node
