"""``remove_peer_tableCFs``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import remove_tables

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Takes away tables, or families of tables, that a peer is to have.
A directory has no peers.

  hbase> remove_peer_tableCFs '1', { 'table1' => [], 'ns2:table2' => ['f1', 'f2'] }
"""


def command(session: Session, peer: Any, tables: Any) -> None:
    remove_tables(session, peer, "tables", tables)
