"""``show_peer_tableCFs``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import no_peer

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
The tables, and families of tables, that a peer has.
A directory has no peers.

  hbase> show_peer_tableCFs '1'
"""


def command(session: Session, peer: Any) -> None:
    raise no_peer(session, peer)
