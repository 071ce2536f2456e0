"""Row ranges from the values of the first parts of a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rowstone.errors import InvalidArgument
from rowstone.keys.parts._buckets import Bucket
from rowstone.keys.parts._part import Derived, Part, StartsWith, behind

if TYPE_CHECKING:
    from rowstone.keys._key import Key


class KeyRange(NamedTuple):
    """Rows from ``start``, included, to ``stop``, excluded; an empty ``stop`` is the end of the table."""

    start: bytes
    stop: bytes

    def holds(self, key: bytes) -> bool:
        """Whether ``key`` is in the range."""
        return self.start <= key and (not self.stop or key < self.stop)


class _Found(NamedTuple):
    """The row prefixes, one per bucket; the bounds of the next part's bytes; and whether the key is complete."""

    prefixes: list[bytes]
    first: bytes
    stop: bytes | None
    is_whole: bool


def prefix(key: Key, given: Mapping[str, Any]) -> bytes:
    """See `Key.prefix`."""
    for name, value in given.items():
        if _is_condition(value):
            raise InvalidArgument(f"'{name}' is a range: a prefix has single values only; use range()")
    found = _find(key, given)
    if found.is_whole:
        raise InvalidArgument("every part is given, and longer values begin so too: use encode() or range()")
    if len(found.prefixes) > 1:
        raise InvalidArgument(f"the rows lie in {len(found.prefixes)} buckets: use ranges()")
    return found.prefixes[0]


def ranges(key: Key, given: Mapping[str, Any]) -> list[KeyRange]:
    """See `Key.ranges`."""
    found = _find(key, given)
    if found.is_whole:
        return [KeyRange(whole, whole + b"\0") for whole in found.prefixes]
    return [
        KeyRange(one + found.first, (behind(one) if found.stop is None else one + found.stop) or b"")
        for one in found.prefixes
    ]


def _is_condition(value: Any) -> bool:
    return isinstance(value, StartsWith) or (isinstance(value, tuple) and len(value) == 2)


def beginnings(key: Key, exact: Mapping[str, Any]) -> tuple[list[bytes], Part | None]:
    """Return the prefixes of the rows with these values of parts, one per bucket that may contain them.

    The second result is the first part that the values do not determine; None if the prefixes are whole keys.
    """
    encoded = {part.name: part.sought(exact[part.name]) for part in key.parts if part.name in exact}
    prefixes = [b""]
    for place, part in enumerate(key.parts):
        if isinstance(part, Derived):
            pieces = _pieces(key, place, part, exact, encoded)
            if pieces is None:
                return prefixes, part
            prefixes = [one + piece for one in prefixes for piece in pieces]
        elif part.name in exact:
            prefixes = [one + encoded[part.name] for one in prefixes]
        else:
            return prefixes, part
    return prefixes, None


def _find(key: Key, given: Mapping[str, Any]) -> _Found:
    exact = {name: value for name, value in given.items() if not _is_condition(value)}
    prefixes, part = beginnings(key, exact)
    if part is None:
        return _Found(prefixes, b"", None, True)
    used = {one.name for one in key.parts[: key.parts.index(part)]}
    first, stop = b"", None
    if part.name in given:
        first, stop = _bounds(part, given[part.name])
        used.add(part.name)
    _refuse_rest(key, part, given, used)
    return _Found(prefixes, first, stop, False)


def _pieces(
    key: Key, place: int, part: Derived, exact: Mapping[str, Any], encoded: Mapping[str, bytes]
) -> list[bytes] | None:
    """The possible bytes of a derived part; None if it can be anything."""
    behind_it = [one.name for one in key.parts[place + 1 :] if one.name]
    known = all(name in exact for name in (behind_it if part.of is None else part.of))
    if known and not (isinstance(part, Bucket) and not part.is_rebuilt):
        # The rest is built from its end, so that a derived part within it is computed too.
        rest = b""
        for one in reversed(key.parts[place + 1 :] if part.of is None else ()):
            rest = (key.derived(one, exact, encoded, rest) if isinstance(one, Derived) else encoded[one.name]) + rest
        return [key.derived(part, exact, encoded, rest)]
    return part.all() if isinstance(part, Bucket) else None


def _bounds(part: Part, condition: Any) -> tuple[bytes, bytes | None]:
    if isinstance(condition, StartsWith):
        start = part.open_prefix(condition.start)
        return start, behind(start) if start else None
    return part.span(*condition)


def _refuse_rest(key: Key, part: Part, given: Mapping[str, Any], used: set[str]) -> None:
    """Refuse values that cannot narrow the range because a part before them is open."""
    rest = [name for name in key.fields if name in given and name not in used]
    if not rest:
        return
    if isinstance(part, Derived):
        made = "all parts after it" if part.of is None else " and ".join(part.of)
        raise InvalidArgument(
            f"'{rest[0]}' cannot select a range: {part!r} before it is computed from {made}, and not all of them have "
            "a single value; compute it from fewer parts with of=, or give all values"
        )
    raise InvalidArgument(
        f"'{rest[0]}' cannot select a range, because '{part.name}' before it has no single value: matching rows are "
        f"not adjacent. Give '{part.name}' a value, or scan a larger range with a filter"
    )
