"""``add_peer``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import hash_of
from rowstone.shell.errors import ArgumentMistake

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Adds a cluster that is sent the changes of this one.
A directory has no peers.

  hbase> add_peer '1', CLUSTER_KEY => "server1.example.com:2181:/hbase"
  hbase> add_peer '1', CLUSTER_KEY => "zk1,zk2:2182:/hbase", NAMESPACES => ['ns1'], TABLE_CFS => { 'ns2:t1' => [] }
  hbase> add_peer '1', ENDPOINT_CLASSNAME => 'org.example.MyEndpoint', DATA => { 'key' => 1 }, CONFIG => { 'a' => 'b' }
"""


def command(session: Session, peer: Any, options: Any = None, tables: Any = None) -> None:
    given = hash_of({} if options is None else options, "args must be a Hash")
    if not given.get("ENDPOINT_CLASSNAME") and not given.get("CLUSTER_KEY"):
        raise ArgumentMistake("Either ENDPOINT_CLASSNAME or CLUSTER_KEY must be specified.")
    raise session.cluster_only("replication to a peer")
