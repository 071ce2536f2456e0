"""Decimal numbers as HBase writes them: four bytes of scale, then the unscaled number in two's complement."""

from __future__ import annotations

from decimal import Decimal

from rowstone.errors import InvalidArgument


def decimal_bytes(value: object) -> bytes | None:
    """Encode a decimal number; None for any other object."""
    if not isinstance(value, Decimal):
        return None
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise InvalidArgument(f"{value} is not a number that HBase can hold")
    unscaled = int("".join(map(str, digits)) or "0")
    unscaled = -unscaled if sign else unscaled
    magnitude = unscaled if unscaled >= 0 else ~unscaled
    scale = (-exponent).to_bytes(4, "big", signed=True)
    return scale + unscaled.to_bytes(magnitude.bit_length() // 8 + 1, "big", signed=True)


def decimal_of(data: bytes) -> Decimal:
    """Decode a decimal number."""
    scale = int.from_bytes(data[:4], "big", signed=True)
    unscaled = int.from_bytes(data[4:], "big", signed=True)
    digits = tuple(map(int, str(abs(unscaled))))
    return Decimal((int(unscaled < 0), digits, -scale))
