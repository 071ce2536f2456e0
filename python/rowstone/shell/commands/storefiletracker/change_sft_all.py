"""``change_sft_all``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.many import matching_tables
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Changes how HBase keeps account of the files of all tables whose name matches, after asking: DEFAULT or FILE. A
directory's manifest names the files of all tables.

  hbase> change_sft_all 't.*', 'FILE'
  hbase> change_sft_all 'ns:.*', 'FILE'
"""


def command(session: Session, *arguments: Any) -> None:
    if len(arguments) != 2:
        raise ArgumentMistake("Argument length should be two.")
    names = matching_tables(session, arguments[0])
    for name in names:
        session.formatter.row([name])
    if not names:
        session.formatter.line(f"No tables matched the regex {to_s(arguments[0])}")
        return
    session.formatter.line()
    if not session.ask(f"Change the above {len(names)} tables's sft (y/n)?"):
        return
    if not session.is_cluster:
        raise session.cluster_only("another account of store files")
    for name in names:
        session.admin.set_store_file_tracker(name, to_s(arguments[1]))
