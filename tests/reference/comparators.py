"""Comparators: they compare their value with a part of a cell and return -1, 0 or 1, as Java's `compareTo` does."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from tests.reference.errors import HBaseError
from tests.script.filter_text import Compared

LITERAL, DOTALL, MULTILINE, IGNORE_CASE = 16, 32, 8, 2

Test = Callable[[bytes], bool]


def test_of(operator: str, comparator: Compared) -> Test:
    """Return the test whether a part of a cell passes `part OPERATOR comparator`."""
    compare = _comparison(comparator)

    def passes(part: bytes) -> bool:
        if operator == "NO_OP":
            return False
        order = compare(part)
        return {
            "<": order > 0,
            "<=": order >= 0,
            "=": order == 0,
            "!=": order != 0,
            ">=": order <= 0,
            ">": order < 0,
        }[operator]

    return passes


# Pytest must not collect it.
test_of.__test__ = False  # type: ignore[attr-defined]


def _comparison(comparator: Compared) -> Callable[[bytes], int]:
    value = comparator.value
    match comparator.kind:
        case "binary":
            return lambda part: _order(value, part)
        case "binaryprefix":
            return lambda part: _order(value, part[: len(value)])
        case "component":
            offset, _, wanted = value.partition(b":")
            begin, end = int(offset), int(offset) + len(wanted)
            return lambda part: _order(wanted, part[begin:end])
        case "bit":
            operator, _, bits = value.partition(b":")
            return lambda part: _fits(len(part) == len(bits) and _leaves_bits(operator, bits, part))
        case "long":
            return lambda part: _order(int(value), _long(part))
        case "decimal":
            return lambda part: _order(Decimal(value.decode()), _decimal(part))
        case "null":
            return lambda part: 1
        case "substring":
            text = value.decode(errors="replace").lower()
            return lambda part: _fits(text in part.decode(errors="replace").lower())
        case "regexstring":
            return _regex(value.decode(), DOTALL, "utf-8")
        case "regexstringnocase":
            return _regex(value.decode(), DOTALL | IGNORE_CASE, "utf-8")
        case "regex":
            flags, charset, _, pattern = value.decode("latin-1").split(":", 3)
            return _regex(pattern, int(flags), charset)
    raise HBaseError("IllegalArgumentException", f"no comparator {comparator.kind}")


def _order(left: object, right: object) -> int:
    return (left > right) - (left < right)  # type: ignore[operator]


def _fits(fits: bool) -> int:
    return 0 if fits else 1


def _leaves_bits(operator: bytes, bits: bytes, part: bytes) -> bool:
    pairs = zip(bits, part, strict=True)
    return any(
        {b"AND": left & right, b"OR": left | right, b"XOR": left ^ right}[operator] != 0 for left, right in pairs
    )


def _long(part: bytes) -> int:
    if len(part) != 8:
        raise HBaseError("IllegalArgumentException", "not a long")
    return int.from_bytes(part, "big", signed=True)


def _decimal(part: bytes) -> Decimal:
    scale = int.from_bytes(part[:4], "big", signed=True)
    return Decimal(int.from_bytes(part[4:], "big", signed=True)).scaleb(-scale)


def _regex(pattern: str, flags: int, charset: str) -> Callable[[bytes], int]:
    """Compile a regular expression. Scripts use only expressions that mean the same in Java and Python."""
    known = {DOTALL: re.DOTALL, MULTILINE: re.MULTILINE, IGNORE_CASE: re.IGNORECASE}
    ours = re.RegexFlag(0)
    for flag, meaning in known.items():
        if flags & flag:
            ours |= meaning
    compiled = re.compile(re.escape(pattern) if flags & LITERAL else pattern, ours)
    return lambda part: _fits(compiled.search(part.decode(charset, errors="replace")) is not None)
