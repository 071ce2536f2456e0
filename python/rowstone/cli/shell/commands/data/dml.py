"""Commands of the group dml: rows and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone._base.printable import printable
from rowstone.cli.shell.checks import hash_of, whole
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.data import writes
from rowstone.cli.shell.commands.data.reads import column_of, get_options, in_hbases_words, open_scan, scan_options
from rowstone.cli.shell.commands.data.writes import life_time, refuse_labels
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.output.cell_writer import CellWriter
from rowstone.cli.shell.values import inspect, is_text, to_bytes, to_s
from rowstone.errors import TableNotFound
from rowstone.filters import FilterList, FirstKeyOnlyFilter

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command()
def append(session: Session, table: Any, row: Any, column: Any, value: Any, options: Any = None) -> None:
    """Append bytes to the value of a cell, atomically, and print the new value.

      hbase> append 't1', 'r1', 'f:q', 'value'
      hbase> append 't1', 'r1', 'f:q', 'value', {TTL => 86400000}
      hbase> t.append 'r1', 'f:q', 'value'

    ATTRIBUTES are accepted and not used; VISIBILITY likewise in a directory, and refused on a cluster.
    """
    reference = session.table(table)
    refuse_labels(session, options)
    with in_hbases_words(reference, row):
        place = column_of(reference, column)
        new = reference.handle().append(to_bytes(row), place, to_bytes(value), ttl_ms=life_time(options))
    session.formatter.line(f"CURRENT VALUE = {printable(new)}")


@command()
def count(session: Session, table: Any, options: Any = None) -> int:
    """Count the rows of a table. Prints the current count every INTERVAL rows (1000 by default). FILTER, COLUMNS,
    STARTROW, STOPROW and TIMERANGE select rows as in scan.

      hbase> count 't1'
      hbase> count 't1', INTERVAL => 100000
      hbase> count 't1', FILTER => "PrefixFilter('abc')"
      hbase> count 't1', COLUMNS => ['f1:q1'], STARTROW => 'abc', STOPROW => 'xyz'
      hbase> t.count INTERVAL => 100000

    CACHE limits the rows per server response; without it a response holds as many as fit.
    """
    reference = session.table(table)
    given = (
        {"INTERVAL": options} if isinstance(options, int) else hash_of(options or {}, "count takes a hash of options")
    )
    if is_text(given.get("CACHE_BLOCKS")) and to_s(given["CACHE_BLOCKS"]).lower() not in ("true", "false"):
        raise ArgumentMistake("Expected CACHE_BLOCKS value to be a boolean or the string 'true' or 'false'")
    given.setdefault("CACHE_BLOCKS", False)
    interval = max(1, whole("INTERVAL", given.get("INTERVAL", 1000)))
    settings = scan_options(reference, given)
    first_only, chosen = FirstKeyOnlyFilter(), settings.get("filter")
    settings["filter"] = first_only if chosen is None else FilterList("MUST_PASS_ALL", [chosen, first_only])
    count = 0
    with in_hbases_words(reference), open_scan(reference, settings) as rows:
        for row in rows:
            count += 1
            if count % interval == 0:
                session.formatter.row([f"Current count: {count}, row: {printable(row.key)}"])
    session.formatter.footer(count)
    return count


@command()
def delete(session: Session, table: Any, row: Any, column: Any, timestamp: Any = None, options: Any = None) -> None:
    """Delete one version of a column: the newest, or the one with the given timestamp. The next older version becomes
    visible. deleteall deletes all versions.

      hbase> delete 't1', 'r1', 'f:q'
      hbase> delete 't1', 'r1', 'f:q', ts1
      hbase> t.delete 'r1', 'f:q', ts1

    VISIBILITY is accepted and not used in a directory, and refused on a cluster.
    """
    refuse_labels(session, timestamp, options)
    writes.delete(session.table(table), row, column, timestamp, all_versions=False)


@command()
def deleteall(
    session: Session, table: Any, row: Any, column: Any = None, timestamp: Any = None, options: Any = None
) -> None:
    """Delete a row, a family of it, or all versions of a column; with a timestamp, only cells up to that time. With
    ROWPREFIXFILTER, delete all rows that start with the prefix.

      hbase> deleteall 't1', 'r1'
      hbase> deleteall 't1', 'r1', 'f:q'
      hbase> deleteall 't1', 'r1', 'f:q', ts1
      hbase> deleteall 't1', 'r1', '', ts1
      hbase> deleteall 't1', {ROWPREFIXFILTER => 'prefix'}
      hbase> deleteall 't1', {ROWPREFIXFILTER => 'prefix', CACHE => 100}, 'f:q'
      hbase> t.deleteall 'r1'

    VISIBILITY is accepted and not used in a directory, and refused on a cluster.
    """
    refuse_labels(session, timestamp, options)
    writes.delete(session.table(table), row, column, timestamp, all_versions=True)


@command()
def get(session: Session, table: Any, row: Any, *arguments: Any) -> None:
    r"""Get the cells of a row: all or selected columns, one or several versions, optionally within a time range.

      hbase> get 't1', 'r1'
      hbase> get 't1', 'r1', 'f:a', 'f:b'
      hbase> get 't1', 'r1', {COLUMN => ['f:a', 'f:b'], VERSIONS => 4}
      hbase> get 't1', 'r1', {TIMERANGE => [ts1, ts2]}
      hbase> get 't1', 'r1', {COLUMN => 'f:a', TIMESTAMP => ts1}
      hbase> get 't1', 'r1', {FILTER => "ValueFilter(=, 'binary:abc')"}
      hbase> get 't1', 'r1', {COLUMN => 'f:a', MAXLENGTH => 100}
      hbase> t.get 'r1'

    Other bytes than printable ASCII are shown as \xHH. A converter after a column formats its values: toInt, toLong,
    toString or any method of HBase's Bytes; c(...) names a Python function of bytes. FORMATTER applies to all
    columns; FORMATTER_CLASS names the class it comes from:

      hbase> get 't1', 'r1', {COLUMN => ['f:a:toInt', 'f:b:c(org.apache.hadoop.hbase.util.Bytes).toInt']}
      hbase> get 't1', 'r1', {FORMATTER => 'toString'}
      hbase> get 't1', 'r1', {COLUMN => 'f:a', FORMATTER => 'fmt', FORMATTER_CLASS => 'my.module'}

    CONSISTENCY, REGION_REPLICA_ID and ATTRIBUTES are accepted and not used; AUTHORIZATIONS likewise in a directory, and
    refused on a cluster.
    """
    reference = session.table(table)
    session.formatter.header(["COLUMN", "CELL"])
    reference.converters.clear()
    refuse_labels(session, *arguments)
    with in_hbases_words(reference, row):
        options = get_options(reference, arguments)
        given = arguments[0] if arguments and isinstance(arguments[0], dict) else {}
        found = reference.handle().get(to_bytes(row), **options)
        writer = CellWriter.of(reference, given.get("FORMATTER"), given.get("FORMATTER_CLASS"), given.get("MAXLENGTH"))
        for cell in found.cells:
            session.formatter.cell(None, writer.column(cell), cell, writer.text(cell))
    session.formatter.footer(1 if found else 0)


@command()
def get_counter(session: Session, table: Any, row: Any, column: Any) -> None:
    """Show the value of a counter.

    hbase> get_counter 't1', 'r1', 'f:q'
    hbase> t.get_counter 'r1', 'f:q'
    """
    reference = session.table(table)
    with in_hbases_words(reference, row):
        place = column_of(reference, column)
        found = reference.handle().get(to_bytes(row), [place])
    if not found:
        session.formatter.line("No counter found at specified coordinates")
        return
    value = found.cells[0].value
    if len(value) != 8:
        raise ArgumentMistake(f"Wrong length: {len(value)}, expected 8")
    session.formatter.line(f"COUNTER VALUE = {int.from_bytes(value, 'big', signed=True)}")


@command()
def get_splits(session: Session, table: Any) -> list[str]:
    """List the keys at which a table is split into regions.

    hbase> get_splits 't1'
    hbase> t.get_splits
    """
    try:
        splits = [printable(key) for key in session.admin.regions.split_keys(session.table(table).name)]
    except TableNotFound:
        splits = []
    session.formatter.line(f"Total number of splits = {len(splits) + 1}")
    for split in splits:
        session.formatter.line(split)
    return splits


@command()
def incr(session: Session, table: Any, row: Any, column: Any, amount: Any = None, options: Any = None) -> None:
    """Increment a counter atomically and print its new value. A missing counter starts at 0; the default amount
    is 1.

      hbase> incr 't1', 'r1', 'f:q'
      hbase> incr 't1', 'r1', 'f:q', 10
      hbase> incr 't1', 'r1', 'f:q', 10, {TTL => 86400000}
      hbase> t.incr 'r1', 'f:q', 10

    ATTRIBUTES are accepted and not used; VISIBILITY likewise in a directory, and refused on a cluster.
    """
    reference = session.table(table)
    refuse_labels(session, amount, options)
    added = 1 if amount is None or isinstance(amount, dict) else amount
    if not isinstance(added, int) or isinstance(added, bool):
        raise ShellError("cannot convert instance of class org.jruby.RubyString to long", "TypeError")
    settings = amount if isinstance(amount, dict) else options
    with in_hbases_words(reference, row):
        place = column_of(reference, column)
        new = reference.handle().increment(to_bytes(row), {place: added}, ttl_ms=life_time(settings))
    value = int.from_bytes(new.cells[0].value, "big", signed=True)
    session.formatter.line(f"COUNTER VALUE = {value}")


@command()
def put(
    session: Session, table: Any, row: Any, column: Any, value: Any, timestamp: Any = None, options: Any = None
) -> None:
    """Put a value into a cell, optionally with a timestamp.

      hbase> put 't1', 'r1', 'f:q', 'value'
      hbase> put 't1', 'r1', 'f:q', 'value', ts1
      hbase> put 't1', 'r1', 'f:q', 'value', {TTL => 86400000}
      hbase> put 't1', 'r1', 'f:q', 'value', ts1, {TTL => 86400000}
      hbase> t.put 'r1', 'f:q', 'value'

    ATTRIBUTES are accepted and not used; VISIBILITY likewise in a directory, and refused on a cluster.
    """
    reference = session.table(table)
    refuse_labels(session, timestamp, options)
    settings = timestamp if isinstance(timestamp, dict) else options
    moment = None if isinstance(timestamp, dict) else timestamp
    if moment is not None and (not isinstance(moment, int) or isinstance(moment, bool)):
        raise ArgumentMistake(f"the timestamp must be a number, not {inspect(moment)}")
    if moment is not None and moment < 0:
        raise ArgumentMistake(f"Timestamp cannot be negative. ts={moment}")
    with in_hbases_words(reference, row):
        place = column_of(reference, column)
        data = {place: to_bytes(value)}
        reference.handle().put(to_bytes(row), data, timestamp=moment, ttl_ms=life_time(settings))


@command()
def scan(session: Session, table: Any, options: Any = None) -> None:
    r"""Scan rows in key order: the whole table, or the part selected by options:

      COLUMNS            families and columns
      STARTROW, STOPROW  start row (inclusive) and stop row (exclusive); if equal, that row. ENDROW is an alias
      ROWPREFIXFILTER    rows that start with this prefix
      LIMIT              maximum number of rows
      VERSIONS           maximum number of versions per column
      TIMERANGE          [from, to); TIMESTAMP selects a single timestamp
      FILTER             an expression of the filter language, or a filter object
      REVERSED           descending key order
      RAW                include delete markers and deleted cells; use with VERSIONS => 10
      MAXLENGTH          maximum length of a printed value
      ALL_METRICS        print scan metrics; METRICS selects some of them

      hbase> scan 't1'
      hbase> scan 't1', {COLUMNS => ['f:a', 'g'], LIMIT => 10, STARTROW => 'xyz'}
      hbase> scan 't1', {TIMERANGE => [1303668804000, 1303668904000]}
      hbase> scan 't1', {REVERSED => true, LIMIT => 3}
      hbase> scan 't1', {FILTER => "PrefixFilter('row2') AND QualifierFilter(>=, 'binary:xyz')"}
      hbase> scan 't1', {FILTER => org.apache.hadoop.hbase.filter.ColumnPaginationFilter.new(1, 0)}
      hbase> scan 't1', {RAW => true, VERSIONS => 10}
      hbase> t.scan LIMIT => 10

    Bytes outside printable ASCII are shown as \xHH. See help 'get' for converters (toInt, c(...), FORMATTER).
    CACHE limits the rows per server response. MAX_RESULT_SIZE, READ_TYPE, CONSISTENCY,
    REGION_REPLICA_ID, ATTRIBUTES and ALLOW_PARTIAL_RESULTS are accepted and not used; AUTHORIZATIONS likewise in a
    directory, and refused on a cluster.
    """
    reference = session.table(table)
    session.formatter.header(["ROW", "COLUMN+CELL"])
    given = {} if options is None else options
    refuse_labels(session, given)
    count, size = 0, 0
    with in_hbases_words(reference):
        settings = scan_options(reference, given)
        writer = CellWriter.of(reference, given.get("FORMATTER"), given.get("FORMATTER_CLASS"), given.get("MAXLENGTH"))
        with open_scan(reference, settings) as rows:
            for row in rows:
                count += 1
                for cell in row.cells:
                    session.formatter.cell(writer.row(cell), writer.column(cell), cell, writer.text(cell))
                    size += 24 + len(cell.row) + len(cell.column) - 1 + len(cell.value)
    session.formatter.footer(count)
    if given.get("ALL_METRICS") or given.get("METRICS"):
        print_metrics(session, count, size, given.get("METRICS"))


@command()
def truncate(session: Session, table: Any) -> None:
    """Remove all rows and splits of a table: it is disabled, emptied and enabled again.

    hbase> truncate 't1'
    """
    writes.truncate(session, table, preserve_splits=False)


@command()
def truncate_preserve(session: Session, table: Any) -> None:
    """Remove all rows of a table and keep its splits.

    hbase> truncate_preserve 't1'
    """
    writes.truncate(session, table, preserve_splits=True)


_NAMES = (
    "BLOCK_BYTES_SCANNED", "BLOCK_READ_OPS_COUNT", "BYTES_IN_REMOTE_RESULTS", "BYTES_IN_RESULTS",
    "BYTES_READ_FROM_BLOCK_CACHE", "BYTES_READ_FROM_FS", "BYTES_READ_FROM_MEMSTORE", "FS_READ_TIME",
    "MILLIS_BETWEEN_NEXTS", "NOT_SERVING_REGION_EXCEPTION", "REGIONS_SCANNED", "REMOTE_RPC_CALLS", "REMOTE_RPC_RETRIES",
    "ROWS_FILTERED", "ROWS_SCANNED", "RPC_CALLS", "RPC_RETRIES", "RPC_SCAN_PROCESSING_TIME", "RPC_SCAN_QUEUE_WAIT_TIME",
)  # fmt: skip


def print_metrics(session: Session, rows: int, size_bytes: int, wanted: Any) -> None:
    """Print HBase's metrics of a scan that returned ``rows`` of ``size_bytes``. Metrics not counted here are 0.

    ``wanted`` names the metrics to print; None means all.
    """
    known = {"BYTES_IN_RESULTS": size_bytes, "ROWS_SCANNED": rows, "REGIONS_SCANNED": 1}
    session.formatter.line()
    session.formatter.header(["METRIC", "VALUE"])
    for name in _NAMES:
        if not isinstance(wanted, list) or not wanted or name in wanted:
            session.formatter.row([name, known.get(name, 0)])
