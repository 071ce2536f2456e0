"""What a statement does: variables, constants, operators, methods; commands go to the session."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowstone.shell import java, nodes
from rowstone.shell.constants import CONSTANTS
from rowstone.shell.errors import ShellError, TypeMistake, UnknownMethod, UnknownName
from rowstone.shell.methods import call_method
from rowstone.shell.values import Symbol, inspect, kind_of, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

_NUMBERS = (int, float)


def _divide(left: Any, right: Any) -> Any:
    if right == 0 and isinstance(left, int) and isinstance(right, int):
        raise ShellError("divided by 0", "ZeroDivisionError")
    return left // right if isinstance(left, int) and isinstance(right, int) else left / right


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "%": operator.mod,
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


class Evaluator:
    """Evaluates statements of one session and keeps its variables."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.variables: dict[str, Any] = {}

    def value(self, node: nodes.Node) -> Any:
        """The value of an expression, after whatever it does.

        Raises:
            LanguageError, ShellError; whatever a command raises.
        """
        match node:
            case nodes.Literal(value):
                return value
            case nodes.Array(items):
                return [self.value(item) for item in items]
            case nodes.Hash(pairs):
                return {self._key(key): self.value(item) for key, item in pairs}
            case nodes.Interpolated(parts):
                return "".join(to_s(self.value(part)) for part in parts)
            case nodes.Name(name):
                return self._name(name)
            case nodes.Constant(name):
                return self._constant(name)
            case nodes.Scoped(target, name):
                return self._scoped(self.value(target), name)
            case nodes.Call():
                return self._call(node)
            case nodes.Index(target, key):
                return self._index(self.value(target), self.value(key))
            case nodes.Assign():
                return self._assign(node)
            case nodes.Unary(sign, operand):
                value = self.value(operand)
                return value in (None, False) if sign == "!" else self._negative(value)
            case nodes.Binary():
                return self._binary(node)
        raise TypeMistake(f"cannot evaluate {type(node).__name__}")

    def _key(self, node: nodes.Node) -> Any:
        key = self.value(node)
        if isinstance(key, (list, dict)):
            raise TypeMistake(f"{inspect(key)} cannot be the key of a hash here")
        return key

    def _name(self, name: str) -> Any:
        if name in self.variables:
            return self.variables[name]
        if name in java.ROOTS:
            return java.Package(name)
        return self._session.call(name, [])

    def _constant(self, name: str) -> Any:
        if name in self.variables:
            return self.variables[name]
        if name in CONSTANTS:
            return CONSTANTS[name]
        found = java.simple_class(name)
        if found is None:
            raise UnknownName(f"uninitialized constant HBaseReceiver::{name}")
        return found

    def _scoped(self, target: Any, name: str) -> Any:
        if isinstance(target, java.Package):
            return target.member(name)
        if isinstance(target, java.JavaClass):
            return java.member(target, name)
        raise TypeMistake(f"{to_s(target)} is not a class/module")

    def _call(self, node: nodes.Call) -> Any:
        if node.target is None:
            return self._session.call(node.name, [self.value(item) for item in node.arguments])
        target = self.value(node.target)
        if isinstance(target, java.Package):
            return target.member(node.name)
        arguments = [self.value(item) for item in node.arguments]
        if isinstance(target, java.JavaClass):
            if node.name[0].isupper():
                return java.member(target, node.name)
            return java.call(target, node.name, arguments)
        return call_method(self._session, target, node.name, arguments)

    def _index(self, target: Any, key: Any) -> Any:
        if isinstance(target, dict):
            return target.get(key)
        if isinstance(target, (list, str)) and isinstance(key, int):
            return target[key] if -len(target) <= key < len(target) else None
        raise UnknownMethod(f"undefined method `[]' for {to_s(target)}:{kind_of(target)}")

    def _assign(self, node: nodes.Assign) -> Any:
        value = self.value(node.value)
        if node.operator is not None:
            value = self._compute(node.operator, self._name(node.names[0]), value)
        if len(node.names) == 1:
            self.variables[node.names[0]] = value
            return value
        items = value if isinstance(value, list) else [value]
        for place, name in enumerate(node.names):
            self.variables[name] = items[place] if place < len(items) else None
        return value

    def _negative(self, value: Any) -> Any:
        if isinstance(value, _NUMBERS):
            return -value
        raise UnknownMethod(f"undefined method `-@' for {to_s(value)}:{kind_of(value)}")

    def _binary(self, node: nodes.Binary) -> Any:
        left = self.value(node.left)
        if node.operator in ("&&", "and"):
            return left if left in (None, False) else self.value(node.right)
        if node.operator in ("||", "or"):
            return self.value(node.right) if left is None or left is False else left
        return self._compute(node.operator, left, self.value(node.right))

    def _compute(self, sign: str, left: Any, right: Any) -> Any:
        if sign in ("==", "!="):
            same = isinstance(left, bool) == isinstance(right, bool) and left == right
            same = same and isinstance(left, Symbol) == isinstance(right, Symbol)
            return same == (sign == "==")
        numbers = isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS)
        alike = numbers or (isinstance(left, str) and isinstance(right, str))
        if sign in _COMPARISONS and alike:
            return _COMPARISONS[sign](left, right)
        if sign == "+" and (alike or (isinstance(left, list) and isinstance(right, list))):
            return left + right
        if sign in _ARITHMETIC and numbers:
            return _ARITHMETIC[sign](left, right)
        if sign == "*" and isinstance(left, (str, list)) and isinstance(right, int):
            return left * right
        if isinstance(left, str):
            raise TypeMistake(f"no implicit conversion of {kind_of(right)} into String")
        if isinstance(left, _NUMBERS) and not isinstance(left, bool):
            raise TypeMistake(f"{kind_of(right)} can't be coerced into {kind_of(left)}")
        raise UnknownMethod(f"undefined method `{sign}' for {to_s(left)}:{kind_of(left)}")
