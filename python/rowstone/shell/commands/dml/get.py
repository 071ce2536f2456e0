"""``get``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.reads import get_options, in_hbases_words
from rowstone.shell.tables import CellWriter
from rowstone.shell.values import to_bytes
from rowstone.shell.writes import refuse_labels

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = r"""
The cells of a row: of all columns or of some, the newest version or several, of a time.

  hbase> get 't1', 'r1'
  hbase> get 't1', 'r1', 'f:a', 'f:b'
  hbase> get 't1', 'r1', {COLUMN => ['f:a', 'f:b'], VERSIONS => 4}
  hbase> get 't1', 'r1', {TIMERANGE => [ts1, ts2]}
  hbase> get 't1', 'r1', {COLUMN => 'f:a', TIMESTAMP => ts1}
  hbase> get 't1', 'r1', {FILTER => "ValueFilter(=, 'binary:abc')"}
  hbase> get 't1', 'r1', {COLUMN => 'f:a', MAXLENGTH => 100}
  hbase> t.get 'r1'

Bytes are shown as text with \xHH. A converter behind a column shows its values otherwise: toInt, toLong, toString, any
of HBase's Bytes; c(...) takes a function of Python that is given bytes. FORMATTER does it for all columns, with
FORMATTER_CLASS from another class:

  hbase> get 't1', 'r1', {COLUMN => ['f:a:toInt', 'f:b:c(org.apache.hadoop.hbase.util.Bytes).toInt']}
  hbase> get 't1', 'r1', {FORMATTER => 'toString'}
  hbase> get 't1', 'r1', {COLUMN => 'f:a', FORMATTER => 'fmt', FORMATTER_CLASS => 'my.module'}

CONSISTENCY, REGION_REPLICA_ID and ATTRIBUTES are accepted and not used; AUTHORIZATIONS likewise in a directory, and
refused on a cluster.
"""


def command(session: Session, table: Any, row: Any, *arguments: Any) -> None:
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
