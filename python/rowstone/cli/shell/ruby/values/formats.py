"""``format``, ``%`` and ``pack``: values as text and bytes."""

from __future__ import annotations

import re
import struct
from typing import Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.values.conversions import integer, number
from rowstone.cli.shell.ruby.values.objects import MOST_CHARACTERS, Hash
from rowstone.cli.shell.values import Binary, Symbol, bytes_of, inspect, to_s, to_text

_DIRECTIVE = re.compile(
    r"%([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d+))?(?:<(\w+)>|\{(\w+)\})?([-+ 0#]*)(\d+)?(?:\.(\d+))?([a-zA-Z%\n]?)"
)
_WHOLE = frozenset("dixXobBu")
_REAL = frozenset("eEfgG")
_PREFIXES = {"x": "0x", "X": "0X", "o": "0", "b": "0b", "B": "0B"}


def format_text(form: str, arguments: list[Any]) -> str:
    """``format(form, *arguments)``. Raises `RubyError`."""
    given = iter(arguments)
    named = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], Hash) else None

    def take() -> Any:
        try:
            return next(given)
        except StopIteration:
            raise RubyError("too few arguments", "ArgumentError") from None

    def written(match: re.Match[str]) -> str:
        flags, width, precision, name, braces, more_flags, more_width, more_precision, letter = match.groups()
        if braces is not None:
            return _format_named(named, braces) + letter if letter else to_s(_value_named(named, braces))
        if letter == "%" and match.group() == "%%":
            return "%"
        if not letter or letter in "%\n":
            raise RubyError("incomplete format specifier; use %% (double %) instead", "ArgumentError")
        size = integer(take()) if width == "*" else int(width or more_width or 0)
        places = integer(take()) if precision == "*" else precision or more_precision
        value = _value_named(named, name) if name is not None else take()
        return _written(flags + more_flags, size, None if places is None else int(places), letter, value)

    return _DIRECTIVE.sub(written, form)


def _value_named(named: Hash | None, name: str) -> Any:
    if named is None:
        raise RubyError("one hash required", "ArgumentError")
    if Symbol(name) not in named:
        raise RubyError(f"key<{name}> not found", "KeyError")
    return named.get(Symbol(name))


def _format_named(named: Hash | None, name: str) -> str:
    return to_s(_value_named(named, name))


def _written(flags: str, width: int, places: int | None, letter: str, value: Any) -> str:
    if width < 0:
        flags, width = flags + "-", -width
    if width > MOST_CHARACTERS or (places or 0) > MOST_CHARACTERS:
        raise RubyError("width too big", "ArgumentError")
    if letter == "s" or letter == "p":
        text = to_s(value) if letter == "s" else inspect(value)
        text = text if places is None else text[:places]
    elif letter == "c":
        if isinstance(value, str) and len(value) != 1:
            raise RubyError("%c requires a character", "ArgumentError")
        text = value if isinstance(value, str) else chr(integer(value) % 0x110000)
    elif letter in _WHOLE:
        text = _whole(flags, places, letter, integer(value, floors=True))
    elif letter in _REAL:
        text = _real(flags, places, letter, number(value))
    else:
        raise RubyError(f"malformed format string - %{letter}", "ArgumentError")
    if "-" in flags:
        return text.ljust(width)
    if ("0" in flags and letter not in "spc" and places is None) or ("0" in flags and letter in _REAL):
        sign = text[:1] if text[:1] in "+- " else ""
        return sign + text[len(sign) :].rjust(width - len(sign), "0")
    return text.rjust(width)


def _whole(flags: str, places: int | None, letter: str, value: int) -> str:
    base = {"x": "x", "X": "X", "o": "o", "b": "b", "B": "b"}.get(letter, "d")
    if value < 0 and base != "d" and not ("+" in flags or " " in flags):
        return _complement(value, base)
    digits = f"{abs(value):{base}}"
    if places is not None:
        digits = digits.rjust(places, "0")
    if "#" in flags:
        digits = _PREFIXES.get(letter, "") + digits
    return _sign(flags, value < 0) + digits


def _real(flags: str, places: int | None, letter: str, value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return _sign(flags, value < 0) + ("NaN" if value != value else "Inf")
    digits = 6 if places is None else min(places, 1_000)
    if letter == "f" and digits < 17:
        return _sign(flags, value < 0) + _fixed(abs(value), digits)
    return _sign(flags, value < 0) + f"{abs(value):.{digits}{letter}}"


def _fixed(value: float, digits: int) -> str:
    """A number with so many digits behind the point. JRuby rounds the decimal digits that it shows, half to even."""
    from decimal import ROUND_HALF_EVEN, Context, Decimal  # seldom needed

    if digits == 0 and value == 0.5:
        return "1"
    exact = Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN, Context(prec=400))
    return f"{exact:f}"


def _complement(value: int, base: str) -> str:
    """A negative number as Ruby writes its bits: ``..f01``."""
    bits = {"x": 4, "X": 4, "o": 3}.get(base, 1)
    width = (value.bit_length() // bits + 1) * bits
    digits = f"{value & ((1 << width) - 1):{base}}"
    last = f"{(1 << bits) - 1:{base}}"
    return f"..{last}{digits.lstrip(last)}"


def _sign(flags: str, is_negative: bool) -> str:
    return "-" if is_negative else "+" if "+" in flags else " " if " " in flags else ""


_PACKED = re.compile(r"\s*([a-zA-Z])([<>_!]*)(\*|\d+)?\s*")
_NUMBERS = {
    "C": ">B", "c": ">b", "n": ">H", "N": ">I", "v": "<H", "V": "<I", "S": "<H", "s": "<h", "L": "<I", "l": "<i",
    "Q": "<Q", "q": "<q", "I": "<I", "i": "<i", "g": ">f", "G": ">d", "e": "<f", "E": "<d",
}  # fmt: skip


def _form(letter: str, order: str) -> str:
    form = _NUMBERS.get(letter)
    if form is None:
        raise RubyError(f"the directive '{letter}' of pack is not supported", "ArgumentError")
    return f"{'>' if '>' in order else form[0]}{form[1]}"


def pack(items: list[Any], template: str) -> str:
    """``items.pack(template)``: numbers, texts (``a``, ``A``) and hexadecimal digits (``H``) as bytes."""
    data, place = bytearray(), 0
    for match in _PACKED.finditer(template):
        letter, order, count = match.groups()
        if letter in "aAH":
            data += _packed_text(letter, count, items[place] if place < len(items) else None)
            place += 1
            continue
        amount = len(items) - place if count == "*" else int(count or 1)
        if amount > len(items) - place:
            raise RubyError("too few arguments", "ArgumentError")
        form = _form(letter, order)
        for item in items[place : place + amount]:
            data += _packed_number(form, item)
        place += amount
    return Binary(to_text(bytes(data)))


def _packed_text(letter: str, count: str | None, item: Any) -> bytes:
    raw = bytes_of(to_s(item))
    if letter == "H":
        digits = to_s(item)
        if not re.fullmatch(r"[0-9a-fA-F]*", digits):
            raise RubyError("H takes hexadecimal digits", "ArgumentError")
        return bytes.fromhex(digits + "0" * (len(digits) % 2))
    if count == "*":
        return raw
    size = min(int(count or 1), MOST_CHARACTERS)
    return raw[:size].ljust(size, b" " if letter == "A" else b"\0")


def _packed_number(form: str, item: Any) -> bytes:
    if form[1] in "fd":
        return struct.pack(form, number(item))
    bits = struct.calcsize(form) * 8
    value = integer(item) & ((1 << bits) - 1)
    return struct.pack(form.upper() if form[1] not in "fd" else form, value)


def unpack(text: str, template: str) -> list[Any]:
    """``text.unpack(template)``"""
    data, place, found = bytes_of(text), 0, list[Any]()
    for match in _PACKED.finditer(template):
        letter, order, count = match.groups()
        if letter in "aA":
            size = len(data) - place if count == "*" else int(count or 1)
            piece = data[place : place + size]
            found.append(to_text(piece.rstrip(b" \0") if letter == "A" else piece))
            place += size
            continue
        if letter == "H":
            size = len(data) - place if count == "*" else (int(count or 1) + 1) // 2
            found.append(data[place : place + size].hex())
            place += size
            continue
        form = _form(letter, order)
        size = struct.calcsize(form)
        amount = (len(data) - place) // size if count == "*" else min(int(count or 1), len(data) + 1)
        for _ in range(amount):
            piece = data[place : place + size]
            found.append(struct.unpack(form, piece)[0] if len(piece) == size else None)
            place += size
    return found
