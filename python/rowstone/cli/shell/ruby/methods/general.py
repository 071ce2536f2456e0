"""Methods of every value, and of comparable values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.values.conversions import name
from rowstone.cli.shell.ruby.values.objects import (
    ClassReference,
    Hash,
    Proc,
    compare,
    equal,
    key_token,
    ordered,
    truthy,
)
from rowstone.cli.shell.values import Symbol, inspect, kind_of, to_bytes, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime

OBJECT = MethodTable()
COMPARABLE = MethodTable(OBJECT)

_ANCESTORS: dict[str, tuple[str, ...]] = {
    "Integer": ("Numeric", "Comparable"),
    "Float": ("Numeric", "Comparable"),
    "String": ("Comparable",),
    "Symbol": ("Comparable",),
    "Time": ("Comparable",),
    "Array": ("Enumerable",),
    "Hash": ("Enumerable",),
    "Range": ("Enumerable",),
    "Enumerator": ("Enumerable",),
}

_ERRORS = {
    "StandardError": "Exception", "ScriptError": "Exception", "NoMemoryError": "Exception",
    "SystemStackError": "Exception", "SystemExit": "Exception", "SecurityError": "Exception",
    "Interrupt": "SignalException", "SignalException": "Exception",
    "ArgumentError": "StandardError", "EncodingError": "StandardError", "FiberError": "StandardError",
    "IOError": "StandardError", "EOFError": "IOError", "IndexError": "StandardError", "KeyError": "IndexError",
    "StopIteration": "IndexError", "LocalJumpError": "StandardError", "NameError": "StandardError",
    "NoMethodError": "NameError", "RangeError": "StandardError", "FloatDomainError": "RangeError",
    "RegexpError": "StandardError", "RuntimeError": "StandardError", "FrozenError": "RuntimeError",
    "ThreadError": "StandardError", "TypeError": "StandardError", "ZeroDivisionError": "StandardError",
    "LoadError": "ScriptError", "NotImplementedError": "ScriptError", "SyntaxError": "ScriptError",
    "UncaughtThrowError": "ArgumentError",
}  # fmt: skip

ERROR_KINDS = frozenset({*_ERRORS, "Exception"})
"""Names of classes of errors."""


def ancestors(kind: str) -> tuple[str, ...]:
    """A class and its ancestors."""
    found = [kind]
    while found[-1] in _ERRORS:
        found.append(_ERRORS[found[-1]])
    return (*found, *_ANCESTORS.get(kind, ()), "Object", "Kernel", "BasicObject")


def is_kind(value: Any, kind: ClassReference) -> bool:
    """Whether a value is an instance of a class or its subclasses."""
    return kind.name in ancestors(kind_of(value))


@OBJECT.define("class")
def _class(run: Runtime, target: Any) -> Any:
    return ClassReference(kind_of(target))


@OBJECT.define("inspect")
def _inspect(run: Runtime, target: Any) -> str:
    return inspect(target)


@OBJECT.define("to_s", "toString")
def _to_s(run: Runtime, target: Any) -> str:
    return to_s(target)


@OBJECT.define("nil?")
def _is_nil(run: Runtime, target: Any) -> bool:
    return target is None


@OBJECT.define("==", "===", "eql?", "equals")
def _equal(run: Runtime, target: Any, other: Any) -> bool:
    return equal(target, other)


@OBJECT.define("equal?")
def _same(run: Runtime, target: Any, other: Any) -> bool:
    return target is other or (isinstance(target, (int, Symbol)) and equal(target, other))


@OBJECT.define("=~")
def _no_match(run: Runtime, target: Any, other: Any) -> None:
    return None


@OBJECT.define("<=>")
def _compare(run: Runtime, target: Any, other: Any) -> int | None:
    return compare(target, other)


@OBJECT.define("is_a?", "kind_of?")
def _is_a(run: Runtime, target: Any, kind: Any) -> bool:
    if not isinstance(kind, ClassReference):
        raise RubyError("class or module required", "TypeError")
    return is_kind(target, kind)


@OBJECT.define("instance_of?")
def _instance_of(run: Runtime, target: Any, kind: Any) -> bool:
    if not isinstance(kind, ClassReference):
        raise RubyError("class or module required", "TypeError")
    return kind.name == kind_of(target)


@OBJECT.define("respond_to?")
def _respond_to(run: Runtime, target: Any, method: Any, private: Any = None) -> bool:
    return run.has_method(target, name(method))


@OBJECT.define("methods")
def _methods(run: Runtime, target: Any) -> list[Symbol]:
    return [Symbol(name) for name in sorted(run.method_names(target))]


@OBJECT.define("send", "public_send", "__send__")
def _send(run: Runtime, target: Any, method: Any, *arguments: Any, block: Proc | None = None) -> Any:
    return run.send(target, name(method), list(arguments), block)


@OBJECT.define("tap")
def _tap(run: Runtime, target: Any, *, block: Proc | None = None) -> Any:
    run.call(run.needed(block), target)
    return target


@OBJECT.define("yield_self", "then")
def _then(run: Runtime, target: Any, *, block: Proc | None = None) -> Any:
    return run.call(run.needed(block), target)


@OBJECT.define("itself", "freeze")
def _itself(run: Runtime, target: Any) -> Any:
    return target


@OBJECT.define("dup", "clone")
def _dup(run: Runtime, target: Any) -> Any:
    if isinstance(target, list):
        return list(target)
    if isinstance(target, Hash):
        copy = Hash(target, target.default)
        copy.default_block = target.default_block
        return copy
    return target


@OBJECT.define("frozen?")
def _is_frozen(run: Runtime, target: Any) -> bool:
    return target is None or isinstance(target, (bool, int, float, Symbol))


@OBJECT.define("hash", "object_id", "__id__", "hashCode")
def _hash(run: Runtime, target: Any) -> int:
    return hash(key_token(target))


@OBJECT.define("to_java_bytes")
def _to_java_bytes(run: Runtime, target: Any) -> bytes:
    return to_bytes(target)


@OBJECT.define("instance_variables")
def _no_variables(run: Runtime, target: Any) -> list[Any]:
    return []


@OBJECT.define("&")
def _and(run: Runtime, target: Any, other: Any) -> bool:
    if target is None or isinstance(target, bool):
        return truthy(target) and truthy(other)
    raise run.unknown_method(target, "&")


@OBJECT.define("|")
def _or(run: Runtime, target: Any, other: Any) -> bool:
    if target is None or isinstance(target, bool):
        return truthy(target) or truthy(other)
    raise run.unknown_method(target, "|")


@OBJECT.define("^")
def _either(run: Runtime, target: Any, other: Any) -> bool:
    if target is None or isinstance(target, bool):
        return truthy(target) != truthy(other)
    raise run.unknown_method(target, "^")


NIL = MethodTable(OBJECT)


@NIL.define("to_a")
def _nil_to_a(run: Runtime, target: None) -> list[Any]:
    return []


@NIL.define("to_i")
def _nil_to_i(run: Runtime, target: None) -> int:
    return 0


@NIL.define("to_f")
def _nil_to_f(run: Runtime, target: None) -> float:
    return 0.0


@NIL.define("to_h")
def _nil_to_h(run: Runtime, target: None) -> Hash:
    return Hash()


@COMPARABLE.define("<")
def _below(run: Runtime, target: Any, other: Any) -> bool:
    return ordered(target, other) < 0


@COMPARABLE.define(">")
def _above(run: Runtime, target: Any, other: Any) -> bool:
    return ordered(target, other) > 0


@COMPARABLE.define("<=")
def _at_most(run: Runtime, target: Any, other: Any) -> bool:
    return ordered(target, other) <= 0


@COMPARABLE.define(">=")
def _at_least(run: Runtime, target: Any, other: Any) -> bool:
    return ordered(target, other) >= 0


@COMPARABLE.define("between?")
def _between(run: Runtime, target: Any, least: Any, most: Any) -> bool:
    return ordered(target, least) >= 0 and ordered(target, most) <= 0


@COMPARABLE.define("clamp")
def _clamp(run: Runtime, target: Any, least: Any, most: Any) -> Any:
    if ordered(least, most) > 0:
        raise RubyError("min argument must be smaller than max argument", "ArgumentError")
    return least if ordered(target, least) < 0 else most if ordered(target, most) > 0 else target
