"""Numbers, text, booleans and times, as HBase's ``Bytes`` writes them.

| codec | bytes |
|---|---|
| int8 … int64 | two's complement, big-endian: ``Bytes.toBytes(short, int, long)``, and counters |
| uint8 … uint64 | big-endian |
| float32, float64 | IEEE 754, big-endian: ``Bytes.toBytes(float, double)`` |
| bool | FF or 00: ``Bytes.toBytes(boolean)``; any byte but 00 is read as true |
| decimal | 4 bytes scale, then the digits as a number in two's complement: ``Bytes.toBytes(BigDecimal)`` |
| text | UTF-8 |
| datetime | milliseconds since 1970 as int64; fractions of a millisecond are dropped |

Unlike the parts of a row key, these encodings do not sort, because nothing sorts by values.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from rowstone import _native
from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument, InvalidType

_LONG_BITS = 256
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Functions = tuple[Callable[[Any], bytes], Callable[[bytes], Any], str]


def of_type(name: str, value: Any, *types: type) -> Any:
    """Return the value if it has one of the types. Raises `InvalidType`; a bool is not a number."""
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        wanted = " or ".join(one.__name__ for one in types)
        raise InvalidType(f"codec '{name}' takes {wanted}, not {type(value).__name__}")
    return value


def sized(name: str, data: bytes, size: int) -> bytes:
    """Return the bytes if they have the codec's length. Raises `InvalidArgument`."""
    if len(data) != size:
        raise InvalidArgument(
            f"codec '{name}' reads {size} byte{'s' if size > 1 else ''}, not {len(data)}: '{printable(data, 20)}'"
        )
    return data


def _integer(name: str, size: int, signed: bool) -> Functions:
    kind = name.replace("uint", "UInt").replace("int", "Int")
    low = -(1 << (8 * size - 1)) if signed else 0
    high = low + (1 << 8 * size) - 1

    def encode(value: Any) -> bytes:
        number: int = of_type(name, value, int)
        if not low <= number <= high:
            raise InvalidArgument(f"{_describe(number)} does not fit codec '{name}': {low} to {high}")
        return number.to_bytes(size, "big", signed=signed)

    return encode, lambda data: int.from_bytes(sized(name, data, size), "big", signed=signed), kind


def _float(name: str, form: str) -> Functions:
    size = struct.calcsize(form)

    def encode(value: Any) -> bytes:
        try:
            return struct.pack(form, of_type(name, value, float, int))
        except (OverflowError, struct.error):
            raise InvalidArgument(f"{_describe(value)} does not fit codec '{name}'") from None

    return encode, lambda data: struct.unpack(form, sized(name, data, size))[0], name


def _describe(number: float) -> str:
    """Return a number as text, or the size of one that is too long for Python to print."""
    is_long = isinstance(number, int) and number.bit_length() > _LONG_BITS
    return f"an int of {int(number).bit_length()} bits" if is_long else str(number)


@contextmanager
def _limited() -> Iterator[None]:
    """Raise `InvalidArgument` if the block converts more digits than Python allows, because that takes long."""
    try:
        yield
    except ValueError:
        most = sys.get_int_max_str_digits()
        raise InvalidArgument(
            f"codec 'decimal' converts at most {most} digits, Python's limit; sys.set_int_max_str_digits() sets another"
        ) from None


def _encode_bool(value: Any) -> bytes:
    return b"\xff" if of_type("bool", value, bool) else b"\0"


def _encode_decimal(value: Any) -> bytes:
    number = Decimal(of_type("decimal", value, Decimal, int))
    sign, digits, exponent = number.as_tuple()
    if not isinstance(exponent, int):
        raise InvalidArgument(f"codec 'decimal' has no {value}")
    with _limited():
        unscaled = int("".join(map(str, digits)) or "0") * (-1 if sign else 1)
    size = (unscaled if unscaled >= 0 else ~unscaled).bit_length() // 8 + 1
    try:
        return (-exponent).to_bytes(4, "big", signed=True) + unscaled.to_bytes(size, "big", signed=True)
    except OverflowError:
        raise InvalidArgument(f"the exponent of {value} does not fit codec 'decimal'") from None


def _decode_decimal(data: bytes) -> Decimal:
    if len(data) < 5:
        raise InvalidArgument(f"codec 'decimal' reads 5 bytes or more, not {len(data)}")
    unscaled = int.from_bytes(data[4:], "big", signed=True)
    with _limited():
        digits = tuple(map(int, str(abs(unscaled))))
    return Decimal((int(unscaled < 0), digits, -int.from_bytes(data[:4], "big", signed=True)))


def _encode_text(value: Any) -> bytes:
    try:
        data: bytes = of_type("text", value, str).encode()
    except UnicodeEncodeError:
        raise InvalidArgument(f"{value!r} has no UTF-8: a surrogate") from None
    return data


def _decode_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InvalidArgument(f"codec 'text' reads UTF-8, not '{printable(data, 20)}': {error.reason}") from None


def _encode_datetime(value: Any) -> bytes:
    moment: datetime = of_type("datetime", value, datetime)
    if moment.utcoffset() is None:
        raise InvalidArgument(f"datetime {moment} has no time zone; pass an aware one")
    return _native.epoch_ms(moment).to_bytes(8, "big", signed=True)


def _decode_datetime(data: bytes) -> datetime:
    number = int.from_bytes(sized("datetime", data, 8), "big", signed=True)
    try:
        return _EPOCH + timedelta(milliseconds=number)
    except OverflowError:
        raise InvalidArgument(f"{number} milliseconds are no datetime of Python: years 1 to 9999") from None


def _bytes(value: Any) -> bytes:
    return bytes(of_type("bytes", value, bytes, bytearray, memoryview))


CODECS: dict[str, Functions] = {
    **{f"int{8 * size}": _integer(f"int{8 * size}", size, True) for size in (1, 2, 4, 8)},
    **{f"uint{8 * size}": _integer(f"uint{8 * size}", size, False) for size in (1, 2, 4, 8)},
    "float32": _float("float32", ">f"),
    "float64": _float("float64", ">d"),
    "bool": (_encode_bool, lambda data: sized("bool", data, 1) != b"\0", "boolean"),
    "decimal": (_encode_decimal, _decode_decimal, "object"),
    "text": (_encode_text, _decode_text, "object"),
    "datetime": (_encode_datetime, _decode_datetime, "datetime64[ms, UTC]"),
    "bytes": (_bytes, bytes, "object"),
}
"""Encoder, decoder and type of a pandas column, by name."""
