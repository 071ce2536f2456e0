"""``add_peer``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone import PeerConfig
from rowstone.shell.checks import hash_of, truth
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.peers import names_of, run, tables_of
from rowstone.shell.values import to_bytes, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Adds a cluster that is sent the changes of this one.
A directory has no peers.

  hbase> add_peer '1', CLUSTER_KEY => "server1.example.com:2181:/hbase"
  hbase> add_peer '1', CLUSTER_KEY => "zk1,zk2:2182:/hbase", NAMESPACES => ['ns1'], TABLE_CFS => { 'ns2:t1' => [] }
  hbase> add_peer '1', ENDPOINT_CLASSNAME => 'org.example.MyEndpoint', DATA => { 'key' => 1 }, CONFIG => { 'a' => 'b' }
"""


def command(session: Session, peer: Any, options: Any = None, tables: Any = None) -> None:
    given = hash_of({} if options is None else options, "args must be a Hash")
    if tables is not None:
        raise ArgumentMistake("peer_tableCFs should be specified as TABLE_CFS in args")
    if not given.get("ENDPOINT_CLASSNAME") and not given.get("CLUSTER_KEY"):
        raise ArgumentMistake("Either ENDPOINT_CLASSNAME or CLUSTER_KEY must be specified.")
    if not session.is_cluster:
        raise session.cluster_only("replication to a peer")
    chosen = [given.get(name) for name in ("NAMESPACES", "TABLE_CFS")]
    config = PeerConfig(
        cluster_key=_text(given.get("CLUSTER_KEY")),
        endpoint=_text(given.get("ENDPOINT_CLASSNAME")),
        data={to_s(name): to_bytes(value) for name, value in (given.get("DATA") or {}).items()},
        configuration={to_s(name): to_s(value) for name, value in (given.get("CONFIG") or {}).items()},
        replicate_all=chosen == [None, None],
        namespaces=None if chosen[0] is None else names_of(chosen[0]),
        tables=None if chosen[1] is None else tables_of(chosen[1]),
        serial=truth(given.get("SERIAL")),
    )
    run(session, peer, lambda name: session.admin.add_peer(name, config, enabled=given.get("STATE") != "DISABLED"))


def _text(value: Any) -> str | None:
    return None if value is None else to_s(value)
