"""``update_peer_config``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import hash_of
from rowstone.shell.peers import change, config_of
from rowstone.shell.values import to_bytes, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Changes settings of a peer: CONFIG and DATA.
A directory has no peers.

  hbase> update_peer_config '1', CONFIG => { 'key' => 'value' }
  hbase> update_peer_config '1', DATA => { 'key' => 'value' }
"""


def command(session: Session, peer: Any, options: Any = None) -> None:
    config = config_of(session, peer)
    given = hash_of({} if options is None else options, "args must be a Hash")
    settings = {to_s(name): to_s(value) for name, value in (given.get("CONFIG") or {}).items()}
    data = {to_s(name): to_bytes(value) for name, value in (given.get("DATA") or {}).items()}
    change(session, peer, configuration={**config.configuration, **settings}, data={**config.data, **data})
