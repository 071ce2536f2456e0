"""Evaluates the nodes of a script: variables, calls, blocks, conditions, loops, errors.

Every evaluated node is a step. A statement has a limit of steps, so that none runs for ever unnoticed. Ctrl-C ends
it sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rowstone.cli.shell.errors import (
    BeyondSubset,
    LanguageError,
    RubyError,
    ShellError,
    SyntaxMistake,
    UnknownName,
)
from rowstone.cli.shell.ruby import java
from rowstone.cli.shell.ruby.kernel import BEYOND_CONSTANTS
from rowstone.cli.shell.ruby.methods.enumerables import matches
from rowstone.cli.shell.ruby.methods.others import CLASSES
from rowstone.cli.shell.ruby.methods.others import CONSTANTS as INNER_CONSTANTS
from rowstone.cli.shell.ruby.methods.texts import CHANGING
from rowstone.cli.shell.ruby.rescue import described, is_rescued
from rowstone.cli.shell.ruby.runtime import Runtime
from rowstone.cli.shell.ruby.scopes import Break, Next, Retry, Return, Scope, Signal
from rowstone.cli.shell.ruby.syntax import nodes
from rowstone.cli.shell.ruby.values.objects import (
    ClassReference,
    ErrorObject,
    Hash,
    Proc,
    Range,
    Receiver,
    Regex,
    truthy,
)
from rowstone.cli.shell.ruby.values.regexes import regex
from rowstone.cli.shell.values import CONSTANTS, Symbol, inspect, is_text, kind_of, to_s


class Interpreter(Runtime):
    """Evaluates the statements of one session and keeps its variables."""

    def value(self, node: nodes.Node) -> Any:
        """Evaluate a statement and return its value.

        Raises:
            LanguageError, ShellError: And any error of a command.
        """
        self._steps = 0
        try:
            return self._evaluate(node, self._top)
        except Signal as signal:
            word = type(signal).__name__.lower()
            raise RubyError(f"unexpected {word}", "LocalJumpError") from None
        except RecursionError:
            raise RubyError("stack level too deep", "SystemStackError") from None
        except MemoryError:
            raise RubyError("failed to allocate memory", "NoMemoryError") from None

    def _evaluate(self, node: nodes.Node, scope: Scope) -> Any:
        self.tick()
        return _EVALUATE[type(node)](self, node, scope)

    # --- literals and variables

    def _literal(self, node: nodes.Literal, scope: Scope) -> Any:
        return node.value

    def _template(self, node: nodes.Template, scope: Scope) -> Any:
        text = "".join([to_s(self._evaluate(part, scope)) for part in node.parts])
        return Symbol(text) if node.kind == "symbol" else text

    def _regex(self, node: nodes.RegexLiteral, scope: Scope) -> Regex:
        parts = []
        for part in node.parts:
            value = self._evaluate(part, scope)
            parts.append(f"(?:{value.source})" if isinstance(value, Regex) else to_s(value))
        return regex("".join(parts), node.flags)

    def _array(self, node: nodes.ArrayLiteral, scope: Scope) -> list[Any]:
        return self._arguments(node.items, scope)

    def _hash(self, node: nodes.HashLiteral, scope: Scope) -> Hash:
        found = Hash()
        for key, item in node.pairs:
            value = self._evaluate(item, scope)
            if key is not None:
                found[self._evaluate(key, scope)] = value
                continue
            if not isinstance(value, Hash):
                raise RubyError(f"no implicit conversion of {kind_of(value)} into Hash", "TypeError")
            for inner, inner_value in value:
                found[inner] = inner_value
        return found

    def _range(self, node: nodes.RangeLiteral, scope: Scope) -> Range:
        last = None if node.last is None else self._evaluate(node.last, scope)
        return Range(self._evaluate(node.first, scope), last, node.excludes_end)

    def _self(self, node: nodes.Self, scope: Scope) -> Receiver:
        return self.receiver

    def _name(self, node: nodes.Name, scope: Scope) -> Any:
        holder = scope.holder(node.name)
        if holder is not None:
            return holder[node.name]
        if node.name in java.ROOTS:
            return java.Package(node.name)
        self.line = node.line
        if node.name == "block_given?":
            return scope.frame.block is not None
        return self._function(node.name, [], None, is_name=True)

    def _variable(self, node: nodes.Variable, scope: Scope) -> Any:
        name = node.name
        if name in self.globals:
            return self.globals[name]
        if name == "$~":
            return self._last_match
        if name[1:].isdigit():
            match, group = self._last_match, int(name[1:])
            return match.match.group(group) if match and group <= match.match.re.groups else None
        if name == "$!":
            return self.current_error
        if name in ("$0", "$PROGRAM_NAME"):
            return "(hbase)"
        if name in ("$stdout", "$stderr"):
            return java.Stream(self.session, name == "$stderr")
        if name in ("@hbase", "@shell"):
            return java.ShellObject(self.session, name)
        if name in ("$stdin", "$LOAD_PATH", "$LOADED_FEATURES", "$:"):
            raise BeyondSubset(f"'{name}'", node.line)
        return None

    def _constant(self, node: nodes.Constant, scope: Scope) -> Any:
        name = node.name
        if name in self.constants:
            return self.constants[name]
        if name in CONSTANTS:
            return CONSTANTS[name]
        found = java.simple_class(name)
        if found is not None:
            return found
        if name in CLASSES:
            return ClassReference(name)
        if name == "ARGV":
            return []
        if name in ("STDOUT", "STDERR"):
            return java.Stream(self.session, name == "STDERR")
        if name in BEYOND_CONSTANTS:
            raise BeyondSubset(f"'{name}'", node.line)
        raise UnknownName(f"uninitialized constant HBaseReceiver::{name}")

    def _scoped(self, node: nodes.Scoped, scope: Scope) -> Any:
        target = self._evaluate(node.target, scope)
        if isinstance(target, java.Package):
            return target.member(node.name)
        if isinstance(target, java.JavaClass):
            return java.member(target, node.name)
        if isinstance(target, ClassReference):
            inner = INNER_CONSTANTS.get(target.name, {})
            if node.name in inner:
                return inner[node.name]
            raise UnknownName(f"uninitialized constant {target.name}::{node.name}")
        raise RubyError(f"{inspect(target)} is not a class/module", "TypeError")

    # --- assignments

    def _assign(self, node: nodes.Assign, scope: Scope) -> Any:
        value = self._evaluate(node.value, scope)
        self._set(node.target, value, scope)
        return value

    def _operator_assign(self, node: nodes.OperatorAssign, scope: Scope) -> Any:
        if node.operator == "||" and not self._is_set(node.target, scope):
            before = None
        else:
            before = self._evaluate(node.target, scope)
        if node.operator in ("||", "&&"):
            if truthy(before) == (node.operator == "||"):
                return before
            value = self._evaluate(node.value, scope)
        else:
            self.line = node.line
            value = self.send(before, node.operator, [self._evaluate(node.value, scope)])
        self._set(node.target, value, scope)
        return value

    def _is_set(self, target: nodes.Node, scope: Scope) -> bool:
        if isinstance(target, nodes.Name):
            return scope.holder(target.name) is not None
        if isinstance(target, nodes.Constant):
            return target.name in self.constants
        return True

    def _multiple_assign(self, node: nodes.MultipleAssign, scope: Scope) -> Any:
        value = self._evaluate(node.value, scope)
        self._distribute(node.targets, value, scope)
        return value

    def _distribute(self, targets: tuple[Any, ...], value: Any, scope: Scope) -> None:
        """Assign each target its part of a value."""
        items = list(value) if isinstance(value, list) else [value]
        rest = next((place for place, target in enumerate(targets) if isinstance(target, nodes.Splat)), None)
        if rest is not None:
            behind = len(targets) - rest - 1
            middle = items[rest : max(rest, len(items) - behind)]
            items = [*items[:rest], *[None] * (rest - len(items)), middle, *items[rest + len(middle) :]]
        for place, target in enumerate(targets):
            item = items[place] if place < len(items) else None
            if isinstance(target, nodes.Splat):
                if target.value is not None:
                    self._set(target.value, item, scope)
            elif isinstance(target, tuple):
                self._distribute(target, item, scope)
            else:
                self._set(target, item, scope)

    def _set(self, target: nodes.Node, value: Any, scope: Scope) -> None:
        match target:
            case nodes.Name(name):
                scope.assign(name, value)
            case nodes.Variable(name):
                self.globals[name] = value
            case nodes.Constant(name):
                self.constants[name] = value
            case nodes.Call(inner, "[]", arguments, _, line):
                self._set_element(inner, self._arguments(arguments, scope), value, scope, line)
            case nodes.Call(inner, name, _, _, line):
                self.line = line
                self.send(self._evaluate(inner, scope), f"{name}=", [value])

    def _set_element(self, target: nodes.Node, keys: list[Any], value: Any, scope: Scope, line: int) -> None:
        self.line = line
        holder = self._evaluate(target, scope)
        if is_text(holder):
            self._set(_root(target), self.send(holder, "__with", [*keys, value]), scope)
        else:
            self.send(holder, "[]=", [*keys, value])

    # --- calls

    def _arguments(self, items: tuple[nodes.Node, ...], scope: Scope) -> list[Any]:
        found: list[Any] = []
        for item in items:
            if type(item) is nodes.Splat:
                found += self.splat(self._evaluate(item.value, scope))
            else:
                found.append(self._evaluate(item, scope))
        return found

    def _call(self, node: nodes.Call, scope: Scope) -> Any:
        """Evaluate a call. A chain of calls is evaluated in a loop, since it can be long."""
        chain: list[nodes.Call] = []
        current: nodes.Node = node
        while type(current) is nodes.Call and current.target is not None:
            chain.append(current)
            current = current.target
        value = self._function_call(current, scope) if type(current) is nodes.Call else self._evaluate(current, scope)
        for call in reversed(chain):
            value = self._method_call(value, call, scope)
        return value

    def _with_block(self, node: nodes.Call, scope: Scope, call: Callable[[Proc | None], Any]) -> Any:
        if node.block is None:
            return call(None)
        if type(node.block) is nodes.BlockPass:
            given = self._evaluate(node.block.value, scope)
            return call(None if given is None else self.proc_of(given))
        block = Proc(node.block, scope)
        try:
            return call(block)
        except Break as end:
            if end.target is not block:
                raise
            return end.value

    def _function_call(self, node: nodes.Call, scope: Scope) -> Any:
        arguments = self._arguments(node.arguments, scope)
        self.line = node.line
        if node.name == "block_given?":
            return scope.frame.block is not None
        return self._with_block(node, scope, lambda block: self._function(node.name, arguments, block))

    def _method_call(self, target: Any, node: nodes.Call, scope: Scope) -> Any:
        if target is None and node.is_safe:
            return None
        arguments = self._arguments(node.arguments, scope)
        self.line = node.line
        if is_text(target) and node.name in CHANGING:
            return self._change(target, node, arguments, scope)
        return self._with_block(node, scope, lambda block: self.send(target, node.name, arguments, block))

    def _change(self, target: str, node: nodes.Call, arguments: list[Any], scope: Scope) -> Any:
        """Call a method that changes a string: assign the new string to the variable on which it is called."""
        if node.name in ("<<", "concat"):
            arguments = [chr(item % 0x110000) if type(item) is int else item for item in arguments]
        changed = self._with_block(node, scope, lambda block: self.send(target, CHANGING[node.name], arguments, block))
        removed = self.send(target, "[]", arguments) if node.name == "slice!" else None
        root = _root(node.target)
        if isinstance(root, (nodes.Variable, nodes.Constant)) or (
            isinstance(root, nodes.Name) and scope.holder(root.name) is not None
        ):
            self._set(root, changed, scope)
        elif isinstance(root, nodes.Call) and root.target is not None:
            self._set(root, changed, scope) if root.name == "[]" else None
        if node.name == "slice!":
            return removed
        return None if node.name.endswith("!") and changed == target else changed

    def _block_literal(self, node: nodes.Block, scope: Scope) -> Proc:
        return Proc(node, scope)

    def _yield(self, node: nodes.Yield, scope: Scope) -> Any:
        return self.call(self.needed(scope.frame.block), *self._arguments(node.arguments, scope))

    def _definition(self, node: nodes.Definition, scope: Scope) -> Symbol:
        self.definitions[node.name] = node
        return Symbol(node.name)

    # --- conditions and loops

    def _logical(self, node: nodes.Logical, scope: Scope) -> Any:
        left = self._evaluate(node.left, scope)
        return self._evaluate(node.right, scope) if truthy(left) == (node.operator == "&&") else left

    def _not(self, node: nodes.Not, scope: Scope) -> bool:
        return not truthy(self._evaluate(node.value, scope))

    def _sequence(self, node: nodes.Sequence, scope: Scope) -> Any:
        value = None
        for statement in node.statements:
            value = self._evaluate(statement, scope)
        return value

    def _if(self, node: nodes.If, scope: Scope) -> Any:
        return self._evaluate(node.then if truthy(self._evaluate(node.condition, scope)) else node.otherwise, scope)

    def _while(self, node: nodes.While, scope: Scope) -> Any:
        runs_first = node.runs_first

        def turns() -> Iterator[None]:
            nonlocal runs_first
            while runs_first or truthy(self._evaluate(node.condition, scope)) != node.is_until:
                runs_first = False
                yield

        return self._loop(turns(), node.body, scope, None)

    def _for(self, node: nodes.For, scope: Scope) -> Any:
        values = self._evaluate(node.values, scope)
        self.line = node.line

        def turns() -> Iterator[None]:
            for item in self.items(values):
                if len(node.targets) == 1 and not isinstance(node.targets[0], nodes.Splat):
                    self._set(node.targets[0], item, scope)
                else:
                    self._distribute(node.targets, item, scope)
                yield

        return self._loop(turns(), node.body, scope, values)

    def _loop(self, turns: Iterator[None], body: nodes.Node, scope: Scope, result: Any) -> Any:
        scope.loops += 1
        try:
            for _ in turns:
                try:
                    self._evaluate(body, scope)
                except Next as end:
                    if end.target is not scope:
                        raise
        except Break as end:
            if end.target is not scope:
                raise
            return end.value
        finally:
            scope.loops -= 1
        return result

    def _jump(self, node: nodes.Jump, scope: Scope) -> Any:
        value = self._evaluate(node.value, scope)
        if node.kind == "return":
            raise Return(scope.frame, value)
        if node.kind == "retry":
            raise Retry
        target = scope if scope.loops else scope.block
        if node.kind == "next" or (isinstance(target, Proc) and target.is_lambda):
            raise Next(target, value)
        raise Break(target, value)

    def _case(self, node: nodes.Case, scope: Scope) -> Any:
        subject = None if node.subject is None else self._evaluate(node.subject, scope)
        for values, body in node.branches:
            for pattern in self._arguments(values, scope):
                if truthy(pattern) if node.subject is None else self._is_case(pattern, subject):
                    return self._evaluate(body, scope)
        return self._evaluate(node.otherwise, scope)

    def _is_case(self, pattern: Any, subject: Any) -> bool:
        return matches(self, pattern, subject)

    # --- errors

    def _begin(self, node: nodes.Begin, scope: Scope) -> Any:
        try:
            while True:
                try:
                    return self._attempt(node, scope)
                except Retry:
                    continue
        finally:
            if node.ensure is not None:
                self._evaluate(node.ensure, scope)

    def _attempt(self, node: nodes.Begin, scope: Scope) -> Any:
        try:
            value = self._evaluate(node.body, scope)
        except Exception as error:
            if isinstance(error, (Signal, SyntaxMistake)):
                raise
            rescue = self._rescue_of(node.rescues, described(error), scope) if described(error) is not None else None
            if rescue is None:
                raise
            return self._rescued(rescue, described(error), scope)
        return value if node.otherwise is None else self._evaluate(node.otherwise, scope)

    def _rescue_of(
        self, rescues: tuple[nodes.Rescue, ...], error: ErrorObject | None, scope: Scope
    ) -> nodes.Rescue | None:
        for rescue in rescues:
            kinds = self._arguments(rescue.kinds, scope)
            if error is not None and is_rescued(error, kinds):
                return rescue
        return None

    def _rescued(self, rescue: nodes.Rescue, error: ErrorObject | None, scope: Scope) -> Any:
        outer, self.current_error = self.current_error, error
        try:
            if rescue.target is not None:
                self._set(rescue.target, error, scope)
            return self._evaluate(rescue.body, scope)
        finally:
            self.current_error = outer

    # --- defined?

    def _defined(self, node: nodes.Defined, scope: Scope) -> str | None:
        match node.value:
            case nodes.Name(name):
                if scope.holder(name) is not None:
                    return "local-variable"
                return "method" if self._is_function(name) else None
            case nodes.Variable(name):
                kind = "global-variable" if name[0] == "$" else "instance-variable"
                return kind if name in self.globals or name in ("@hbase", "@shell") else None
            case nodes.Constant() | nodes.Scoped():
                try:
                    self._evaluate(node.value, scope)
                except LanguageError:
                    return None
                return "constant"
            case nodes.Call(None, name):
                return "method" if self._is_function(name) else None
            case nodes.Call(target, name):
                try:
                    return "method" if self.has_method(self._evaluate(target, scope), name) else None
                except (LanguageError, ShellError):
                    return None
            case nodes.Assign() | nodes.OperatorAssign() | nodes.MultipleAssign():
                return "assignment"
        return "expression"


def _root(node: nodes.Node) -> nodes.Node:
    """The node that a changed string is assigned to: for ``x << a << b``, it is ``x``."""
    while isinstance(node, nodes.Call) and node.name in CHANGING and node.target is not None:
        node = node.target
    return node


_EVALUATE: dict[type, Callable[[Interpreter, Any, Scope], Any]] = {
    nodes.Literal: Interpreter._literal,
    nodes.Template: Interpreter._template,
    nodes.RegexLiteral: Interpreter._regex,
    nodes.ArrayLiteral: Interpreter._array,
    nodes.HashLiteral: Interpreter._hash,
    nodes.RangeLiteral: Interpreter._range,
    nodes.Self: Interpreter._self,
    nodes.Name: Interpreter._name,
    nodes.Variable: Interpreter._variable,
    nodes.Constant: Interpreter._constant,
    nodes.Scoped: Interpreter._scoped,
    nodes.Block: Interpreter._block_literal,
    nodes.Call: Interpreter._call,
    nodes.Assign: Interpreter._assign,
    nodes.OperatorAssign: Interpreter._operator_assign,
    nodes.MultipleAssign: Interpreter._multiple_assign,
    nodes.Logical: Interpreter._logical,
    nodes.Not: Interpreter._not,
    nodes.Defined: Interpreter._defined,
    nodes.Sequence: Interpreter._sequence,
    nodes.If: Interpreter._if,
    nodes.While: Interpreter._while,
    nodes.For: Interpreter._for,
    nodes.Case: Interpreter._case,
    nodes.Begin: Interpreter._begin,
    nodes.Definition: Interpreter._definition,
    nodes.Jump: Interpreter._jump,
    nodes.Yield: Interpreter._yield,
}
