"""The observer that asks a table's constraints. Source: HBase's ``ConstraintProcessor``."""

import logging
from collections.abc import Mapping
from typing import Any

from rowstone.constraints._constraint import Constraint
from rowstone.constraints._stored import made, stored
from rowstone.coprocessors._context import ObserverContext
from rowstone.coprocessors._described import Refusing
from rowstone.coprocessors._observers import RegionObserver
from rowstone.errors import CoprocessorError

_log = logging.getLogger("rowstone")


class ConstraintProcessor(RegionObserver):
    """Asks each constraint that is switched on about each put, in their order, after all other observers."""

    def __init__(self, constraints: list[Constraint]) -> None:
        self.constraints = constraints

    def pre_put(self, context: ObserverContext, put: Any, durability: str) -> None:
        """Raises where a constraint is broken."""
        for constraint in self.constraints:
            constraint.check(put, context)


def processor_of(table: str, attributes: Mapping[str, str], allowed: Mapping[str, type | None]) -> RegionObserver:
    """The observer of a description; where one of its constraints cannot be had, nothing is written."""
    try:
        return ConstraintProcessor([made(one, allowed) for one in stored(attributes) if one.is_enabled])
    except CoprocessorError as error:
        _log.warning("constraints of table '%s': %s; writes are refused", table, error)
        return Refusing(f"constraints of table '{table}': {error}")
