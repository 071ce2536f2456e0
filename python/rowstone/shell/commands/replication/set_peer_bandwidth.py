"""``set_peer_bandwidth``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import whole
from rowstone.shell.peers import change

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Limits the bytes a second that a peer is sent; 0 is no limit.
A directory has no peers.

  hbase> set_peer_bandwidth '1', 20971520
  hbase> set_peer_bandwidth '1'
"""


def command(session: Session, peer: Any, bandwidth: Any = 0) -> None:
    change(session, peer, bandwidth=whole("bandwidth", bandwidth))
