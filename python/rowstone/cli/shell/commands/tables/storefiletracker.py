"""Commands of the group storefiletracker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.shared import matching_tables
from rowstone.cli.shell.errors import ArgumentMistake
from rowstone.cli.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command(directory="cluster only")
def change_sft(session: Session, *arguments: Any) -> None:
    """Change the store file tracker of a table or a column family: DEFAULT or FILE. In a directory the manifest tracks
    the files of all tables.

      hbase> change_sft 't1', 'FILE'
      hbase> change_sft 't2', 'cf1', 'FILE'
    """
    if len(arguments) not in (2, 3):
        raise ArgumentMistake("Argument length should be two or three.")
    name = session.table(arguments[0]).name
    session.admin.describe(name)
    if not session.is_cluster:
        raise session.cluster_only("another account of store files")
    family = to_s(arguments[1]) if len(arguments) == 3 else None
    session.admin.tables.set_store_file_tracker(name, to_s(arguments[-1]), family)


@command(directory="cluster only")
def change_sft_all(session: Session, *arguments: Any) -> None:
    """Change the store file tracker of all tables whose name matches: DEFAULT or FILE. Asks for confirmation. In a
    directory the manifest tracks the files of all tables.

      hbase> change_sft_all 't.*', 'FILE'
      hbase> change_sft_all 'ns:.*', 'FILE'
    """
    if len(arguments) != 2:
        raise ArgumentMistake("Argument length should be two.")
    names = matching_tables(session, arguments[0])
    for name in names:
        session.formatter.row([name])
    if not names:
        session.formatter.line(f"No tables matched the regex {to_s(arguments[0])}")
        return
    session.formatter.line()
    if not session.confirm(f"Change the above {len(names)} tables's sft (y/n)?"):
        return
    if not session.is_cluster:
        raise session.cluster_only("another account of store files")
    for name in names:
        session.admin.tables.set_store_file_tracker(name, to_s(arguments[1]))
