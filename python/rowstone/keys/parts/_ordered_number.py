"""Numbers of any size as HBase's OrderedBytes writes them ("Numeric").

A number is ±M · 100**E with 0.01 <= M < 1. M is written as digits of base 100, each 2d + 1, the last one 2d.

    -infinity  07                        0                15
    E > 10     08 ~E ~M                  E < 0 (or 0)     16 ~(-E) M        (|x| < 1)
    E <= 10    13-E ~M   (|x| >= 1)      E <= 10          17+E M            (|x| >= 1)
    |x| < 1    14 (-E) ~M                E > 10           22 E M
                                         infinity 23      NaN 26

E is written as a variable-length number (`_varint`), "~" is the complement. Descending, all bytes are.

Source: HBase's ``OrderedBytes.encodeNumeric``: 31 digits are kept, rounded half up. What is rounded up to 1 is
written as 1 here; HBase 2.6 writes it so that it sorts before everything else below 1.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_UP, Context, Decimal

from rowstone.errors import InvalidArgument
from rowstone.keys.parts._reverse import complement

MOST_DIGITS = 31
MOST_EXPONENT = 350
"""The limit of HBase's loop; larger exponents are written in a form that HBase cannot read."""

_CONTEXT = Context(prec=MOST_DIGITS, rounding=ROUND_HALF_UP, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_HEADER_ONLY = {0x07: Decimal("-Infinity"), 0x15: Decimal(0), 0x23: Decimal("Infinity"), 0x26: Decimal("NaN")}


def encode_number(value: int | float | Decimal) -> bytes:
    """Encode a number, ascending.

    Raises:
        InvalidArgument: The number is 10**700 or more.
    """
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if number.is_nan():
        return b"\x26"
    if number.is_infinite():
        return b"\x07" if number < 0 else b"\x23"
    if not number:
        return b"\x15"
    number = _CONTEXT.plus(number)
    exponent, mantissa = _parts(number)
    if exponent > MOST_EXPONENT:
        raise InvalidArgument(f"number {value} is too large: its absolute value must be below 1E+{2 * MOST_EXPONENT}")
    is_negative = number < 0
    digits = complement(mantissa) if is_negative else mantissa
    if exponent <= 0:
        size = _varint(-exponent)
        return b"\x14" + size + digits if is_negative else b"\x16" + complement(size) + digits
    if exponent > 10:
        size = _varint(exponent)
        return b"\x08" + complement(size) + digits if is_negative else b"\x22" + size + digits
    return bytes([0x13 - exponent if is_negative else 0x17 + exponent]) + digits


def _parts(number: Decimal) -> tuple[int, bytes]:
    """Exponent and mantissa: the number is mantissa · 100**exponent."""
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0")
    # The position of the decimal point relative to the first digit.
    point = number.adjusted() + 1
    exponent = -(-point // 2)
    if point % 2:
        digits = "0" + digits
    if len(digits) % 2:
        digits += "0"
    pairs = [int(digits[place : place + 2]) for place in range(0, len(digits), 2)]
    return exponent, bytes([2 * pair + 1 for pair in pairs[:-1]] + [2 * pairs[-1]])


def decode_number(data: bytes, start: int) -> tuple[Decimal, int]:
    """Decode a number at ``start`` of ascending bytes; return the position after it, too. Raises `InvalidArgument`."""
    header = _byte(data, start)
    if header in _HEADER_ONLY:
        return _HEADER_ONLY[header], start + 1
    is_negative = header <= 0x14
    place = start + 1
    if header in (0x08, 0x22):
        exponent, place = _from_varint(data, place, is_negative)
    elif 0x09 <= header <= 0x13:
        exponent = 0x13 - header
    elif header in (0x14, 0x16):
        exponent, place = _from_varint(data, place, not is_negative)
        exponent = -exponent
    elif 0x17 <= header <= 0x21:
        exponent = header - 0x17
    else:
        raise InvalidArgument(f"0x{header:02x} at {start} begins no number of OrderedBytes")
    digits = ""
    while True:
        byte = _byte(data, place) ^ (0xFF if is_negative else 0)
        place += 1
        digits += f"{byte // 2:02}"
        if byte % 2 == 0:
            break
    number = Decimal(f"{'-' if is_negative else ''}{digits}E{2 * exponent - len(digits)}")
    return _CONTEXT.normalize(number), place


def _byte(data: bytes, place: int) -> int:
    if place >= len(data):
        raise InvalidArgument(f"the number of OrderedBytes does not end: there are {len(data)} bytes")
    return data[place]


def _varint(number: int) -> bytes:
    """One byte up to 240, two up to 2287; larger exponents do not occur."""
    if number < 241:
        return bytes([number])
    if number < 2288:
        return bytes([(number - 240) // 256 + 241, (number - 240) % 256])
    if number < 67824:
        return bytes([249, (number - 2288) // 256, (number - 2288) % 256])
    raise InvalidArgument(
        f"a number has the exponent -{2 * number}: too small, its absolute value must be 1E-135646 or more"
    )


def _from_varint(data: bytes, place: int, is_flipped: bool) -> tuple[int, int]:
    flip = 0xFF if is_flipped else 0
    first = _byte(data, place) ^ flip
    if first < 241:
        return first, place + 1
    second = _byte(data, place + 1) ^ flip
    if first < 249:
        return (first - 241) * 256 + second + 240, place + 2
    if first == 249:
        return 2288 + 256 * second + (_byte(data, place + 2) ^ flip), place + 3
    raise InvalidArgument(f"0x{first:02x} at {place} is an exponent beyond all numbers of OrderedBytes")
