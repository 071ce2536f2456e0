"""Ruby's objects that are not Python's own values: hashes, ranges, regexes, procs, moments, errors, classes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.values.moments import Moment
from rowstone.cli.shell.values import RubyObject, Symbol, inspect, kind_of, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.scopes import Scope
    from rowstone.cli.shell.ruby.syntax import nodes

MOST_ITEMS = 10_000_000
"""Maximum items of an array that a range, a product or a conversion creates."""

MOST_CHARACTERS = 100_000_000
"""Maximum characters of a string that a product or a width creates."""


class Hash(RubyObject):
    """A hash: pairs in the order in which they were added, with a default for other keys."""

    __slots__ = ("_entries", "default", "default_block")

    kind = "Hash"

    def __init__(self, pairs: Iterable[tuple[Any, Any]] = (), default: Any = None) -> None:
        self._entries: dict[Any, tuple[Any, Any]] = {}
        self.default = default
        self.default_block: Proc | None = None
        for key, value in pairs:
            self[key] = value

    def __setitem__(self, key: Any, value: Any) -> None:
        token = key_token(key)
        known = self._entries.get(token)
        self._entries[token] = (key if known is None else known[0], value)

    def __contains__(self, key: Any) -> bool:
        return key_token(key) in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(list(self._entries.values()))

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, ignoring the hash's default."""
        entry = self._entries.get(key_token(key))
        return default if entry is None else entry[1]

    def remove(self, key: Any) -> Any:
        """Remove a pair and return its value, or None."""
        entry = self._entries.pop(key_token(key), None)
        return None if entry is None else entry[1]

    def replace(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        """Replace all pairs with these."""
        entries = list(pairs)
        self._entries.clear()
        for key, value in entries:
            self[key] = value

    def keys(self) -> list[Any]:
        """The keys, in order."""
        return [key for key, _ in self]

    def values(self) -> list[Any]:
        """The values, in order."""
        return [value for _, value in self]

    def pairs(self) -> list[list[Any]]:
        """``[key, value]`` of each pair."""
        return [[key, value] for key, value in self]

    def show(self, inspected: Callable[[Any], str]) -> str:
        return f"{{{', '.join(f'{inspected(key)}=>{inspected(value)}' for key, value in self)}}}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Hash):
            return equal(self, other)
        return isinstance(other, Mapping) and dict(plain(self)) == dict(other)

    __hash__ = None  # type: ignore[assignment]


def key_token(key: Any) -> Any:
    """The internal key of a hash entry: ``1``, ``1.0``, ``true``, ``:a`` and ``'a'`` are all different."""
    if type(key) is str:
        return key
    if isinstance(key, (bool, int, float, Symbol)) or key is None:
        return (type(key), key)
    if isinstance(key, (list, tuple)):
        return ("array", tuple(map(key_token, key)))
    if isinstance(key, Hash):
        return ("hash", frozenset((key_token(inner), key_token(value)) for inner, value in key))
    try:
        hash(key)
    except TypeError:
        return ("object", id(key))
    return ("object", key)


def equal(left: Any, right: Any) -> bool:
    """``left == right``"""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    if isinstance(left, str) and isinstance(right, str):
        return isinstance(left, Symbol) == isinstance(right, Symbol) and str(left) == str(right)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, Hash) and isinstance(right, Hash):
        return len(left) == len(right) and all(key in right and equal(value, right.get(key)) for key, value in left)
    if type(left) is not type(right):
        return False
    return bool(left == right)


def compare(left: Any, right: Any) -> int | None:
    """``left <=> right``: negative, 0 or positive; None if they cannot be compared."""
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        for one, other in zip(left, right, strict=False):
            order = compare(one, other)
            if order != 0:
                return order
        return (len(left) > len(right)) - (len(left) < len(right))
    numbers = _is_number(left) and _is_number(right)
    texts = isinstance(left, str) and isinstance(right, str) and isinstance(left, Symbol) == isinstance(right, Symbol)
    moments = isinstance(left, Moment) and isinstance(right, Moment)
    if moments:
        left, right = left.seconds, right.seconds
    if numbers or texts or moments:
        if left != left or right != right:
            return None
        return int(left > right) - int(left < right)
    return 0 if equal(left, right) else None


def ordered(left: Any, right: Any) -> int:
    """As `compare`. Raises `RubyError` if the two cannot be compared."""
    order = compare(left, right)
    if order is None:
        shown = inspect(right) if right is None or isinstance(right, (bool, int, float)) else kind_of(right)
        raise RubyError(f"comparison of {kind_of(left)} with {shown} failed", "ArgumentError")
    return order


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def truthy(value: Any) -> bool:
    """Whether a condition is true: all values are but ``nil`` and ``false``."""
    return value is not None and value is not False


class Range(RubyObject):
    """``first..last``; without an end ``last`` is None."""

    __slots__ = ("excludes_end", "first", "last")

    kind = "Range"

    def __init__(self, first: Any, last: Any, excludes_end: bool) -> None:
        if last is not None and compare(first, last) is None:
            raise RubyError("bad value for range", "ArgumentError")
        self.first = first
        self.last = last
        self.excludes_end = excludes_end

    def show(self, inspected: Callable[[Any], str]) -> str:
        last = "" if self.last is None else inspected(self.last)
        return f"{inspected(self.first)}{'...' if self.excludes_end else '..'}{last}"

    def text(self) -> str:
        return f"{to_s(self.first)}{'...' if self.excludes_end else '..'}{to_s(self.last)}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return False
        ends = equal(self.first, other.first) and equal(self.last, other.last)
        return ends and self.excludes_end == other.excludes_end

    def __hash__(self) -> int:
        return hash((key_token(self.first), key_token(self.last), self.excludes_end))

    def covers(self, value: Any) -> bool:
        """Whether a value lies within the range."""
        below = compare(self.first, value)
        if below is None or below > 0:
            return False
        if self.last is None:
            return True
        above = compare(value, self.last)
        return above is not None and (above < 0 or (above == 0 and not self.excludes_end))

    def items(self) -> Iterator[Any]:
        """The values from one end to the other. Raises `RubyError` if the start has no successor."""
        if isinstance(self.first, int) and not isinstance(self.first, bool):
            return self._numbers()
        if isinstance(self.first, str) and isinstance(self.last, str):
            from rowstone.cli.shell.ruby.values.succession import texts_between

            return texts_between(self.first, self.last, excludes_end=self.excludes_end)
        raise RubyError(f"can't iterate from {kind_of(self.first)}", "TypeError")

    def _numbers(self) -> Iterator[int]:
        number = self.first
        while self.last is None or number < self.last or (number == self.last and not self.excludes_end):
            yield number
            number += 1

    def count(self) -> int:
        """The number of values. Raises `RubyError` for a range without an end."""
        if self.last is None or self.last in (float("inf"), float("-inf")):
            raise RubyError("cannot convert endless range to an array", "RangeError")
        if isinstance(self.first, int) and isinstance(self.last, (int, float)):
            last = int(self.last // 1)
            return max(0, last - self.first + (0 if self.excludes_end and last == self.last else 1))
        return sum(1 for _ in self.items())


class Regex(RubyObject):
    """A regular expression, as it is written in Ruby."""

    __slots__ = ("flags", "pattern", "source")

    kind = "Regexp"

    def __init__(self, source: str, flags: str, pattern: re.Pattern[str]) -> None:
        self.source = source
        self.flags = "".join(letter for letter in "mix" if letter in flags)
        self.pattern = pattern

    def show(self, inspected: Callable[[Any], str]) -> str:
        source = re.sub(r"(?<!\\)/", r"\\/", self.source)
        return f"/{source}/{self.flags}"

    def text(self) -> str:
        off = "".join(letter for letter in "mix" if letter not in self.flags)
        return f"(?{self.flags}{'-' + off if off else ''}:{self.source})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Regex) and (self.source, self.flags) == (other.source, other.flags)

    def __hash__(self) -> int:
        return hash((self.source, self.flags))


class MatchData(RubyObject):
    """The match of a regular expression."""

    __slots__ = ("match",)

    kind = "MatchData"

    def __init__(self, match: re.Match[str]) -> None:
        self.match = match

    def show(self, inspected: Callable[[Any], str]) -> str:
        names = {number: name for name, number in self.match.re.groupindex.items()}
        groups = "".join(
            f" {names.get(number, number)}:{inspected(group)}" for number, group in enumerate(self.match.groups(), 1)
        )
        return f"#<MatchData {inspected(self.match.group())}{groups}>"

    def text(self) -> str:
        return self.match.group()


class Proc(RubyObject):
    """A block with its surrounding variables, or a function."""

    __slots__ = ("block", "function", "scope")

    kind = "Proc"

    def __init__(
        self,
        block: nodes.Block | None,
        scope: Scope | None,
        function: Callable[..., Any] | None = None,
    ) -> None:
        self.block = block
        self.scope = scope
        self.function = function

    @property
    def is_lambda(self) -> bool:
        """Whether it checks its arguments, and ``return`` ends only itself."""
        return self.function is not None or (self.block is not None and self.block.is_lambda)

    def show(self, inspected: Callable[[Any], str]) -> str:
        return f"#<Proc:{id(self) & 0xFFFFFFFF:#x}{' (lambda)' if self.is_lambda else ''}>"


class ErrorObject(RubyObject):
    """An error that ``rescue`` gives a name."""

    __slots__ = ("kind", "message")

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message

    def show(self, inspected: Callable[[Any], str]) -> str:
        return f"#<{self.kind}: {self.message}>" if self.message else self.kind

    def text(self) -> str:
        return self.message


class ClassReference(RubyObject):
    """A Ruby class by name: ``String``, ``ArgumentError``."""

    __slots__ = ("name",)

    kind = "Class"

    def __init__(self, name: str) -> None:
        self.name = name

    def show(self, inspected: Callable[[Any], str]) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClassReference) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class Enumerator(RubyObject):
    """A method that still needs its block: ``list.each_with_index``."""

    __slots__ = ("arguments", "method", "target")

    kind = "Enumerator"

    def __init__(self, target: Any, method: str, arguments: tuple[Any, ...]) -> None:
        self.target = target
        self.method = method
        self.arguments = arguments

    def show(self, inspected: Callable[[Any], str]) -> str:
        arguments = f"({', '.join(map(inspected, self.arguments))})" if self.arguments else ""
        return f"#<Enumerator: {inspected(self.target)}:{self.method}{arguments}>"


class Receiver(RubyObject):
    """``self`` of a session."""

    __slots__ = ()

    kind = "HBaseReceiver"


def plain(value: Any) -> Any:
    """Convert a value for commands: hashes become `dict`."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, Hash):
        return {_plain_key(key): plain(item) for key, item in value}
    return value


def _plain_key(key: Any) -> Any:
    if isinstance(key, (list, tuple)):
        return tuple(map(_plain_key, key))
    if isinstance(key, Hash):
        return inspect(key)
    return key


def ruby_value(value: Any) -> Any:
    """Convert a command's return value to a Ruby value."""
    if isinstance(value, dict):
        return Hash((ruby_value(key), ruby_value(item)) for key, item in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [ruby_value(item) for item in value]
    return value
