"""Syntax tree of the shell's Ruby."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

Node: TypeAlias = Any
"""One of the classes of this module."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Literal:
    """A value as it stands: text, number, symbol, ``true``, ``false``, ``nil``."""

    value: Any


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Template:
    """Text in double quotes with expressions in it; with ``kind`` ``symbol`` a symbol."""

    parts: tuple[Node, ...]
    kind: str = "string"


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class RegexLiteral:
    """``/.../flags``"""

    parts: tuple[Node, ...]
    flags: str


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class ArrayLiteral:
    """``[a, *b]``"""

    items: tuple[Node, ...]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class HashLiteral:
    """``{a => b, **c}``: the key of ``**c`` is None."""

    pairs: tuple[tuple[Node | None, Node], ...]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class RangeLiteral:
    """``first..last``; with ``excludes_end`` ``first...last``."""

    first: Node
    last: Node | None
    excludes_end: bool


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Self:
    """``self``"""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Name:
    """A word that is a variable, or a call without arguments."""

    name: str
    line: int


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Variable:
    """``@name`` or ``$name``"""

    name: str
    line: int


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Constant:
    """A word that begins with a capital."""

    name: str
    line: int


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Scoped:
    """``target::Name``"""

    target: Node
    name: str
    line: int


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Splat:
    """``*list`` among arguments, items or targets."""

    value: Node | None


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class BlockPass:
    """``&block`` as the last argument."""

    value: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Parameters:
    """Parameters of a block or method: names, or nested `Parameters` for ``(a, b)``.

    The last ``required_behind`` of ``required`` stand behind the optional ones and ``*rest``.
    """

    required: tuple[str | Parameters, ...] = ()
    optional: tuple[tuple[str, Node], ...] = ()
    rest: str | None = None
    required_behind: int = 0
    keywords: tuple[tuple[str, Node | None], ...] = ()
    block: str | None = None

    @property
    def is_splitting(self) -> bool:
        """Whether a block with these takes one array as several arguments."""
        return len(self.required) + len(self.optional) > 1 or (self.rest is not None and bool(self.required))


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Block:
    """``{ |x| ... }``, ``do |x| ... end``, ``->(x) { ... }``"""

    parameters: Parameters
    body: Node
    is_lambda: bool = False


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Call:
    """A command or function, or with a ``target`` a method; ``is_safe`` for ``&.``."""

    target: Node | None
    name: str
    arguments: tuple[Node, ...]
    block: Node | None
    line: int
    is_safe: bool = False


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Assign:
    """``target = value``; the target is a `Name`, `Variable`, `Constant`, `Call` of ``[]`` or an attribute."""

    target: Node
    value: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class OperatorAssign:
    """``target += value``, ``target ||= value``"""

    target: Node
    operator: str
    value: Node
    line: int


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class MultipleAssign:
    """``a, *b = value``: targets as in `Assign`, `Splat` of one, or a nested tuple."""

    targets: tuple[Any, ...]
    value: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Logical:
    """``left && right`` and ``left || right``"""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Not:
    """``!value``"""

    value: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Defined:
    """``defined?(value)``"""

    value: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Sequence:
    """Statements; the value is that of the last."""

    statements: tuple[Node, ...]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class If:
    """``if``, ``unless``, ``?:`` and their modifiers."""

    condition: Node
    then: Node
    otherwise: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class While:
    """``while`` and ``until``; with ``runs_first`` the body comes before the first condition."""

    condition: Node
    body: Node
    is_until: bool
    runs_first: bool = False


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class For:
    """``for a, b in list``"""

    targets: tuple[Any, ...]
    values: Node
    body: Node
    line: int


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Case:
    """``case subject when a, b then ... else ... end``"""

    subject: Node | None
    branches: tuple[tuple[tuple[Node, ...], Node], ...]
    otherwise: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Rescue:
    """``rescue A, B => name``"""

    kinds: tuple[Node, ...]
    target: Node | None
    body: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Begin:
    """``begin ... rescue ... else ... ensure ... end``"""

    body: Node
    rescues: tuple[Rescue, ...]
    otherwise: Node | None
    ensure: Node | None


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Definition:
    """``def name(parameters) ... end``"""

    name: str
    parameters: Parameters
    body: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Jump:
    """``return``, ``break``, ``next``, ``retry``, ``redo``"""

    kind: str
    value: Node


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Yield:
    """``yield a, b``"""

    arguments: tuple[Node, ...]
    line: int
