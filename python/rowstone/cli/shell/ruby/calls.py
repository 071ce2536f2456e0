"""Binding of call arguments to parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.methods.table import wrong_count
from rowstone.cli.shell.ruby.syntax import nodes
from rowstone.cli.shell.ruby.values.objects import Hash, Proc
from rowstone.cli.shell.values import Symbol

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime
    from rowstone.cli.shell.ruby.scopes import Scope


def bind(
    run: Runtime,
    parameters: nodes.Parameters,
    arguments: list[Any],
    scope: Scope,
    block: Proc | None,
    *,
    is_strict: bool,
) -> None:
    """Bind the parameters of a method (``is_strict``) or block.

    A block spreads a single array over several parameters, fills missing ones with ``nil`` and drops extra arguments.

    Raises:
        RubyError: A method was given too few or too many arguments.
    """
    if not is_strict and parameters.is_splitting and len(arguments) == 1 and isinstance(arguments[0], list):
        arguments = list(arguments[0])
    keywords = _keywords(parameters, arguments)
    least, most = len(parameters.required), len(parameters.required) + len(parameters.optional)
    if is_strict and (len(arguments) < least or (len(arguments) > most and parameters.rest is None)):
        counted = wrong_count(len(arguments), least, None if parameters.rest is not None else most)
        raise RubyError(counted, "ArgumentError")
    _bind_positions(run, parameters, arguments, scope)
    for name, default in parameters.keywords:
        if Symbol(name) in keywords:
            scope.names[name] = keywords.get(Symbol(name))
        elif default is not None:
            scope.names[name] = run.default(default, scope)
        elif is_strict:
            raise RubyError(f"missing keyword: {name}", "ArgumentError")
        else:
            scope.names[name] = None
    if parameters.block is not None:
        scope.names[parameters.block] = block


def _keywords(parameters: nodes.Parameters, arguments: list[Any]) -> Hash:
    """The trailing hash, if there are parameters for its keys."""
    if not parameters.keywords or not arguments or not isinstance(arguments[-1], Hash):
        return Hash()
    found: Hash = arguments.pop()
    names = {name for name, _ in parameters.keywords}
    for key, _ in found:
        if not isinstance(key, Symbol) or str(key) not in names:
            raise RubyError(f"unknown keyword: {key}", "ArgumentError")
    return found


def _bind_positions(run: Runtime, parameters: nodes.Parameters, arguments: list[Any], scope: Scope) -> None:
    behind = parameters.required_behind
    front = parameters.required[: len(parameters.required) - behind]
    given = list(arguments)
    for target in front:
        _bind_one(run, target, given.pop(0) if given else None, scope)
    spare = max(0, len(given) - behind)
    for name, default in parameters.optional:
        if spare:
            scope.names[name] = given.pop(0)
            spare -= 1
        else:
            scope.names[name] = run.default(default, scope)
    if parameters.rest is not None:
        scope.names[parameters.rest] = given[:spare]
        given = given[spare:]
    for target in parameters.required[len(front) :]:
        _bind_one(run, target, given.pop(0) if given else None, scope)


def _bind_one(run: Runtime, target: str | nodes.Parameters, value: Any, scope: Scope) -> None:
    if isinstance(target, str):
        scope.names[target] = value
    else:
        _bind_positions(run, target, list(value) if isinstance(value, list) else [value], scope)
