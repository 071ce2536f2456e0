"""Tables of methods: what a script can call on a value, and with how many arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rowstone.cli.shell.errors import RubyError


@dataclass(frozen=True, slots=True)
class Method:
    """A method of Ruby. ``function`` receives the interpreter, the receiver, the arguments and an optional block."""

    name: str
    function: Callable[..., Any]
    least: int
    most: int | None
    takes_block: bool
    waits_for_block: bool
    """Whether a call without a block returns an enumerator."""

    def check_count(self, given: int) -> None:
        """Refuse a call with too few or too many arguments, with Ruby's message."""
        if given >= self.least and (self.most is None or given <= self.most):
            return
        counted = wrong_count(given, self.least, self.most)
        raise RubyError(counted.replace("arguments", f"arguments calling `{self.name}`", 1), "ArgumentError")


def wrong_count(given: int, least: int, most: int | None) -> str:
    """Ruby's message for a wrong number of arguments."""
    expected = f"{least}+" if most is None else f"{least}" if least == most else f"{least}..{most}"
    return f"wrong number of arguments (given {given}, expected {expected})"


class MethodTable:
    """The methods of a class, followed by those of its ``parents``."""

    def __init__(self, *parents: MethodTable) -> None:
        self._methods: dict[str, Method] = {}
        self._parents = parents

    def define(self, *names: str, waits: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register the decorated function under these names.

        Its first two parameters are the interpreter and the receiver. The others are those of the method, and a
        keyword ``block`` is the block. With ``waits``, a call without a block returns an enumerator.
        """

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            code = function.__code__
            most = code.co_argcount - 2
            least = most - len(function.__defaults__ or ())
            has_rest = bool(code.co_flags & 0x04)
            keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
            method = Method(names[0], function, least, None if has_rest else most, "block" in keywords, waits)
            for name in names:
                self._methods[name] = method
            return function

        return add

    def find(self, name: str) -> Method | None:
        """Look up a method by name."""
        found = self._methods.get(name)
        if found is not None:
            return found
        for parent in self._parents:
            found = parent.find(name)
            if found is not None:
                return found
        return None

    def names(self) -> set[str]:
        """The names of all methods."""
        return {*self._methods, *(name for parent in self._parents for name in parent.names())}
