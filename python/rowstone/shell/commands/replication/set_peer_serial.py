"""``set_peer_serial``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import truth
from rowstone.shell.peers import change

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Lets a peer have changes in their order, or not.
A directory has no peers.

  hbase> set_peer_serial '1', true
"""


def command(session: Session, peer: Any, serial: Any) -> None:
    change(session, peer, serial=truth(serial))
