"""Constraints in a table descriptor: one attribute ``constraint$N`` each, as JSON; N is the order."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any

from rowstone._base.options.words import Durability
from rowstone._base.printable import printable_text
from rowstone.coprocessors._allowed import class_of, name_of
from rowstone.coprocessors._context import ObserverContext
from rowstone.coprocessors._observers import Refusing, RegionObserver
from rowstone.coprocessors.constraints._constraint import Constraint
from rowstone.errors import CoprocessorError, InvalidArgument

PREFIX = "constraint$"


@dataclass(frozen=True)
class Stored:
    """A constraint as stored in the table descriptor."""

    number: int
    class_name: str
    arguments: Mapping[str, Any]
    is_enabled: bool

    @property
    def key(self) -> str:
        """The name of the attribute."""
        return f"{PREFIX}{self.number}"

    def text(self) -> str:
        """The value of the attribute."""
        parts = {"class": self.class_name, "enabled": self.is_enabled, "arguments": dict(self.arguments)}
        return json.dumps(parts, separators=(",", ":"), sort_keys=True)


def _own() -> dict[str, type[Constraint]]:
    """Built-in classes, which need no permission, by their public names."""
    from rowstone.coprocessors.constraints._foreign_key import ForeignKey
    from rowstone.coprocessors.constraints._range import Range
    from rowstone.coprocessors.constraints._regex import Regex

    kinds = (Range, Regex, ForeignKey)
    return {f"rowstone.coprocessors.constraints.{kind.__name__}": kind for kind in kinds}


def stored(attributes: Mapping[str, str]) -> list[Stored]:
    """Return the constraints of a descriptor, in order.

    Raises:
        CoprocessorError: An attribute is not a constraint.
    """
    found = []
    for key, text in attributes.items():
        if not key.startswith(PREFIX):
            continue
        try:
            parts = json.loads(text)
            found.append(_parsed(int(key[len(PREFIX) :]), parts["class"], parts["arguments"], parts["enabled"]))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise CoprocessorError(f"{key} => '{text}' is no constraint: {error}") from error
    return sorted(found, key=lambda one: one.number)


def _parsed(number: int, class_name: Any, arguments: Any, is_enabled: Any) -> Stored:
    if not isinstance(class_name, str) or not isinstance(arguments, dict):
        raise TypeError("its class must be a string, and its arguments an object")
    return Stored(number, class_name, arguments, bool(is_enabled))


def described(number: int, constraint: Constraint, is_enabled: bool) -> Stored:
    """Convert ``constraint`` to its stored form. Raises `InvalidArgument` if JSON cannot represent it."""
    names = {kind: name for name, kind in _own().items()}
    name = names.get(type(constraint)) or name_of(type(constraint))
    one = Stored(number, name, constraint.arguments, is_enabled)
    try:
        if json.loads(one.text())["arguments"] != dict(constraint.arguments):
            raise TypeError("they come back changed")
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{constraint}: its arguments cannot be written as JSON: {error}") from error
    return one


def create(one: Stored, allowed: Mapping[str, type | None]) -> Constraint:
    """Create the constraint of a stored form.

    Raises:
        CoprocessorError: Its class is not allowed, cannot be imported, or does not accept the arguments.
    """
    kind = class_of(one.class_name, {**allowed, **_own()})
    if not issubclass(kind, Constraint):
        raise CoprocessorError(f"class {one.class_name} is no Constraint")
    if iscoroutinefunction(kind.check):
        raise CoprocessorError(f"{one.class_name}.check is an async function: nothing awaits it; define it with def")
    try:
        return kind(**one.arguments)
    except Exception as error:
        # The constructor of a class of the program may raise anything.
        raise CoprocessorError(
            f"{one.key}: {one.class_name} cannot be made of {dict(one.arguments)}: {error}"
        ) from error


_log = logging.getLogger("rowstone")


class ConstraintProcessor(RegionObserver):
    """Checks each put against the enabled constraints, in order, after all other observers."""

    def __init__(self, constraints: list[Constraint]) -> None:
        self.constraints = constraints

    def pre_put(self, context: ObserverContext, put: Any, durability: Durability) -> None:
        """Raise if a constraint is broken."""
        for constraint in self.constraints:
            constraint.check(put, context)


def processor_of(table: str, attributes: Mapping[str, str], allowed: Mapping[str, type | None]) -> RegionObserver:
    """Return the observer of a descriptor; if a constraint cannot be loaded, it refuses all writes."""
    try:
        return ConstraintProcessor([create(one, allowed) for one in stored(attributes) if one.is_enabled])
    except CoprocessorError as error:
        _log.warning("constraints of table '%s': %s; writes are refused", table, printable_text(str(error)))
        return Refusing(f"constraints of table '{table}': {error}")
