"""``append_peer_namespaces``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import change_names, names_of

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Adds namespaces that a peer is to have.
A directory has no peers.

  hbase> append_peer_namespaces '1', ['ns1', 'ns2']
"""


def command(session: Session, peer: Any, namespaces: Any) -> None:
    change_names(session, peer, "namespaces", lambda before: before.union(names_of(namespaces)))
