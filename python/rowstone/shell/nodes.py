"""What the parser makes of a line: expressions of the part of Ruby that HBase's shell is used with.

Nobody compares or prints nodes, and classes without what does are imported four times as fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Node = Any
"""One of the classes of this module."""


@dataclass(eq=False, repr=False)
class Literal:
    """A value as it stands: text, number, symbol, ``true``, ``false``, ``nil``."""

    value: Any


@dataclass(eq=False, repr=False)
class Interpolated:
    """Text in double quotes with expressions in it."""

    parts: tuple[Node, ...]


@dataclass(eq=False, repr=False)
class Array:
    """``[a, b]``"""

    items: tuple[Node, ...]


@dataclass(eq=False, repr=False)
class Hash:
    """``{a => b}``, with braces or, at the end of a call, without."""

    pairs: tuple[tuple[Node, Node], ...]


@dataclass(eq=False, repr=False)
class Name:
    """A word that is a variable or a command without arguments."""

    name: str


@dataclass(eq=False, repr=False)
class Constant:
    """A word that begins with a capital."""

    name: str


@dataclass(eq=False, repr=False)
class Scoped:
    """``target::Name``"""

    target: Node
    name: str


@dataclass(eq=False, repr=False)
class Call:
    """A command, or with a ``target`` a method."""

    target: Node | None
    name: str
    arguments: tuple[Node, ...]


@dataclass(eq=False, repr=False)
class Index:
    """``target[key]``"""

    target: Node
    key: Node


@dataclass(eq=False, repr=False)
class Assign:
    """``a = value``, ``a, b = 1, 2``; ``operator`` is that of ``a += 1``."""

    names: tuple[str, ...]
    value: Node
    operator: str | None = None


@dataclass(eq=False, repr=False)
class Binary:
    """``left operator right``"""

    operator: str
    left: Node
    right: Node


@dataclass(eq=False, repr=False)
class Unary:
    """``-x`` and ``!x``."""

    operator: str
    operand: Node
