"""``get_splits``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone._printable import printable
from rowstone.errors import TableNotFound

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The keys at which a table is split into regions.

  hbase> get_splits 't1'
  hbase> t.get_splits
"""


def command(session: Session, table: Any) -> list[str]:
    try:
        splits = [printable(key) for key in session.admin.split_keys(session.table(table).name)]
    except TableNotFound:
        splits = []
    session.formatter.line(f"Total number of splits = {len(splits) + 1}")
    for split in splits:
        session.formatter.line(split)
    return splits
