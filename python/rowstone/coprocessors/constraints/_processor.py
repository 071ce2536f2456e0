"""The observer that checks a table's constraints. Source: HBase's ``ConstraintProcessor``."""

import logging
from collections.abc import Mapping
from typing import Any

from rowstone.coprocessors._context import ObserverContext
from rowstone.coprocessors._described import Refusing
from rowstone.coprocessors._observers import RegionObserver
from rowstone.coprocessors.constraints._constraint import Constraint
from rowstone.coprocessors.constraints._stored import made, stored
from rowstone.errors import CoprocessorError

_log = logging.getLogger("rowstone")


class ConstraintProcessor(RegionObserver):
    """Checks each put against the enabled constraints, in order, after all other observers."""

    def __init__(self, constraints: list[Constraint]) -> None:
        self.constraints = constraints

    def pre_put(self, context: ObserverContext, put: Any, durability: str) -> None:
        """Raise if a constraint is broken."""
        for constraint in self.constraints:
            constraint.check(put, context)


def processor_of(table: str, attributes: Mapping[str, str], allowed: Mapping[str, type | None]) -> RegionObserver:
    """Return the observer of a descriptor; if a constraint cannot be loaded, it refuses all writes."""
    try:
        return ConstraintProcessor([made(one, allowed) for one in stored(attributes) if one.is_enabled])
    except CoprocessorError as error:
        _log.warning("constraints of table '%s': %s; writes are refused", table, error)
        return Refusing(f"constraints of table '{table}': {error}")
