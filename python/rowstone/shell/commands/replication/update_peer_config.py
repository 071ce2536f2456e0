"""``update_peer_config``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import no_peer

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Changes settings of a peer: CONFIG and DATA.
A directory has no peers.

  hbase> update_peer_config '1', CONFIG => { 'key' => 'value' }
  hbase> update_peer_config '1', DATA => { 'key' => 'value' }
"""


def command(session: Session, peer: Any, options: Any = None) -> None:
    raise no_peer(session, peer)
