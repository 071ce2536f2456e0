"""``change_sft``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Changes how HBase keeps account of the files of a table, or of a family of it: DEFAULT or FILE. A directory's manifest
names the files of all tables.

  hbase> change_sft 't1', 'FILE'
  hbase> change_sft 't2', 'cf1', 'FILE'
"""


def command(session: Session, *arguments: Any) -> None:
    if len(arguments) not in (2, 3):
        raise ArgumentMistake("Argument length should be two or three.")
    name = session.table(arguments[0]).name
    session.admin.describe(name)
    if not session.is_cluster:
        raise session.cluster_only("another account of store files")
    family = to_s(arguments[1]) if len(arguments) == 3 else None
    session.admin.set_store_file_tracker(name, to_s(arguments[-1]), family)
