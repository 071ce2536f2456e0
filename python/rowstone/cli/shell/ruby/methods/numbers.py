"""Methods of numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.methods.general import COMPARABLE
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.values.conversions import integer
from rowstone.cli.shell.ruby.values.objects import Proc, equal
from rowstone.cli.shell.values import inspect, kind_of

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime

NUMERIC = MethodTable(COMPARABLE)
INTEGER = MethodTable(NUMERIC)
FLOAT = MethodTable(NUMERIC)

MOST_BITS = 1_000_000
"""Maximum bits of an integer that a power or a shift creates."""


def _operand(target: Any, other: Any) -> Any:
    if isinstance(other, bool) or not isinstance(other, (int, float)):
        shown = inspect(other) if other is None or isinstance(other, bool) else kind_of(other)
        raise RubyError(f"{shown} can't be coerced into {kind_of(target)}", "TypeError")
    return other


def _arithmetic(sign: str, compute: Callable[[Any, Any], Any]) -> None:
    @NUMERIC.define(sign)
    def apply(run: Runtime, target: Any, other: Any) -> Any:
        right = _operand(target, other)
        if isinstance(target, int) and isinstance(right, int):
            _check_bits(target.bit_length() + right.bit_length())
        try:
            return compute(target, right)
        except OverflowError:
            return float("inf")


def _check_bits(bits: int) -> None:
    if bits > MOST_BITS:
        raise RubyError(f"a number has at most {MOST_BITS} bits here", "RangeError")


_arithmetic("+", operator.add)
_arithmetic("-", operator.sub)
_arithmetic("*", operator.mul)


@NUMERIC.define("/")
def _divide(run: Runtime, target: Any, other: Any) -> Any:
    right = _operand(target, other)
    if isinstance(target, int) and isinstance(right, int):
        if right == 0:
            raise RubyError("divided by 0", "ZeroDivisionError")
        return target // right
    return _real_quotient(float(target), float(right))


def _real_quotient(left: float, right: float) -> float:
    if right == 0:
        return (
            float("nan") if left == 0 or left != left else math.copysign(float("inf"), left) * math.copysign(1, right)
        )
    return left / right


@NUMERIC.define("fdiv")
def _fdiv(run: Runtime, target: Any, other: Any) -> float:
    return _real_quotient(float(target), float(_operand(target, other)))


@NUMERIC.define("%", "modulo")
def _modulo(run: Runtime, target: Any, other: Any) -> Any:
    right = _operand(target, other)
    if right == 0:
        if isinstance(target, int) and isinstance(right, int):
            raise RubyError("divided by 0", "ZeroDivisionError")
        return float("nan")
    return target % right


@NUMERIC.define("div")
def _div(run: Runtime, target: Any, other: Any) -> int:
    right = _operand(target, other)
    if right == 0:
        raise RubyError("divided by 0", "ZeroDivisionError")
    return integer(target // right)


@NUMERIC.define("divmod")
def _divmod(run: Runtime, target: Any, other: Any) -> list[Any]:
    right = _operand(target, other)
    if right == 0:
        raise RubyError("divided by 0", "ZeroDivisionError")
    return [integer(target // right), target % right]


@INTEGER.define("pow")
@NUMERIC.define("**")
def _power(run: Runtime, target: Any, other: Any) -> Any:
    right = _operand(target, other)
    if isinstance(target, int) and isinstance(right, int):
        if right < 0:
            raise RubyError(
                "a negative power of a whole number is a Rational, which this shell does not have", "TypeError"
            )
        _check_bits(target.bit_length() * right if abs(target) > 1 else 1)
        return target**right
    try:
        found = target**right
    except (OverflowError, ZeroDivisionError):
        return float("inf")
    return float("nan") if isinstance(found, complex) else found


@NUMERIC.define("-@")
def _negative(run: Runtime, target: Any) -> Any:
    return -target


@NUMERIC.define("+@")
def _positive(run: Runtime, target: Any) -> Any:
    return target


@NUMERIC.define("==", "===")
def _equal(run: Runtime, target: Any, other: Any) -> bool:
    return equal(target, other)


@NUMERIC.define("eql?")
def _eql(run: Runtime, target: Any, other: Any) -> bool:
    return type(target) is type(other) and equal(target, other)


@NUMERIC.define("abs", "magnitude")
def _abs(run: Runtime, target: Any) -> Any:
    return abs(target)


@NUMERIC.define("to_i", "to_int", "truncate", "intValue", "longValue")
def _to_i(run: Runtime, target: Any) -> int:
    return integer(target)


@NUMERIC.define("to_f", "doubleValue")
def _to_f(run: Runtime, target: Any) -> float:
    try:
        return float(target)
    except OverflowError:
        return float("inf") if target > 0 else float("-inf")


@NUMERIC.define("zero?")
def _is_zero(run: Runtime, target: Any) -> bool:
    return bool(target == 0)


@NUMERIC.define("nonzero?")
def _nonzero(run: Runtime, target: Any) -> Any:
    return target or None


@NUMERIC.define("positive?")
def _is_positive(run: Runtime, target: Any) -> bool:
    return bool(target > 0)


@NUMERIC.define("negative?")
def _is_negative(run: Runtime, target: Any) -> bool:
    return bool(target < 0)


@NUMERIC.define("integer?")
def _is_integer(run: Runtime, target: Any) -> bool:
    return isinstance(target, int)


@NUMERIC.define("finite?")
def _is_finite(run: Runtime, target: Any) -> bool:
    return isinstance(target, int) or math.isfinite(target)


@NUMERIC.define("infinite?")
def _infinite(run: Runtime, target: Any) -> int | None:
    return (1 if target > 0 else -1) if isinstance(target, float) and math.isinf(target) else None


def _rounded(target: Any, digits: Any, whole: Callable[[float], int], step: Callable[[Any, int], Any]) -> Any:
    places = integer(digits)
    if isinstance(target, int):
        return target if places >= 0 or places < -400 else step(target, 10**-places)
    if places > 0:
        return target if places > 300 or not math.isfinite(target) else _at_places(target, places, whole)
    if not math.isfinite(target):
        raise RubyError(inspect(target), "FloatDomainError")
    return whole(target) if places == 0 or places < -400 else step(whole(target), 10**-places)


def _at_places(target: float, places: int, whole: Callable[[float], int]) -> float:
    if whole is _half_up:
        from decimal import ROUND_HALF_UP, Context, Decimal  # seldom needed

        return float(Decimal(repr(target)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, Context(prec=800)))
    scaled = target * 10.0**places
    return whole(scaled) / 10.0**places if math.isfinite(scaled) else target


def _half_up(value: float) -> int:
    return math.floor(abs(value) + 0.5) * (-1 if value < 0 else 1)


@NUMERIC.define("round")
def _round(run: Runtime, target: Any, digits: Any = 0) -> Any:
    return _rounded(target, digits, _half_up, _to_nearest)


def _to_nearest(value: int, step: int) -> int:
    return (abs(value) + step // 2) // step * step * (-1 if value < 0 else 1)


@NUMERIC.define("floor")
def _floor(run: Runtime, target: Any, digits: Any = 0) -> Any:
    return _rounded(target, digits, math.floor, lambda value, step: value // step * step)


@NUMERIC.define("ceil")
def _ceil(run: Runtime, target: Any, digits: Any = 0) -> Any:
    return _rounded(target, digits, math.ceil, lambda value, step: -(-value // step) * step)


def _steps(target: Any, limit: Any, step: Any) -> Iterator[Any]:
    _operand(target, step)
    if step == 0:
        raise RubyError("step can't be 0", "ArgumentError")
    if isinstance(target, float) or isinstance(limit, float) or isinstance(step, float):
        count = math.floor((limit - target) / step + 1e-9)
        yield from (target + place * step for place in range(count + 1))
        return
    number = target
    while limit is None or (number <= limit if step > 0 else number >= limit):
        yield number
        number += step


@NUMERIC.define("step", waits=True)
def _step(run: Runtime, target: Any, limit: Any = None, step: Any = 1, *, block: Proc | None = None) -> Any:
    if limit is not None:
        _operand(target, limit)
    for number in _steps(target, limit, step):
        run.call(run.needed(block), number)
    return target


@NUMERIC.define("coerce")
def _coerce(run: Runtime, target: Any, other: Any) -> list[Any]:
    right = _operand(target, other)
    return [right, target] if isinstance(target, int) and isinstance(right, int) else [float(right), float(target)]


@INTEGER.define("times", waits=True)
def _times(run: Runtime, target: int, *, block: Proc | None = None) -> int:
    call, needed = run.call, run.needed(block)
    for number in range(target):
        call(needed, number)
    return target


@INTEGER.define("upto", waits=True)
def _upto(run: Runtime, target: int, last: Any, *, block: Proc | None = None) -> int:
    number = target
    while number <= _operand(target, last):
        run.call(run.needed(block), number)
        number += 1
    return target


@INTEGER.define("downto", waits=True)
def _downto(run: Runtime, target: int, last: Any, *, block: Proc | None = None) -> int:
    number = target
    while number >= _operand(target, last):
        run.call(run.needed(block), number)
        number -= 1
    return target


@INTEGER.define("succ", "next")
def _succ(run: Runtime, target: int) -> int:
    return target + 1


@INTEGER.define("pred")
def _pred(run: Runtime, target: int) -> int:
    return target - 1


@INTEGER.define("even?")
def _is_even(run: Runtime, target: int) -> bool:
    return target % 2 == 0


@INTEGER.define("odd?")
def _is_odd(run: Runtime, target: int) -> bool:
    return target % 2 == 1


@INTEGER.define("chr")
def _chr(run: Runtime, target: int, encoding: Any = None) -> str:
    if not 0 <= target < (0x110000 if encoding is not None else 256):
        raise RubyError(f"{target} out of char range", "RangeError")
    return bytes([target]).decode(errors="surrogateescape") if encoding is None else chr(target)


@INTEGER.define("ord")
def _ord(run: Runtime, target: int) -> int:
    return target


@INTEGER.define("to_s", "inspect", "toString")
def _to_s(run: Runtime, target: int, base: Any = 10) -> str:
    radix = integer(base)
    if not 2 <= radix <= 36:
        raise RubyError(f"invalid radix {radix}", "ArgumentError")
    if radix == 10:
        return inspect(target)
    digits, rest = [], abs(target)
    while rest:
        rest, digit = divmod(rest, radix)
        digits.append("0123456789abcdefghijklmnopqrstuvwxyz"[digit])
    return ("-" if target < 0 else "") + ("".join(reversed(digits)) or "0")


@INTEGER.define("digits")
def _digits(run: Runtime, target: int) -> list[int]:
    if target < 0:
        raise RubyError("out of domain", "Math::DomainError")
    return [int(digit) for digit in reversed(inspect(target))]


@INTEGER.define("gcd")
def _gcd(run: Runtime, target: int, other: Any) -> int:
    return math.gcd(target, integer(other))


@INTEGER.define("lcm")
def _lcm(run: Runtime, target: int, other: Any) -> int:
    return math.lcm(target, integer(other))


@INTEGER.define("bit_length")
def _bit_length(run: Runtime, target: int) -> int:
    return target.bit_length()


@INTEGER.define("size")
def _size(run: Runtime, target: int) -> int:
    return 8 if target.bit_length() < 64 else (target.bit_length() + 63) // 64 * 8


def _whole(target: int, other: Any) -> int:
    if isinstance(_operand(target, other), float):
        raise RubyError(f"{inspect(other)} can't be coerced into {kind_of(target)}", "TypeError")
    return int(other)


@INTEGER.define("&")
def _and(run: Runtime, target: int, other: Any) -> int:
    return target & _whole(target, other)


@INTEGER.define("|")
def _or(run: Runtime, target: int, other: Any) -> int:
    return target | _whole(target, other)


@INTEGER.define("^")
def _either(run: Runtime, target: int, other: Any) -> int:
    return target ^ _whole(target, other)


@INTEGER.define("<<")
def _shift_left(run: Runtime, target: int, count: Any) -> int:
    by = integer(count)
    if by < 0:
        return target >> -by
    _check_bits(target.bit_length() + by)
    return target << by


@INTEGER.define(">>")
def _shift_right(run: Runtime, target: int, count: Any) -> int:
    by = integer(count)
    if by < 0:
        _check_bits(target.bit_length() - by)
        return target << -by
    return target >> by


@INTEGER.define("[]")
def _bit(run: Runtime, target: int, place: Any) -> int:
    at = integer(place)
    return target >> min(at, MOST_BITS) & 1 if at >= 0 else 0


@FLOAT.define("nan?")
def _is_nan(run: Runtime, target: float) -> bool:
    return target != target
