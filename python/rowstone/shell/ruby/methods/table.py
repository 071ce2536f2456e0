"""Tables of methods: what a script can call on a value, and with how many arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rowstone.shell.errors import RubyError


@dataclass(frozen=True, slots=True)
class Method:
    """A method of Ruby. ``function`` is given the interpreter, the receiver and the arguments, and maybe a block."""

    name: str
    function: Callable[..., Any]
    least: int
    most: int | None
    takes_block: bool
    waits_for_block: bool
    """Whether it gives an enumerator where there is no block."""

    def check_count(self, given: int) -> None:
        """Refuses a call with too few or too many arguments, in Ruby's words."""
        if given >= self.least and (self.most is None or given <= self.most):
            return
        counted = wrong_count(given, self.least, self.most)
        raise RubyError(counted.replace("arguments", f"arguments calling `{self.name}`", 1), "ArgumentError")


def wrong_count(given: int, least: int, most: int | None) -> str:
    """Ruby's words for a wrong number of arguments."""
    expected = f"{least}+" if most is None else f"{least}" if least == most else f"{least}..{most}"
    return f"wrong number of arguments (given {given}, expected {expected})"


class MethodTable:
    """The methods of a class, those of its ``parents`` behind them."""

    def __init__(self, *parents: MethodTable) -> None:
        self._methods: dict[str, Method] = {}
        self._parents = parents

    def define(self, *names: str, waits: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Adds the decorated function under these names.

        Its parameters behind the interpreter and the receiver are those of the method; a keyword ``block`` is the
        block. With ``waits`` a call without a block gives an enumerator.
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
        """The method of that name."""
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
