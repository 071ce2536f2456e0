"""A row key of named, typed parts."""

from __future__ import annotations

import keyword
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument, InvalidType
from rowstone.keys import _ranges
from rowstone.keys._ranges import KeyRange
from rowstone.keys.parts._buckets import Bucket
from rowstone.keys.parts._part import MISSING, Derived, Part

MOST_BYTES = 32767
"""HBase's limit: the length of a row key is a signed short."""


class Key:
    """Conversion between values and row keys.

    The parts follow each other in the key. Values are given by name, or in order; derived parts (salts, hash prefixes)
    have none. An ambiguous combination of parts is refused when the key is created, with a hint.

    Args:
        parts: From the first to the last. A bucket (`salt`, `bucket`, `round_robin`) comes first.

    Raises:
        InvalidArgument: The parts cannot follow each other in this order.

    Example:
        >>> from rowstone.keys import Key, int64, reverse_time, text
        >>> key = Key(text("host"), reverse_time("at"), int64("seq"))
        >>> row = key.encode(host="web1", at=1_700_000_000_000, seq=7)
        >>> key.decode(row)
        Values(host='web1', at=1700000000000, seq=7)
        >>> start, stop = key.range(host="web1", at=(1_699_999_999_000, 1_700_000_000_001))
        >>> start <= row < stop
        True
    """

    def __init__(self, *parts: Part) -> None:
        if not parts:
            raise InvalidArgument("a key has at least one part")
        for part in parts:
            if not isinstance(part, Part):
                raise InvalidType(f"a key has parts such as text('host'), not {type(part).__name__}")
        self._parts = (*parts[:-1], parts[-1].last())
        self._fields = tuple(part.name for part in parts if not isinstance(part, Derived))
        _check(self._parts, self._fields)
        self._values: Callable[..., Any] = namedtuple("Values", self._fields)  # type: ignore[misc]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts, in their order."""
        return self._parts

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the parts that have values."""
        return self._fields

    @property
    def bucket(self) -> Bucket | None:
        """The part that spreads rows over buckets, or None."""
        return self._parts[0] if isinstance(self._parts[0], Bucket) else None

    @property
    def width(self) -> int | None:
        """Length of every key in bytes; None if it varies."""
        total = 0
        for part in self._parts:
            if part.width is None:
                return None
            total += part.width
        return total

    def values(self, *values: Any, **named: Any) -> dict[str, Any]:
        """Return the values by name, from the arguments of `encode`: in order, by name, or one mapping or tuple of all.

        Raises:
            InvalidArgument: A value is missing, given twice or unknown.
        """
        if len(values) == 1 and not named:
            [only] = values
            if isinstance(only, Mapping):
                return self.values(**only)
            if isinstance(only, tuple):
                return self.values(*only)
        given = self._assign(values, named)
        for part in self._parts:
            if not isinstance(part, Derived) and part.name not in given:
                if (value := part.default()) is MISSING:
                    raise InvalidArgument(f"'{part.name}' is missing; {self!r} needs {', '.join(self._fields)}")
                given[part.name] = value
        return given

    def encode(self, *values: Any, **named: Any) -> bytes:
        """Return the row key of these values.

        Raises:
            InvalidArgument: A value is missing or does not fit its part, or the key would be empty or longer than
                HBase's limit (32,767 bytes).
        """
        return self._joined(self.values(*values, **named), Part.encode)

    def candidates(self, *values: Any, **named: Any) -> list[bytes]:
        """Return the possible row keys of a row with these values: one, or with `round_robin` one per bucket.

        Raises:
            InvalidArgument: As `encode`. NotFoundError: A name is not in its lookup table.
        """
        whole = self._joined(self.values(*values, **named), Part.sought)
        if self.bucket is None or self.bucket.is_rebuilt:
            return [whole]
        return [prefix + self.logical(whole) for prefix in self.bucket.all()]

    def _joined(self, given: Mapping[str, Any], encode: Callable[[Part, Any], bytes]) -> bytes:
        encoded = {part.name: _call(encode, part, given[part.name]) for part in self._parts if part.name}
        key = b""
        # From the end, because a derived part may need everything after it.
        for part in reversed(self._parts):
            key = (self.derived(part, given, encoded, key) if isinstance(part, Derived) else encoded[part.name]) + key
        if not 1 <= len(key) <= MOST_BYTES:
            raise InvalidArgument(f"the key has {len(key)} bytes; a row key has 1 to {MOST_BYTES}")
        return key

    def derived(self, part: Derived, given: Mapping[str, Any], encoded: Mapping[str, bytes], rest: bytes) -> bytes:
        """Return the bytes of a derived part, from the values, their bytes and all bytes after it."""
        if part.of is None:
            return part.derive(rest, ())
        return part.derive(b"".join(encoded[name] for name in part.of), tuple(given[name] for name in part.of))

    def decode(self, data: bytes) -> Any:
        """Return the values of a row key, as a named tuple.

        Raises:
            InvalidArgument: It is not a key of this kind: it is too short or too long, or its salt or hash is wrong.
        """
        place, given, derived = 0, {}, []
        for part in self._parts:
            value, end = part.decode(data, place)
            if isinstance(part, Derived):
                derived.append((part, value, end))
            else:
                given[part.name] = value
            place = end
        if place != len(data):
            raise InvalidArgument(f"'{printable(data[place:])}' is left behind the last part of {self!r}")
        if derived:
            encoded = {part.name: part.encode(given[part.name]) for part in self._parts if part.name}
            for made, found, end in derived:
                self._check_derived(made, found, self.derived(made, given, encoded, data[end:]))
        return self._values(**given)

    def _check_derived(self, part: Derived, found: bytes, expected: bytes) -> None:
        if isinstance(part, Bucket) and not part.is_rebuilt:
            if int.from_bytes(found, "big") >= part.count:
                raise InvalidArgument(f"bucket {int.from_bytes(found, 'big')} is not one of {part!r}")
        elif found != expected:
            raise InvalidArgument(f"{part!r} is {found!r} in the key, and these values have {expected!r}")

    def logical(self, data: bytes) -> bytes:
        """Return a row key without its bucket: the sort key when rows of a salted key are merged."""
        return data if self.bucket is None else data[self.bucket.width :]

    def bucket_splits(self) -> list[bytes]:
        """Return split keys that give each bucket a region of its own: for ``create_table(..., splits=…)``.

        Raises:
            InvalidArgument: The key has no buckets.
        """
        if self.bucket is None:
            raise InvalidArgument(f"{self!r} has no buckets: see rowstone.splits.propose_splits")
        return self.bucket.all()[1:]

    def prefix(self, *values: Any, **named: Any) -> bytes:
        """Return the common prefix of the keys of all rows with these values, given for the first parts.

        Raises:
            InvalidArgument: A part before a given one is missing, every part is given (use `encode`), or the rows are
                in several buckets (use `ranges`).
        """
        return _ranges.prefix(self, self._partial(values, named))

    def range(self, *values: Any, **named: Any) -> KeyRange:
        """Return start (included) and stop (excluded) of the matching rows: ``table.scan(*key.range(...))``.

        Give the values of the first parts. For the next part give a pair ``(from, to)``, ``from`` included and ``to``
        excluded, None for an open end, or `startswith`. This also holds for descending parts: ``at=(from, to)`` of
        `reverse_time` selects the times from ``from`` on and before ``to``.

        Raises:
            InvalidArgument: As `prefix`; the part does not sort; ``from`` is not before ``to``.
        """
        found = self.ranges(*values, **named)
        if len(found) > 1:
            raise InvalidArgument(
                f"the rows lie in {len(found)} buckets: use ranges(), or scan with rowstone.keys.KeyedTable"
            )
        return found[0]

    def ranges(self, *values: Any, **named: Any) -> list[KeyRange]:
        """Like `range`, with one range for each bucket that may contain such rows."""
        return _ranges.ranges(self, self._partial(values, named))

    def _partial(self, values: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        if len(values) == 1 and isinstance(values[0], Mapping):
            return self._assign((), {**values[0], **named})
        return self._assign(values, named)

    def _assign(self, values: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        if len(values) > len(self._fields):
            raise InvalidArgument(f"{self!r} has {len(self._fields)} values, not {len(values)}")
        given = dict(zip(self._fields, values, strict=False))
        for name, value in named.items():
            if name in given or name not in self._fields:
                reason = "is given twice" if name in given else "is no part"
                raise InvalidArgument(f"'{name}' {reason}; {self!r} has {', '.join(self._fields)}")
            given[name] = value
        return given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return Key, self._parts

    def __repr__(self) -> str:
        return f"Key({', '.join(map(repr, self._parts))})"

    def __str__(self) -> str:
        """One line per part: bytes, part, order."""
        lines = [f"{'bytes':>8}  {'part':<40}  order"]
        for part in self._parts:
            size = "varies" if part.width is None else str(part.width)
            lines.append(f"{size:>8}  {part!r:<40}  {'' if isinstance(part, Derived) else part.order}".rstrip())
        return "\n".join(lines)


def _call(encode: Callable[[Part, Any], bytes], part: Part, value: Any) -> bytes:
    return part.sought(value) if encode is Part.sought else part.encode(value)


def _check(parts: tuple[Part, ...], fields: tuple[str, ...]) -> None:
    for name in fields:
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
            raise InvalidArgument(f"part name {name!r} must be a Python identifier that does not begin with '_'")
        if fields.count(name) > 1:
            raise InvalidArgument(f"two parts are called '{name}'")
    if not fields:
        raise InvalidArgument("the key has no part with a value")
    for place, part in enumerate(parts):
        if isinstance(part, Bucket) and place:
            raise InvalidArgument(f"{part!r} must come first: a bucket does not spread the parts before it")
        if place < len(parts) - 1 and part.last_only:
            raise InvalidArgument(f"{part!r} has no end marker: use {part.last_only}, or make it the last part")
        if isinstance(part, Derived):
            for name in part.of or ():
                if name not in fields:
                    raise InvalidArgument(f"{part!r} is computed from '{name}', which is not a part of the key")
            if part.of is None and place == len(parts) - 1:
                raise InvalidArgument(f"{part!r} is computed from the parts after it, but it is the last part")
