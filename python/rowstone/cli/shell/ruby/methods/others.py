"""Methods of times, errors, procs and classes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.methods.general import COMPARABLE, ERROR_KINDS, OBJECT, ancestors
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.syntax.tokens import words
from rowstone.cli.shell.ruby.values import moments
from rowstone.cli.shell.ruby.values.conversions import integer, number, text
from rowstone.cli.shell.ruby.values.moments import Moment
from rowstone.cli.shell.ruby.values.objects import (
    MOST_ITEMS,
    ClassReference,
    ErrorObject,
    Hash,
    Proc,
    Range,
    Regex,
    ordered,
)
from rowstone.cli.shell.ruby.values.regexes import escaped, regex
from rowstone.cli.shell.values import RubyObject, Symbol, kind_of, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime

TIME = MethodTable(COMPARABLE)
ERROR = MethodTable(OBJECT)
PROC = MethodTable(OBJECT)
CLASS = MethodTable(OBJECT)

CONSTANTS: dict[str, dict[str, Any]] = {
    "Float": {
        "INFINITY": math.inf, "NAN": math.nan, "MAX": 1.7976931348623157e308, "MIN": 2.2250738585072014e-308,
        "EPSILON": 2.220446049250313e-16, "DIG": 15,
    },
    "Math": {"PI": math.pi, "E": math.e},
    "Regexp": {"IGNORECASE": 1, "EXTENDED": 2, "MULTILINE": 4},
}  # fmt: skip
"""Constants inside the classes of Ruby."""

CLASSES = ERROR_KINDS | words(
    "Array BasicObject Class Comparable Enumerable Enumerator FalseClass Float Hash Integer Java Kernel MatchData Math"
    " Module NilClass Numeric Object Proc Random Range Regexp String Symbol Time TrueClass"
)
"""Classes and modules of Ruby that a script can name."""


# --- moments


def _parts(names: str, part: Callable[[Any], Any]) -> None:
    @TIME.define(*names.split())
    def apply(run: Runtime, target: Moment) -> Any:
        return part(moments.parts(target))


_parts("year", lambda at: at.year)
_parts("month mon", lambda at: at.month)
_parts("day mday", lambda at: at.day)
_parts("hour", lambda at: at.hour)
_parts("min", lambda at: at.minute)
_parts("sec", lambda at: at.second)
_parts("usec", lambda at: at.microsecond)
_parts("nsec", lambda at: at.microsecond * 1000)
_parts("wday", lambda at: at.isoweekday() % 7)
_parts("yday", lambda at: at.timetuple().tm_yday)
_parts("utc_offset gmt_offset", lambda at: int(at.utcoffset().total_seconds()))
_parts("monday?", lambda at: at.isoweekday() == 1)
_parts("sunday?", lambda at: at.isoweekday() == 7)


@TIME.define("to_i")
def _to_i(run: Runtime, target: Moment) -> int:
    return int(target.seconds // 1)


@TIME.define("to_f")
def _to_f(run: Runtime, target: Moment) -> float:
    return float(target.seconds)


@TIME.define("getTime")
def _milliseconds(run: Runtime, target: Moment) -> int:
    return int(target.seconds * 1000 // 1)


@TIME.define("strftime")
def _strftime(run: Runtime, target: Moment, form: Any) -> str:
    return moments.strftime(target, text(form))


@TIME.define("iso8601", "xmlschema")
def _iso8601(run: Runtime, target: Moment) -> str:
    return moments.strftime(target, "%Y-%m-%dT%H:%M:%SZ" if target.is_utc else "%Y-%m-%dT%H:%M:%S%:z")


@TIME.define("utc", "gmtime", "getutc", "getgm")
def _utc(run: Runtime, target: Moment) -> Moment:
    return Moment(target.seconds, is_utc=True)


@TIME.define("localtime", "getlocal")
def _local(run: Runtime, target: Moment) -> Moment:
    return Moment(target.seconds)


@TIME.define("utc?")
def _is_utc(run: Runtime, target: Moment) -> bool:
    return target.is_utc


@TIME.define("+")
def _plus(run: Runtime, target: Moment, seconds: Any) -> Moment:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise RubyError(f"can't convert {kind_of(seconds)} into an exact number", "TypeError")
    return Moment(target.seconds + seconds, is_utc=target.is_utc)


@TIME.define("-")
def _minus(run: Runtime, target: Moment, other: Any) -> Any:
    if isinstance(other, Moment):
        return float(target.seconds - other.seconds)
    if isinstance(other, bool) or not isinstance(other, (int, float)):
        raise RubyError(f"can't convert {kind_of(other)} into an exact number", "TypeError")
    return Moment(target.seconds - other, is_utc=target.is_utc)


# --- errors


@ERROR.define("message", "to_s", "getMessage", "full_message")
def _message(run: Runtime, target: ErrorObject) -> str:
    return target.message


@ERROR.define("backtrace")
def _backtrace(run: Runtime, target: ErrorObject) -> list[str]:
    return []


@ERROR.define("cause")
def _cause(run: Runtime, target: ErrorObject) -> None:
    return None


# --- procs


@PROC.define("call", "()", "yield", "===", "[]")
def _call(run: Runtime, target: Proc, *arguments: Any) -> Any:
    return run.call(target, *arguments)


@PROC.define("to_proc")
def _to_proc(run: Runtime, target: Proc) -> Proc:
    return target


@PROC.define("lambda?")
def _is_lambda(run: Runtime, target: Proc) -> bool:
    return target.is_lambda


@PROC.define("arity")
def _arity(run: Runtime, target: Proc) -> int:
    if target.block is None:
        return -1
    parameters = target.block.parameters
    count = len(parameters.required)
    return -count - 1 if parameters.rest is not None or (parameters.optional and target.is_lambda) else count


# --- classes


@CLASS.define("name", "to_s", "simple_name", "getSimpleName")
def _name(run: Runtime, target: ClassReference) -> str:
    return target.name


@CLASS.define("ancestors")
def _ancestors(run: Runtime, target: ClassReference) -> list[ClassReference]:
    return [ClassReference(name) for name in ancestors(target.name)]


@CLASS.define("superclass")
def _superclass(run: Runtime, target: ClassReference) -> ClassReference:
    return ClassReference(ancestors(target.name)[1])


@CLASS.define("<=")
def _is_below(run: Runtime, target: ClassReference, other: Any) -> bool:
    return isinstance(other, ClassReference) and other.name in ancestors(target.name)


@CLASS.define("new", "exception")
def _new(run: Runtime, target: ClassReference, *arguments: Any, block: Proc | None = None) -> Any:
    if target.name in ERROR_KINDS:
        return ErrorObject(target.name, to_s(arguments[0]) if arguments else target.name)
    make = _MAKERS.get(target.name)
    if make is None:
        raise run.unknown_method(target, "new")
    return make(run, list(arguments), block)


def _new_array(run: Runtime, arguments: list[Any], block: Proc | None) -> list[Any]:
    if arguments and isinstance(arguments[0], list):
        return list(arguments[0])
    count = integer(arguments[0]) if arguments else 0
    if count < 0 or count > MOST_ITEMS:
        raise RubyError("negative array size" if count < 0 else "array size too big", "ArgumentError")
    filling = arguments[1] if len(arguments) > 1 else None
    return [filling if block is None else run.call(block, place) for place in range(count)]


def _new_hash(run: Runtime, arguments: list[Any], block: Proc | None) -> Hash:
    found = Hash(default=arguments[0] if arguments else None)
    found.default_block = block
    return found


def _new_range(run: Runtime, arguments: list[Any], block: Proc | None) -> Range:
    first, last, *rest = [*arguments, None, None][: max(2, len(arguments))]
    return Range(first, last, bool(rest and rest[0]))


def _new_regex(run: Runtime, arguments: list[Any], block: Proc | None) -> Regex:
    source = arguments[0] if arguments else None
    if isinstance(source, Regex):
        return source
    flags = arguments[1] if len(arguments) > 1 else 0
    letters = "i" if flags is True else ""
    if isinstance(flags, int) and not isinstance(flags, bool):
        letters = "".join(letter for bit, letter in ((1, "i"), (2, "x"), (4, "m")) if flags & bit)
    return regex(text(source), letters)


def _new_time(run: Runtime, arguments: list[Any], block: Proc | None) -> Moment:
    if not arguments:
        return Moment(time.time())
    return moments.local(integer(arguments[0]), [integer(part) for part in arguments[1:6]], is_utc=False)


_MAKERS: dict[str, Callable[[Runtime, list[Any], Proc | None], Any]] = {
    "Array": _new_array,
    "Hash": _new_hash,
    "String": lambda run, arguments, block: text(arguments[0]) if arguments else "",
    "Range": _new_range,
    "Regexp": _new_regex,
    "Time": _new_time,
    "Proc": lambda run, arguments, block: run.needed(block),
    "Object": lambda run, arguments, block: RubyObject(),
}


def class_method(run: Runtime, kind: str, method: str, arguments: list[Any]) -> Any:
    """Call ``kind.method(*arguments)`` for a method specific to one class.

    Raises:
        KeyError: The class has no such method. RubyError: The method refuses the arguments.
    """
    return _CLASS_METHODS[kind, method](run, *arguments)


def has_class_method(kind: str, method: str) -> bool:
    """Whether the class has this method of its own."""
    return (kind, method) in _CLASS_METHODS


def _at(run: Runtime, seconds: Any, micros: Any = 0) -> Moment:
    if isinstance(seconds, Moment):
        return seconds
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise RubyError(f"can't convert {kind_of(seconds)} into an exact number", "TypeError")
    return Moment(seconds + number(micros) / 1e6 if micros else seconds)


def random_number(run: Runtime, limit: Any = None) -> Any:
    """``rand(limit)``"""
    import random  # seldom needed

    if limit is None or limit == 0:
        return random.random()
    if isinstance(limit, Range):
        last = integer(limit.last) - limit.excludes_end
        if ordered(limit.first, last) > 0:
            return None
        return random.randint(integer(limit.first), last)
    if isinstance(limit, float):
        return random.random() * limit
    most = abs(integer(limit))
    return random.randrange(most) if most else random.random()


def _math(function: Callable[..., float]) -> Callable[..., float]:
    def compute(run: Runtime, *arguments: Any) -> float:
        try:
            return function(*map(number, arguments))
        except (ValueError, ZeroDivisionError, OverflowError):
            raise RubyError("Numerical argument is out of domain", "Math::DomainError") from None

    return compute


_CLASS_METHODS: dict[tuple[str, str], Callable[..., Any]] = {
    ("Time", "now"): lambda run: Moment(time.time()),
    ("Time", "at"): _at,
    ("Time", "parse"): lambda run, written: moments.parsed(text(written)),
    ("Time", "mktime"): lambda run, year, *rest: moments.local(integer(year), [*map(integer, rest)], is_utc=False),
    ("Time", "local"): lambda run, year, *rest: moments.local(integer(year), [*map(integer, rest)], is_utc=False),
    ("Time", "utc"): lambda run, year, *rest: moments.local(integer(year), [*map(integer, rest)], is_utc=True),
    ("Time", "gm"): lambda run, year, *rest: moments.local(integer(year), [*map(integer, rest)], is_utc=True),
    ("Regexp", "escape"): lambda run, value: escaped(text(value)),
    ("Regexp", "quote"): lambda run, value: escaped(text(value)),
    ("Regexp", "union"): lambda run, *values: regex(
        "|".join(value.source if isinstance(value, Regex) else escaped(text(value)) for value in _flat(values))
    ),
    ("Random", "rand"): random_number,
    ("Kernel", "rand"): random_number,
    ("String", "from_java_bytes"): lambda run, data: to_s(data),
    ("Hash", "[]"): lambda run, *pairs: Hash((pair[0], pair[1]) for pair in (pairs[0] if pairs else ())),
    ("Math", "sqrt"): _math(math.sqrt),
    ("Math", "cbrt"): _math(lambda value: math.copysign(abs(value) ** (1 / 3), value)),
    ("Math", "log"): _math(math.log),
    ("Math", "log2"): _math(math.log2),
    ("Math", "log10"): _math(math.log10),
    ("Math", "exp"): _math(math.exp),
    ("Math", "sin"): _math(math.sin),
    ("Math", "cos"): _math(math.cos),
    ("Math", "tan"): _math(math.tan),
    ("Math", "pow"): _math(math.pow),
    ("Math", "hypot"): _math(math.hypot),
    ("Integer", "sqrt"): lambda run, value: math.isqrt(integer(value)),
    ("Symbol", "all_symbols"): lambda run: list[Symbol](),
}


def _flat(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(values[0]) if len(values) == 1 and isinstance(values[0], list) else values
