"""Reads of Ray Data: a task for each split, with the projections and filters of the dataset."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from rowstone._base.lazy import RAY, import_optional
from rowstone.engines._predicate import Predicate, all_of
from rowstone.engines._source import Source, Split
from rowstone.engines.planner.plan import Plan
from rowstone.engines.ray._expressions import conjuncts, predicate_of


class Reading:
    """The methods of Ray's ``Datasource``. Ray changes copies of it: `apply_predicate`, `apply_projection`.

    Args:
        columns: Names of columns; None for all.
        where: The condition on rows.
    """

    def __init__(self, source: Source, columns: Sequence[str] | None, where: Predicate | None) -> None:
        super().__init__()
        self._source = source
        self._columns = source.plan(where, columns).columns
        self._parts: tuple[Predicate, ...] = () if where is None else (where,)
        self._left: Any = None
        self._projection_map: dict[str, str] | None = None
        self._predicate_expr: Any = None

    def get_name(self) -> str:
        """The name of the read's tasks."""
        return "Rowstone"

    def estimate_inmemory_data_size(self) -> int:
        """The size of the regions that are read. Ray cuts the blocks of a small table no further."""
        return self._source.estimate_bytes(self._source.plan(all_of(self._parts), self._columns))

    def supports_projection_pushdown(self) -> bool:
        """Only the selected columns are read."""
        return True

    def supports_predicate_pushdown(self) -> bool:
        """Filters become key ranges and filters of the scan."""
        return True

    def apply_predicate(self, predicate_expr: Any) -> Any:
        """Return a datasource that evaluates an expression as well."""
        found = copy.copy(self)
        for one in conjuncts(predicate_expr):
            predicate = predicate_of(one, self._source.schema)
            if predicate is not None:
                found._parts += (predicate,)
            else:
                found._left = one if found._left is None else found._left & one
        both = self._predicate_expr
        found._predicate_expr = predicate_expr if both is None else both & predicate_expr
        return found

    def apply_projection(self, projection_map: Mapping[str, str] | None) -> Any:
        """Return a datasource with only these columns, in this order. Ray (2.60) renames columns itself."""
        found = copy.copy(self)
        if projection_map is not None:
            found._columns = tuple(name for name in projection_map if name in self._columns)
            found._projection_map = {name: name for name in found._columns}
        return found

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None
    ) -> list[Any]:
        """A task for each split of the plan, whatever ``parallelism`` is; an empty one if there is none."""
        datasource, block = RAY.module("ray.data.datasource"), RAY.module("ray.data.block")
        limit = per_task_row_limit if self._left is None else None
        # Expressions that Ray evaluates may need any column.
        columns = self._columns if self._left is None else self._source.schema.names
        plan = self._source.plan(all_of(self._parts), columns, limit)
        unknown = block.BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
        schema = plan.schema.arrow(self._columns)
        splits: list[Split | None] = [*self._source.splits(plan)] or [None]
        return [
            datasource.ReadTask(
                partial(read_tables, self._source, plan, split, (self._columns, self._left)),
                unknown,
                schema=schema,
                per_task_row_limit=per_task_row_limit,
            )
            for split in splits
        ]


def read_tables(source: Source, plan: Plan, split: Split | None, rest: tuple[tuple[str, ...], Any]) -> Iterator[Any]:
    """Yield the `pyarrow.Table` of a split, at least one: an empty one names the columns.

    Args:
        rest: The columns of the result, and the expression that Arrow still has to evaluate.
    """
    pyarrow = import_optional("pyarrow", "Ray Data", "arrow")
    columns, left = rest
    is_empty = True
    for batch in [] if split is None else source.read(plan, split):
        table = pyarrow.Table.from_batches([batch])
        if left is not None:
            table = table.filter(left.to_pyarrow())
        yield table.select(columns)
        is_empty = False
    if is_empty:
        yield plan.schema.arrow(columns).empty_table()
