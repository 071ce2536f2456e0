"""A row key of named, typed parts."""

from __future__ import annotations

import keyword
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument, InvalidType
from rowstone.keys import _ranges
from rowstone.keys._buckets import Bucket
from rowstone.keys._part import MISSING, Derived, Part
from rowstone.keys._ranges import KeyRange

MOST_BYTES = 32767
"""HBase's limit: the length of a row key is a signed short."""


class Key:
    """How row keys are made from values and read back.

    The parts stand in the key one after the other. Values are given by name, or in order; derived parts (salts, hash
    prefixes) have none. What could be ambiguous is refused when the key is made, with a hint.

    Args:
        parts: From the first to the last. Buckets (`salt`, `bucket`, `round_robin`) stand first.

    Raises:
        InvalidArgument: The parts cannot follow each other so.

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
                raise InvalidType(f"a key is made of parts such as text('host'), not of {type(part).__name__}")
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
        """The part that spreads the rows over buckets, or None."""
        return self._parts[0] if isinstance(self._parts[0], Bucket) else None

    @property
    def width(self) -> int | None:
        """Bytes of every key; None where that varies."""
        total = 0
        for part in self._parts:
            if part.width is None:
                return None
            total += part.width
        return total

    def values(self, *values: Any, **named: Any) -> dict[str, Any]:
        """Values by name, as `encode` takes them: in order, by name, or one mapping or tuple of all.

        Raises:
            InvalidArgument: One is missing, given twice or unknown.
        """
        if len(values) == 1 and not named:
            [only] = values
            if isinstance(only, Mapping):
                return self.values(**only)
            if isinstance(only, tuple):
                return self.values(*only)
        if len(values) > len(self._fields):
            raise InvalidArgument(f"{self!r} has {len(self._fields)} values, not {len(values)}")
        given = dict(zip(self._fields, values, strict=False))
        for name, value in named.items():
            if name in given or name not in self._fields:
                reason = "is given twice" if name in given else "is no part"
                raise InvalidArgument(f"'{name}' {reason}; {self!r} has {', '.join(self._fields)}")
            given[name] = value
        for part in self._parts:
            if not isinstance(part, Derived) and part.name not in given:
                if (value := part.default()) is MISSING:
                    raise InvalidArgument(f"'{part.name}' is missing; {self!r} needs {', '.join(self._fields)}")
                given[part.name] = value
        return given

    def encode(self, *values: Any, **named: Any) -> bytes:
        """The row key of these values.

        Raises:
            InvalidArgument: A value is missing or does not fit its part; the key would be empty or longer than HBase
            takes (32,767 bytes).
        """
        return self._joined(self.values(*values, **named), Part.encode)

    def candidates(self, *values: Any, **named: Any) -> list[bytes]:
        """The row keys under which a row with these values may be stored: one, or with `round_robin` one a bucket.

        Raises:
            InvalidArgument: As `encode`. NotFoundError: A name of a lookup table that it does not have.
        """
        whole = self._joined(self.values(*values, **named), Part.sought)
        if self.bucket is None or self.bucket.is_rebuilt:
            return [whole]
        return [prefix + self.logical(whole) for prefix in self.bucket.all()]

    def _joined(self, given: Mapping[str, Any], encode: Callable[[Part, Any], bytes]) -> bytes:
        encoded = {part.name: _call(encode, part, given[part.name]) for part in self._parts if part.name}
        key = b""
        # From the end, as a derived part may need all that is behind it.
        for part in reversed(self._parts):
            key = (self.derived(part, given, encoded, key) if isinstance(part, Derived) else encoded[part.name]) + key
        if not 1 <= len(key) <= MOST_BYTES:
            raise InvalidArgument(f"the key has {len(key)} bytes; a row key has 1 to {MOST_BYTES}")
        return key

    def derived(self, part: Derived, given: Mapping[str, Any], encoded: Mapping[str, bytes], rest: bytes) -> bytes:
        """The bytes of a derived part, from the values, their bytes and all bytes behind it."""
        if part.of is None:
            return part.derive(rest, ())
        return part.derive(b"".join(encoded[name] for name in part.of), tuple(given[name] for name in part.of))

    def decode(self, data: bytes) -> Any:
        """The values of a row key, as a named tuple.

        Raises:
            InvalidArgument: It is no key of this kind: it ends too early or too late, or its salt or hash is another.
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
                raise InvalidArgument(f"bucket {int.from_bytes(found, 'big')} is none of {part!r}")
        elif found != expected:
            raise InvalidArgument(f"{part!r} is {found!r} in the key, and these values have {expected!r}")

    def logical(self, data: bytes) -> bytes:
        """A row key without its bucket: what rows of a salted key are sorted by when they are merged."""
        return data if self.bucket is None else data[self.bucket.width :]

    def bucket_splits(self) -> list[bytes]:
        """Split keys by which each bucket has a region of its own: for ``create_table(..., splits=…)``.

        Raises:
            InvalidArgument: The key has no buckets.
        """
        if self.bucket is None:
            raise InvalidArgument(f"{self!r} has no buckets: see rowstone.splits.propose_splits")
        return self.bucket.all()[1:]

    def prefix(self, *values: Any, **named: Any) -> bytes:
        """What the keys of all rows begin with that have these values: those of the first parts.

        Raises:
            InvalidArgument: A part before one that is given is not; every part is given (see `encode`); rows lie in
            several buckets (see `ranges`).
        """
        return _ranges.prefix(self, self._partial(values, named))

    def range(self, *values: Any, **named: Any) -> KeyRange:
        """From where, included, to where, excluded, the rows lie that fit: ``table.scan(*key.range(...))``.

        Give the values of the first parts; for the next one a pair ``(from, to)``, ``from`` included and ``to`` not,
        None for an open end, or `startswith`. So also for descending parts: ``at=(from, to)`` of `reverse_time` are the
        times from ``from`` on and before ``to``.

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
        """As `range`, one for each bucket that may have such rows."""
        return _ranges.ranges(self, self._partial(values, named))

    def _partial(self, values: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        if len(values) == 1 and isinstance(values[0], Mapping):
            given = {**values[0], **named}
        else:
            given = {**dict(zip(self._fields, values, strict=False)), **named}
        for name in given:
            if name not in self._fields:
                raise InvalidArgument(f"'{name}' is no part; {self!r} has {', '.join(self._fields)}")
        return given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    def __repr__(self) -> str:
        return f"Key({', '.join(map(repr, self._parts))})"

    def __str__(self) -> str:
        """A line per part: bytes, part, order."""
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
            raise InvalidArgument(f"{part!r} must stand first: what is before a bucket is not spread by it")
        if place < len(parts) - 1 and part.last_only:
            raise InvalidArgument(f"{part!r} does not say where it ends: use {part.last_only}, or put it last")
        if isinstance(part, Derived):
            for name in part.of or ():
                if name not in fields:
                    raise InvalidArgument(f"{part!r} is made of '{name}', which is no part of the key")
            if part.of is None and place == len(parts) - 1:
                raise InvalidArgument(f"{part!r} is last, and made of what is behind it")
