"""Conversion of method arguments to numbers, strings and arrays, with Ruby's error messages."""

from __future__ import annotations

import re
from typing import Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.values.objects import Hash, Range
from rowstone.cli.shell.values import Symbol, inspect, kind_of, to_s

_INTEGER = re.compile(r"\s*[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+|\d[\d_]*)\s*")
_FLOAT = re.compile(r"\s*[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?\s*")

MOST_DIGITS = 4_000


def _no_conversion(value: Any, kind: str) -> RubyError:
    if value is None or isinstance(value, bool):
        return RubyError(f"no implicit conversion from {inspect(value)} to {kind.lower()}", "TypeError")
    return RubyError(f"no implicit conversion of {kind_of(value)} into {kind}", "TypeError")


def integer(value: Any, *, floors: bool = False) -> int:
    """Convert to an integer; a float is truncated. Raises `RubyError`.

    With ``floors`` (of ``%d``) a text with digits counts, and a float is rounded down.
    """
    if isinstance(value, bool) or value is None:
        if floors:
            raise RubyError(f"can't convert {inspect(value)} into Integer", "TypeError")
        raise _no_conversion(value, "Integer")
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise RubyError(inspect(value), "FloatDomainError")
        return int(value // 1) if floors else int(value)
    if floors and isinstance(value, str):
        return strict_integer(value)
    if floors:
        raise RubyError(f"can't convert {kind_of(value)} into Integer", "TypeError")
    raise _no_conversion(value, "Integer")


def number(value: Any) -> float:
    """Convert to a float. Raises `RubyError`."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    if isinstance(value, str):
        return strict_float(value)
    raise RubyError(f"can't convert {inspect(value) if value is None else kind_of(value)} into Float", "TypeError")


def strict_integer(text: str, base: int = 10) -> int:
    """``Integer(text)``. Raises `RubyError`."""
    plain = text.strip().replace("_", "").lower()
    try:
        if base != 10:
            return int(plain, base)
        if not _INTEGER.fullmatch(text) or len(plain) > MOST_DIGITS:
            raise ValueError
        digits = plain.lstrip("+-")
        if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
            return int(plain, 8)
        return int(plain, 0)
    except ValueError:
        raise RubyError(f"invalid value for Integer(): {inspect(text)}", "ArgumentError") from None


def strict_float(text: str) -> float:
    """``Float(text)``. Raises `RubyError`."""
    if not _FLOAT.fullmatch(text):
        raise RubyError(f"invalid value for Float(): {inspect(text)}", "ArgumentError")
    return float(text.replace("_", ""))


def text(value: Any) -> str:
    """Convert to a string; symbols are refused. Raises `RubyError`."""
    if isinstance(value, str) and not isinstance(value, Symbol):
        return value
    if value is None or isinstance(value, bool):
        raise RubyError(f"no implicit conversion of {inspect(value)} into String", "TypeError")
    raise _no_conversion(value, "String")


def name(value: Any) -> str:
    """Convert a string or symbol to a name. Raises `RubyError`."""
    if isinstance(value, str):
        return str(value)
    raise RubyError(f"{inspect(value)} is not a symbol nor a string", "TypeError")


def array(value: Any) -> list[Any]:
    """Convert to an array. Raises `RubyError`."""
    if isinstance(value, list):
        return value
    raise RubyError(
        f"no implicit conversion of {inspect(value) if value is None else kind_of(value)} into Array", "TypeError"
    )


def hash_of(value: Any) -> Hash:
    """Convert to a hash. Raises `RubyError`."""
    if isinstance(value, Hash):
        return value
    raise RubyError(
        f"no implicit conversion of {inspect(value) if value is None else kind_of(value)} into Hash", "TypeError"
    )


def leading_integer(value: str, base: int = 10) -> int:
    """The integer at the start of a string, as ``to_i`` reads it; 0 if there is none."""
    if not 2 <= base <= 36:
        raise RubyError(f"invalid radix {base}", "ArgumentError")
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"[:base]
    prefix = {2: "(?:0b)?", 8: "(?:0o?)?", 16: "(?:0x)?"}.get(base, "")
    match = re.match(rf"\s*([+-]?){prefix}([{digits}][{digits}_]*)", value, re.IGNORECASE)
    return int(match[1] + match[2].replace("_", "")[:MOST_DIGITS], base) if match else 0


def leading_float(value: str) -> float:
    """The float at the start of a string, as ``to_f`` reads it; 0.0 if there is none."""
    match = re.match(r"\s*[+-]?(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?", value)
    return float(match.group().replace("_", "")) if match else 0.0


def joined(items: list[Any], separator: str, around: tuple[int, ...] = ()) -> str:
    """``items.join(separator)``; also joins nested arrays. Raises `RubyError` for an array that contains itself."""
    if id(items) in around:
        raise RubyError("recursive array join", "ArgumentError")
    inner = (*around, id(items))
    return separator.join(joined(item, separator, inner) if isinstance(item, list) else to_s(item) for item in items)


def bounds(place: Any, length: Any, size: int) -> tuple[int, int] | None:
    """Start and end among ``size`` items; None if the slice lies outside."""
    if isinstance(place, Range):
        begin = integer(place.first) if place.first is not None else 0
        end = size if place.last is None else integer(place.last)
        begin = begin + size if begin < 0 else begin
        end = end + size if end < 0 else end
        if place.last is not None and not place.excludes_end:
            end += 1
        return (begin, max(begin, min(end, size))) if 0 <= begin <= size else None
    begin = integer(place)
    begin = begin + size if begin < 0 else begin
    if length is None:
        return (begin, begin + 1) if 0 <= begin < size else None
    count = integer(length)
    return (begin, min(begin + count, size)) if 0 <= begin <= size and count >= 0 else None
