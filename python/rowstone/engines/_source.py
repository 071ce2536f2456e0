"""Reads of a table by an engine: splits by region, and the batches of a split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from rowstone.engines._address import Address, Target, show_target
from rowstone.engines._predicate import Predicate
from rowstone.engines._schema import RowSchema
from rowstone.engines.planner.byte_ranges import clip
from rowstone.engines.planner.plan import Plan, plan
from rowstone.engines.reading.scan import read_split
from rowstone.errors import InvalidArgument
from rowstone.keys import KeyRange

OnError = Literal["raise", "null", "drop"]


@dataclass(frozen=True)
class Split:
    """Key ranges of one region, for one task. It stays right if the region splits or moves: it names keys only.

    Attributes:
        number: Its position among the splits of the plan, in key order.
        ranges: Sorted and disjoint.
        host: The server of the region when the splits were listed, for locality; None if there is none.
    """

    number: int
    ranges: tuple[KeyRange, ...]
    host: str | None = None


class Source:
    """A table to read. It can be pickled unless it belongs to a database in memory.

    Args:
        target: What `rowstone.connect` opens: a URL of a cluster or a root, or a directory; or an open database. Tasks
            in other processes connect to a cluster themselves. They open a directory read-only, and see its state at
            that moment.
        table: The table's name.
        schema: Its columns.
        on_error: What happens to values that do not decode: ``"raise"`` an error that names row, column and bytes; make
            them ``"null"``; or ``"drop"`` rows with such a value among the columns that are read.
        options: Options of `rowstone.connect` for a cluster.
    """

    def __init__(
        self,
        target: Target,
        table: str,
        schema: RowSchema,
        *,
        on_error: OnError = "raise",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        if on_error not in ("raise", "null", "drop"):
            raise InvalidArgument(f"on_error {on_error!r} is unknown; there are 'raise', 'null' and 'drop'")
        self._address = Address(target, table, dict(options or {}))
        self._schema = schema
        self._on_error = on_error

    @property
    def schema(self) -> RowSchema:
        """The table's columns."""
        return self._schema

    @property
    def table(self) -> str:
        """The table's name."""
        return self._address.table

    def plan(
        self, predicate: Predicate | None = None, columns: Iterable[str] | None = None, limit: int | None = None
    ) -> Plan:
        """Return the plan of a query: see `plan`."""
        return plan(predicate, self._schema, columns, limit, on_error=self._on_error)

    def splits(self, plan: Plan) -> list[Split]:
        """Return a split for each region that has ranges of the plan, in key order. Connects to the table.

        Raises:
            TableNotFound: There is no such table.
        """
        if not plan.ranges or plan.limit == 0:
            return []
        with self._address.open_database() as db:
            places = db.admin.regions.locations(self._address.table)
        # Only the start keys decide: the splits cover all keys once, even if regions overlap or one is missing.
        servers: dict[bytes, str | None] = {b"": None, **{one.region.start_key: one.server for one in places}}
        starts = sorted(servers)
        found: list[Split] = []
        for start, stop in zip(starts, [*starts[1:], b""], strict=True):
            ranges = clip(plan.ranges, KeyRange(start, stop))
            if ranges:
                server = servers[start]
                found.append(Split(len(found), ranges, server.partition(",")[0] if server else None))
        return found

    def read(self, plan: Plan, split: Split) -> Iterator[Any]:
        """Iterate over the `pyarrow.RecordBatch` of a split, with the schema ``schema.arrow(plan.columns)``.

        The rows meet the plan's predicate, except for conditions of the engine (`Plan.is_complete`). They are in key
        order, at most ``plan.limit`` if that is set. Each batch has at least one row.

        Raises:
            InvalidArgument: A value does not decode and ``on_error`` is ``"raise"``: the message names row, column and
                bytes.
        """
        with self._address.open_database() as db:
            is_remote = db._cluster is not None
            yield from read_split(db.table(self.table), plan, split, self._on_error, is_remote=is_remote)

    @contextmanager
    def opened(self) -> Iterator[Source]:
        """Open a connection and return a source that uses it: for several reads in one process."""
        with self._address.open_database() as db:
            yield Source(db, self._address.table, self._schema, on_error=self._on_error)

    def __repr__(self) -> str:
        return f"Source({show_target(self._address.target)}, {self._address.table!r}, {self._schema!r})"
