"""``scan``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.metrics import print_metrics
from rowstone.shell.reads import in_hbases_words, open_scan, scan_options
from rowstone.shell.tables import CellWriter
from rowstone.shell.writes import refuse_labels

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = r"""
Rows in the order of their keys. Without options the whole table; with them what you choose:

  COLUMNS            families and columns
  STARTROW, STOPROW  from a row, included, to a row, excluded (ENDROW is the same)
  ROWPREFIXFILTER    rows that begin so
  LIMIT              so many rows at most
  VERSIONS           so many versions of each column
  TIMERANGE          [from, to], TIMESTAMP one moment
  FILTER             text of the filter language, or a filter's class
  REVERSED           from large keys to small ones
  RAW                delete markers and deleted cells too; with VERSIONS => 10
  MAXLENGTH          cuts what is printed of a cell
  ALL_METRICS        what reading took, METRICS only some of it

  hbase> scan 't1'
  hbase> scan 't1', {COLUMNS => ['f:a', 'g'], LIMIT => 10, STARTROW => 'xyz'}
  hbase> scan 't1', {TIMERANGE => [1303668804000, 1303668904000]}
  hbase> scan 't1', {REVERSED => true, LIMIT => 3}
  hbase> scan 't1', {FILTER => "PrefixFilter('row2') AND QualifierFilter(>=, 'binary:xyz')"}
  hbase> scan 't1', {FILTER => org.apache.hadoop.hbase.filter.ColumnPaginationFilter.new(1, 0)}
  hbase> scan 't1', {RAW => true, VERSIONS => 10}
  hbase> t.scan LIMIT => 10

Bytes are shown as text with \xHH; help 'get' says how to show them otherwise (toInt, toLong, c(...), FORMATTER).
CACHE says how many rows a server sends at once at most. MAX_RESULT_SIZE, READ_TYPE, CONSISTENCY, REGION_REPLICA_ID,
ATTRIBUTES and ALLOW_PARTIAL_RESULTS are accepted and not used; AUTHORIZATIONS likewise in a directory, and refused on a
cluster.
"""


def command(session: Session, table: Any, options: Any = None) -> None:
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
