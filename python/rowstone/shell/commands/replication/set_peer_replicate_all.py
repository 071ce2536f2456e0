"""``set_peer_replicate_all``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import truth
from rowstone.shell.peers import change

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Lets a peer have all tables, or only those named.
A directory has no peers.

  hbase> set_peer_replicate_all '1', true
  hbase> set_peer_replicate_all '1', false
"""


def command(session: Session, peer: Any, all_tables: Any) -> None:
    change(session, peer, replicate_all=truth(all_tables))
