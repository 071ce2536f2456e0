"""Runtime shared by all methods: the session, variables, blocks, and method dispatch.

A script can call the tables of `methods` and `kernel`, the commands of the shell, and `java`.
Python attributes are out of its reach.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell import registry
from rowstone.cli.shell.errors import (
    BeyondSubset,
    LanguageError,
    RubyError,
    SyntaxMistake,
    UnknownMethod,
    UnknownName,
)
from rowstone.cli.shell.ruby import java, references
from rowstone.cli.shell.ruby.calls import bind
from rowstone.cli.shell.ruby.kernel import BEYOND, KERNEL
from rowstone.cli.shell.ruby.methods import table_of
from rowstone.cli.shell.ruby.methods.enumerators import enumerated
from rowstone.cli.shell.ruby.methods.general import ERROR_KINDS
from rowstone.cli.shell.ruby.methods.others import class_method, has_class_method
from rowstone.cli.shell.ruby.methods.table import Method
from rowstone.cli.shell.ruby.scopes import Frame, Next, Return, Scope
from rowstone.cli.shell.ruby.syntax import nodes
from rowstone.cli.shell.ruby.values.objects import (
    ClassReference,
    Enumerator,
    ErrorObject,
    Hash,
    MatchData,
    Proc,
    Range,
    Receiver,
    plain,
    ruby_value,
)
from rowstone.cli.shell.table_reference import TableReference
from rowstone.cli.shell.values import RubyObject, Symbol, inspect, kind_of

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

MOST_STEPS = 1_000_000_000
"""Maximum steps of a statement."""

_LONGEST_SHOWN = 65
"""Maximum characters of a value in the message about an unknown method."""


class Runtime(ABC):
    """The interpreter without the evaluation of nodes."""

    def __init__(self, session: Session, *, most_steps: int = MOST_STEPS) -> None:
        self.session = session
        self.receiver: Receiver = Receiver()
        self.constants: dict[str, Any] = {}
        self.globals: dict[str, Any] = {}
        self.definitions: dict[str, nodes.Definition] = {}
        self.current_error: ErrorObject | None = None
        self.line = 0
        self._top = Scope(Frame())
        self._last_match: MatchData | None = None
        self._most_steps = most_steps
        self._steps = 0

    @property
    def variables(self) -> dict[str, Any]:
        """The variables of the session."""
        return self._top.names

    def write(self, text: str) -> None:
        """Print text."""
        self.session.formatter.write(text)

    def flush(self) -> None:
        """Flush printed text."""
        self.session.out.flush()

    def needed(self, block: Proc | None) -> Proc:
        """The block of a call that requires one. Raises `RubyError`."""
        if block is None:
            raise RubyError("no block given (yield)", "LocalJumpError")
        return block

    def matched(self, match: re.Match[str] | None) -> MatchData | None:
        """Store the match of a regular expression as ``$~`` and ``$1``."""
        self._last_match = None if match is None else MatchData(match)
        return self._last_match

    def proc_of(self, value: Any) -> Proc:
        """The block that ``&value`` passes. Raises `RubyError`."""
        if isinstance(value, Proc):
            return value
        if isinstance(value, Symbol):
            return Proc(None, None, lambda target, *rest: self.send(target, str(value), list(rest)))
        raise RubyError(f"wrong argument type {kind_of(value)} (expected Proc)", "TypeError")

    def items(self, target: Any) -> Iterator[Any]:
        """The items of an enumerable value. Raises `UnknownMethod` for other values."""
        if isinstance(target, list):
            return _items_of_list(target)
        if isinstance(target, Hash):
            return iter(target.pairs())
        if isinstance(target, Range):
            return self._counted(target.items())
        if isinstance(target, Enumerator):
            return self._counted(enumerated(self, target))
        if isinstance(target, tuple):
            return iter(target)
        if isinstance(target, java.Iterable):
            return self._counted(target.items())
        raise self.unknown_method(target, "each")

    def _counted(self, items: Iterator[Any]) -> Iterator[Any]:
        """Iterate over the items, counting each as a step."""
        for item in items:
            self.tick()
            yield item

    def tick(self) -> None:
        """Count a step. Raises `SyntaxMistake`, which no script can rescue, after the last."""
        self._steps += 1
        if self._steps > self._most_steps:
            raise SyntaxMistake(f"the statement was stopped after {self._most_steps:,} steps", self.line)

    def splat(self, value: Any) -> list[Any]:
        """The arguments that ``*value`` expands to."""
        if value is None:
            return []
        if isinstance(value, (list, tuple, Hash, Range, Enumerator)):
            return list(self.items(value))
        return [value]

    def unknown_method(self, target: Any, name: str) -> UnknownMethod:
        """Ruby's message for an unknown method of a value."""
        shown = inspect(target)
        if len(shown) > _LONGEST_SHOWN:
            shown = f"#<{kind_of(target)}:{id(target) & 0xFFFFFFFF:#x}>"
            return UnknownMethod(f"undefined method `{name}' for {shown}")
        if isinstance(target, RubyObject) and shown.startswith("#<"):
            return UnknownMethod(f"undefined method `{name}' for {shown}")
        return UnknownMethod(f"undefined method `{name}' for {shown}:{kind_of(target)}")

    def has_method(self, target: Any, name: str) -> bool:
        """Whether a value has a method of that name."""
        return name in self.method_names(target)

    def method_names(self, target: Any) -> set[str]:
        """The names of the methods of a value."""
        if isinstance(target, TableReference):
            return set(references.METHODS)
        if isinstance(target, Receiver):
            return {*registry.NAMES, *self.definitions, *KERNEL.names()}
        return table_of(target).names()

    def is_error_kind(self, name: str) -> bool:
        """Whether a class is one of errors."""
        return name in ERROR_KINDS

    def send(self, target: Any, name: str, arguments: list[Any], block: Proc | None = None) -> Any:
        """Call ``target.name(*arguments) { block }``.

        Raises:
            UnknownMethod: There is no such method. The method may raise other errors.
        """
        if isinstance(target, TableReference):
            given = [plain(item) for item in arguments]
            return ruby_value(references.call(self.session, target, name, given, self.line))
        if isinstance(target, java.JAVA_KINDS):
            return java.send(self, target, name, arguments, block)
        if isinstance(target, Receiver) and KERNEL.find(name) is None:
            return self._function(name, arguments, block)
        if isinstance(target, ClassReference) and has_class_method(target.name, name):
            return self._guarded(lambda: class_method(self, target.name, name, arguments))
        method = (KERNEL if isinstance(target, Receiver) else table_of(target)).find(name)
        if method is None:
            if name in BEYOND:
                raise BeyondSubset(f"'{name}'", self.line)
            raise self.unknown_method(target, name)
        return self._invoke(method, name, target, arguments, block)

    def _invoke(self, method: Method, name: str, target: Any, arguments: list[Any], block: Proc | None) -> Any:
        self.tick()
        method.check_count(len(arguments))
        if method.waits_for_block and block is None:
            return Enumerator(target, name, tuple(arguments))
        if method.takes_block:
            return self._guarded(lambda: method.function(self, target, *arguments, block=block))
        return self._guarded(lambda: method.function(self, target, *arguments))

    def _guarded(self, call: Callable[[], Any]) -> Any:
        """Call a method. Python errors become Ruby errors; `debug` lets them through."""
        try:
            return call()
        except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError, re.error) as error:
            if self.session.debug:
                raise
            raise RubyError(str(error) or type(error).__name__, "TypeError") from error

    def _function(self, name: str, arguments: list[Any], block: Proc | None, *, is_name: bool = False) -> Any:
        """Look up a command, a method of the script, or a function of Ruby."""
        if registry.is_command(name):
            return ruby_value(self.session.run(name, [plain(item) for item in arguments]))
        definition = self.definitions.get(name)
        if definition is not None:
            return self._call_definition(definition, arguments, block)
        method = KERNEL.find(name)
        if method is not None:
            return self._invoke(method, name, self.receiver, arguments, block)
        if name in BEYOND:
            raise BeyondSubset(f"'{name}'", self.line)
        raise self._unknown_function(name, is_name=is_name)

    def _unknown_function(self, name: str, *, is_name: bool) -> LanguageError:
        import difflib  # only a mistake needs it

        near = difflib.get_close_matches(name, registry.NAMES, n=1, cutoff=0.8)
        hint = f"\nDid you mean?  {near[0]}" if near else ""
        if is_name and not name.endswith(("?", "!")):
            return UnknownName(f"undefined local variable or method `{name}' for {inspect(self.receiver)}{hint}")
        return UnknownMethod(f"undefined method `{name}' for {inspect(self.receiver)}{hint}")

    def _call_definition(self, definition: nodes.Definition, arguments: list[Any], block: Proc | None) -> Any:
        frame = Frame(block)
        scope = Scope(frame)
        bind(self, definition.parameters, arguments, scope, block, is_strict=True)
        try:
            return self._evaluate(definition.body, scope)
        except Return as end:
            if end.frame is not frame:
                raise
            return end.value

    def call(self, proc: Proc, *arguments: Any) -> Any:
        """Call a block."""
        self.tick()
        if proc.function is not None:
            return proc.function(*arguments)
        block, outer = proc.block, proc.scope
        assert block is not None and outer is not None  # noqa: PT018 - one of the two forms of a proc
        frame = Frame(outer.frame.block) if block.is_lambda else outer.frame
        scope = Scope(frame, outer, proc)
        bind(self, block.parameters, list(arguments), scope, None, is_strict=block.is_lambda)
        try:
            return self._evaluate(block.body, scope)
        except Next as end:
            if end.target is not proc:
                raise
            return end.value
        except Return as end:
            if not block.is_lambda or end.frame is not frame:
                raise
            return end.value

    def default(self, node: nodes.Node, scope: Scope) -> Any:
        """The default value of a parameter."""
        return self._evaluate(node, scope)

    def _is_function(self, name: str) -> bool:
        return registry.is_command(name) or name in self.definitions or KERNEL.find(name) is not None

    @abstractmethod
    def _evaluate(self, node: nodes.Node, scope: Scope) -> Any:
        """The value of a node."""


def _items_of_list(items: list[Any]) -> Iterator[Any]:
    """The items of an array, including those added during the iteration."""
    place = 0
    while place < len(items):
        yield items[place]
        place += 1
