"""Engines and random predicates: each engine returns the rows for which a predicate holds in plain Python.

An engine is a function from a source and some predicates to the rows for each of them. Engines that have conditions of
their own also answer on a copy of the table, which shows whether their logic is that of `Predicate.matches`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from hypothesis import strategies as st

from rowstone.engines import Predicate, RowSchema, Source
from tests.engines.random_tables import RandomTable, Record, comparable, predicates, tables

Rows = Iterable[Record]


@dataclass(frozen=True)
class Engine:
    """An engine that reads tables.

    Attributes:
        read: The rows of a source for each predicate, with the predicate pushed down.
        filter_copy: The rows of a `pyarrow.Table` for a predicate, by the engine itself; None if it has no conditions
            of its own.
        is_sql: Whether its conditions are those of `Predicate.matches`. Those of pyarrow treat NaN and lists with null
            in another way.
    """

    read: Callable[[Source, Sequence[Predicate]], Iterable[Rows]]
    filter_copy: Callable[[Any, RowSchema, Predicate], Rows] | None = None
    is_sql: bool = True


@st.composite
def cases(draw: st.DrawFn, least: int = 1, most: int = 5, least_rows: int = 0) -> tuple[RandomTable, list[Predicate]]:
    """A table and some predicates, with constants of the columns' own types.

    Args:
        least, most: The number of predicates.
        least_rows: The fewest rows that are drawn. Some of them may have the same key, or no cell.
    """
    table = draw(tables(least_rows))
    return table, draw(st.lists(predicates(table, has_other_types=False), min_size=least, max_size=most))


def judge(engine: Engine, source: Source, table: RandomTable, wanted: Sequence[Predicate]) -> None:
    """The engine returns the right rows for each predicate."""
    copy = import_module("pyarrow").Table.from_pylist(table.rows, schema=source.schema.arrow())
    for predicate, found in zip(wanted, engine.read(source, wanted), strict=True):
        expected = comparable(table.matching(predicate))
        if engine.filter_copy is not None:
            own = comparable(engine.filter_copy(copy, source.schema, predicate))
            assert own == expected or not engine.is_sql, predicate
            expected = own
        assert comparable(found) == expected, predicate
