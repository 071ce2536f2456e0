"""An index of a table: queries, maintenance, checks."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Unpack

from rowstone import _native
from rowstone._base.options import check_names, check_number
from rowstone._base.options.calls import DeleteOptions, PutOptions
from rowstone._base.printable import printable
from rowstone.coprocessors._observers import change
from rowstone.errors import IndexNotFound, InvalidArgument, TableNotFound, UnsupportedOperation
from rowstone.indexes import _dual, _rebuild
from rowstone.indexes._codec_check import check_codec
from rowstone.indexes._definition import CREATION_LOCK, INDEX_OF, Definition
from rowstone.indexes._entries import COUNT, SUM, bucket_of, repair
from rowstone.indexes._explain import IndexCost, IndexDifferences, Lag
from rowstone.indexes._query import IndexQuery
from rowstone.indexes._read import buckets, entries_table, members
from rowstone.indexes._read import entries as entries_of

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone._core.table import Table
    from rowstone.jobs.executors import ExecutorArgument

_SHOWN = 1_000


class Index:
    """A secondary index. Returned by `Database.create_index` and `Database.index`.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("people", ["f"])
        ...     people = db.table("people")
        ...     for name, town in [("ann", "Oslo"), ("bob", "Bergen"), ("eva", "Oslo")]:
        ...         people.put(name, {"f:town": town})
        ...     index = db.create_index("people", "by_town", "f:town", strategy="coprocessor")
        ...     people.put("cid", {"f:town": "Oslo"})
        ...     query = index.query(equals="Oslo")
        ...     print([row.key for row in query], query.explain().path)
        [b'ann', b'cid', b'eva'] entries of people_by_town, rows of people
    """

    def __init__(self, database: Database, definition: Definition) -> None:
        self._database = database
        self._definition = definition
        self._is_checked = False

    @property
    def definition(self) -> Definition:
        """Its definition."""
        return self._definition

    @property
    def name(self) -> str:
        """Its name, unique within its table."""
        return self._definition.name

    @property
    def _table(self) -> Table:
        return self._database.table(self._definition.table)

    @property
    def _entries(self) -> Table:
        if self._definition.index_table is None:
            raise UnsupportedOperation(f"index '{self.name}' of strategy 'filter' has no index table")
        table = entries_table(self._database, self._definition, is_checked=self._is_checked)
        # Once for this object, because a write is shorter than reading a descriptor.
        self._is_checked = True
        return table

    def query(
        self,
        start: Any = None,
        stop: Any = None,
        *,
        equals: Any = None,
        limit: int | None = None,
        columns: str | bytes | Iterable[Any] | None = None,
        threads: int = 1,
    ) -> IndexQuery:
        """Return the rows whose value is between ``start`` and ``stop``, sorted by value and then by row key.

        Args:
            start, stop: Values of the index's codec, ``start`` included, ``stop`` excluded; None for no bound.
            equals: Exactly this value, instead of a range.
            limit: Maximum number of rows.
            columns: Columns or families to return, as for `Table.scan`, in addition to the index's own column.
            threads: Number of regions to read in parallel if the query reads the table instead of an index.

        Raises:
            InvalidArgument: ``equals`` is combined with a bound, the codec does not accept a value, or ``limit``,
                ``columns`` or ``threads`` is wrong.
        """
        check_number("threads", threads)
        wanted: Any = [columns] if isinstance(columns, (str, bytes)) else columns
        if isinstance(wanted, Iterable):
            wanted = list(wanted)
        # Raises for wrong ones as a scan does.
        _native.Scan(limit=limit, columns=wanted)
        one = self._definition
        if equals is not None and (start is not None or stop is not None):
            raise InvalidArgument("pass either equals, or start and stop")
        low = None if start is None else one.encoded(start)
        high = None if stop is None else one.encoded(stop)
        if equals is not None:
            low = one.encoded(equals)
            high = low + b"\x00"
        note = "" if one.strategy == "filter" or one.is_built else "the index is not built: build it with rebuild()"
        return IndexQuery(
            self._database,
            one,
            low,
            high,
            limit=limit,
            columns=wanted,
            threads=threads,
            note=note,
            open_entries=lambda: self._entries,
        )

    def rebuild(self, since: int | None = None, *, workers: int = 1, executor: ExecutorArgument = None) -> int:
        """Make the index agree with the table; return how many entries were written or deleted.

        Args:
            since: Process only rows with a cell at or after this time, in milliseconds. ``index.lag().since`` is the
                time of the last rebuild. Rows whose delete markers a major compaction has dropped are missed. An index
                that is not built, as in a copy of a table, is built from all rows.
            workers: Number of regions processed in parallel, in threads.
            executor: Where to run instead of threads, as in `rowstone.jobs`. Entries written by a worker that died are
                not counted.

        Until a coprocessor index is built its queries read the table; writes continue and are indexed. If the table of
        entries is missing, as after an import of a snapshot, it is created, and the index is built from all rows.

        Raises:
            InvalidArgument: None of the sampled values fits the index's codec, or ``since`` is not a time. Nothing was
                changed.
        """
        from rowstone.indexes._rebuild_job import rebuild
        from rowstone.jobs.executors import executor_of

        if since is not None:
            check_number("since", since, least=0)
        one = self._definition
        if one.strategy == "filter":
            return 0
        runner = executor_of(executor, workers)
        check_codec(self._table, one)
        if self._stored() is None:
            raise IndexNotFound(f"table '{one.table}' has no index '{one.name}' any more: create it again")
        repair(self._database, one.table)
        one = self._reload()
        if not one.is_built:
            since = None
        entries = self._entries
        if one.strategy == "coprocessor":
            self._note_built(False)
            changed = rebuild(self._database, one, None, runner)
        else:
            until = _rebuild.now_of(entries)
            changed = rebuild(self._database, one, since, runner)
            _rebuild.note(entries, until)
        self._note_built(True)
        return changed

    def bootstrap(self, since: int | None = None, *, workers: int = 1, executor: ExecutorArgument = None) -> int:
        """Build the index: another name of `rebuild`."""
        return self.rebuild(since, workers=workers, executor=executor)

    def _stored(self) -> str | None:
        return self._database.admin.describe(self._definition.table).attributes.get(self._definition.key)

    def _reload(self) -> Definition:
        self._definition = Definition.parse(self._definition.key, self._stored() or "")
        return self._definition

    def _note_built(self, is_built: bool) -> None:
        if self._definition.is_built != is_built:
            self._definition = self._definition.built(is_built)
            change(self._database, self._definition.table, {self._definition.key: self._definition.text()})

    def lag(self) -> Lag:
        """Return the lag of the index: the number of rows written since it was last brought up to date.

        This searches all files for these rows, and reads them.
        """
        one = self._definition
        if one.strategy in ("filter", "coprocessor"):
            return Lag(0, None)
        since = _rebuild.known_until(self._entries)
        if since is None:
            return Lag(None, None)
        if one.strategy == "dual":
            return Lag(0, None)
        return Lag(sum(1 for _ in _rebuild.changed_rows(self._table, since)), since)

    def verify(self) -> IndexDifferences:
        """Compare the index with its table, reading both completely. Concurrent writes may show up as differences.

        Also counts the rows that no query finds because the codec cannot decode their values.
        """
        if self._definition.strategy == "filter":
            return IndexDifferences((), (), 0, 0, 0)
        found: dict[str, list[bytes]] = {"missing": [], "extra": [], "unreadable": []}
        counts = dict.fromkeys(found, 0)

        def report(kind: str, key: bytes) -> None:
            counts[kind] += 1
            if len(found[kind]) < _SHOWN:
                found[kind].append(key)

        checked = _rebuild.differences(self._table, self._entries, self._definition, report)
        missing, extra = tuple(found["missing"]), tuple(found["extra"])
        return IndexDifferences(missing, extra, counts["missing"], counts["extra"], checked, counts["unreadable"])

    def summary(self, start: Any = None, stop: Any = None) -> dict[int, tuple[int, int]]:
        """Return ``{first value of a bucket: (rows, sum)}`` for the buckets of a summary that overlap the range.

        ``start`` is included, ``stop`` is excluded. Buckets are counted whole, even if a bound falls into them.
        """
        one = self._definition
        if one.strategy != "summary" or one.by is None:
            raise UnsupportedOperation(f"index '{self.name}' of strategy '{one.strategy}' has no buckets")
        low = None if start is None else one.encoded(start)
        high = None if stop is None else one.encoded(stop)
        if low is not None and high is not None and low >= high:
            return {}
        with self._entries.scan(*buckets(one, low, high), columns=[b"i"]) as rows:
            return {
                bucket_of(row.key) * one.by: (
                    int.from_bytes(row[COUNT], "big"),
                    int.from_bytes(row.get(SUM, b""), "big", signed=True),
                )
                for row in rows
                if COUNT in row
            }

    def put(self, row: str | bytes, data: Any, **options: Unpack[PutOptions]) -> None:
        """For the strategy "dual": write the entry, then the row, then delete the old entry; options as `Table.put`.

        The steps are not atomic. Readers may see the entry before the row. A crash may leave a surplus entry, which
        queries skip. Two concurrent writers of one row may leave an entry missing: let one client write each row.
        """
        check_names(self.put, options, PutOptions.__optional_keys__)
        _dual.put(self._table, self._entries, self._dual(), row, data, options)

    def delete(self, row: str | bytes, columns: Any = None, **options: Unpack[DeleteOptions]) -> None:
        """For the strategy "dual": delete from the row, then update its entry; options as `Table.delete`."""
        check_names(self.delete, options, DeleteOptions.__optional_keys__)
        _dual.delete(self._table, self._entries, self._dual(), row, columns, options)

    def _dual(self) -> Definition:
        if self._definition.strategy != "dual":
            raise UnsupportedOperation(
                f"index '{self.name}' is of strategy '{self._definition.strategy}': write to the table"
            )
        return self._definition

    def cost(self) -> IndexCost:
        """Return the size of the index in memory and files, and the write amplification."""
        if self._definition.strategy == "filter":
            return IndexCost(0, 0, self._bytes(self._definition.table), 1.0)
        one = self._definition
        found = (
            members(self._entries, one, None, None)
            if one.strategy == "summary"
            else entries_of(self._entries, None, None)
        )
        count = sum(1 for _ in found)
        own, table = self._bytes(self._definition.index_table or ""), self._bytes(self._definition.table)
        return IndexCost(count, own, table, (own + table) / table if table else 1.0)

    def _bytes(self, table: str) -> int:
        numbers = self._database.admin.metrics.stores(table).sums("table")
        return sum((one.memstore_bytes or 0) + (one.store_file_bytes or 0) for one in numbers)

    def drop(self) -> None:
        """Drop the index with its index table."""
        one = self._definition
        self._is_checked = False
        with CREATION_LOCK:
            change(self._database, one.table, {one.key: None})
            # The strategy "filter" has no entries, but an interrupted change to it may have left some.
            name = one.index_table or f"{one.table}_{one.name}"
            # It may be missing after a copy, and its name may be that of another table.
            with suppress(TableNotFound):
                if self._database.admin.describe(name).attributes.get(INDEX_OF) == one.table:
                    self._database.admin.drop_table(name, force=True)

    def __repr__(self) -> str:
        one = self._definition
        on = printable(one.on) if isinstance(one.on, bytes) else one.on
        return f"<Index {one.name!r} of '{one.table}' on {on}: {one.strategy}{'' if one.is_built else ', not built'}>"
