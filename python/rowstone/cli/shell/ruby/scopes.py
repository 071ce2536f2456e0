"""Variable scopes, and signals that leave a block or method early."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.values.objects import Proc


class Frame:
    """A method call; ``block`` is the block that ``yield`` calls."""

    __slots__ = ("block",)

    def __init__(self, block: Proc | None = None) -> None:
        self.block = block


class Scope:
    """Variables of a block or method, and those around it.

    ``loops`` counts the loops of `while` and `for` that run in it; ``block`` is the block whose scope it is.
    """

    __slots__ = ("block", "frame", "loops", "names", "outer")

    def __init__(self, frame: Frame, outer: Scope | None = None, block: Proc | None = None) -> None:
        self.names: dict[str, Any] = {}
        self.outer = outer
        self.frame = frame
        self.block = block
        self.loops = 0

    def holder(self, name: str) -> dict[str, Any] | None:
        """The variables that contain ``name``."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names
            scope = scope.outer
        return None

    def assign(self, name: str, value: Any) -> None:
        """Assign a variable; a new one is created in this scope."""
        holder = self.holder(name)
        (self.names if holder is None else holder)[name] = value

    def visible(self) -> set[str]:
        """The names of all visible variables."""
        found: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            found.update(scope.names)
            scope = scope.outer
        return found


class Signal(Exception):
    """Early exit from a block or method; never an error."""

    def __init__(self, value: Any = None) -> None:
        super().__init__()
        self.value = value


class Break(Signal):
    """``break`` out of a loop (``target`` is its scope) or out of the call with a block (``target`` is the block)."""

    def __init__(self, target: object, value: Any) -> None:
        super().__init__(value)
        self.target = target


class Next(Signal):
    """``next``: ends one iteration of a loop or block."""

    def __init__(self, target: object, value: Any) -> None:
        super().__init__(value)
        self.target = target


class Return(Signal):
    """``return`` out of a method."""

    def __init__(self, frame: Frame, value: Any) -> None:
        super().__init__(value)
        self.frame = frame


class Retry(Signal):
    """``retry``: runs the body of ``begin`` again."""
