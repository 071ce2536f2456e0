"""``set_peer_exclude_namespaces``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import change, names_of

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Names namespaces that a peer is not to have.
A directory has no peers.

  hbase> set_peer_exclude_namespaces '1', ['ns1', 'ns2']
"""


def command(session: Session, peer: Any, namespaces: Any) -> None:
    change(session, peer, exclude_namespaces=names_of(namespaces))
