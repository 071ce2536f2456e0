"""Reads of a table by an engine: splits by region, and the batches of a split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rowstone.engines._address import Endpoint, Target, check_choice, show_target
from rowstone.engines._predicate import Predicate
from rowstone.engines._schema import RowSchema
from rowstone.engines.planner.byte_ranges import Ranges, clip
from rowstone.engines.planner.plan import Plan, plan
from rowstone.engines.reading.scan import read_split
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


class Source(Endpoint):
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
        check_choice("on_error", on_error, get_args(OnError))
        super().__init__(target, table, schema, options)
        self._on_error = on_error

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
        servers = {one.region.start_key: one.server for one in places}
        found: list[Split] = []
        for start, ranges in _by_region(plan, servers):
            server = servers.get(start)
            found.append(Split(len(found), ranges, server.partition(",")[0] if server else None))
        return found

    def estimate_bytes(self, plan: Plan) -> int:
        """Return the size of the regions that a plan reads: uncompressed, with all cells.

        The result of the plan is usually smaller: the size includes cells of other columns, older versions, and rows
        outside of the plan's ranges. Servers of a cluster report it every few seconds, in whole MiB. Connects to the
        table.

        Raises:
            TableNotFound: There is no such table.
        """
        if not plan.ranges or plan.limit == 0:
            return 0
        with self._address.open_database() as db:
            stores = db.admin.metrics.stores(self._address.table)
        sizes: dict[bytes, int] = {}
        families = {field.pair[0] for field in self._schema.cells}
        for one in stores:
            # Servers of a cluster do not report families.
            if one.start_key is not None and (one.family is None or one.family in families):
                size = (one.uncompressed_bytes or 0) + (one.memstore_bytes or 0)
                sizes[one.start_key] = sizes.get(one.start_key, 0) + size
        return sum(sizes.get(start, 0) for start, _ in _by_region(plan, sizes))

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


def _by_region(plan: Plan, starts: Iterable[bytes]) -> Iterator[tuple[bytes, Ranges]]:
    """Iterate over the regions that have ranges of a plan: their start keys, and the ranges in them.

    Only the start keys decide: the regions cover all keys once, even if some that are listed overlap or are missing.
    """
    found = sorted({b"", *starts})
    for start, stop in zip(found, [*found[1:], b""], strict=True):
        if ranges := clip(plan.ranges, KeyRange(start, stop)):
            yield start, ranges
