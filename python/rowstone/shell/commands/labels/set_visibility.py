"""``set_visibility``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.reads import open_scan, scan_options
from rowstone.shell.security import labels

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Marks cells that a scan finds with an expression of labels. A directory has no labels.

  hbase> set_visibility 't1', 'A|B', {COLUMNS => ['f:q1', 'f:q2']}
"""


def command(session: Session, table: Any, visibility: Any, scan: Any) -> None:
    reference = session.table(table)
    with open_scan(reference, scan_options(reference, scan)) as rows:
        if next(iter(rows), None) is not None:
            labels(session)
            raise session.cluster_only("labels of cells that are written")
    session.formatter.footer(0)
