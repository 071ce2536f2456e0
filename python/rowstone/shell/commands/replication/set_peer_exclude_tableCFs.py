"""``set_peer_exclude_tableCFs``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import change, tables_of

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Names tables, or families of tables, that a peer is not to have.
A directory has no peers.

  hbase> set_peer_exclude_tableCFs '1', { 'table1' => [], 'ns2:table2' => ['f1', 'f2'] }
"""


def command(session: Session, peer: Any, tables: Any = None) -> None:
    change(session, peer, exclude_tables=tables_of(tables))
