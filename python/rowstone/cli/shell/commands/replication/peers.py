"""Commands of the group replication: peers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone import PeerConfig
from rowstone.cli.shell.checks import hash_of, truth
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.replication.options import (
    change,
    config_of,
    names_of,
    print_config,
    run,
    tables_of,
    tables_text,
)
from rowstone.cli.shell.commands.shared import matching_tables, show, turn
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.values import Opaque, java_object, to_bytes, to_s, to_text

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

_COLUMNS = (
    "PEER_ID", "CLUSTER_KEY", "ENDPOINT_CLASSNAME", "STATE", "REPLICATE_ALL", "NAMESPACES", "TABLE_CFS", "BANDWIDTH",
    "SERIAL",
)  # fmt: skip
_KINDS = {0: "LOCAL", 1: "GLOBAL", 2: "SERIAL"}


@command(directory="cluster only")
def add_peer(session: Session, peer: Any, options: Any = None, tables: Any = None) -> None:
    """Add a replication peer: a cluster that receives the changes of this one.
    A directory has no peers.

      hbase> add_peer '1', CLUSTER_KEY => "server1.example.com:2181:/hbase"
      hbase> add_peer '1', CLUSTER_KEY => "zk1,zk2:2182:/hbase", NAMESPACES => ['ns1'], TABLE_CFS => { 'ns2:t1' => [] }
      hbase> add_peer '1', ENDPOINT_CLASSNAME => 'org.example.MyEndpoint', DATA => {'k' => 1}, CONFIG => {'a' => 'b'}
    """
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
    run(
        session,
        peer,
        lambda name: session.admin.replication.add_peer(name, config, enabled=given.get("STATE") != "DISABLED"),
    )


@command(directory="cluster only")
def disable_peer(session: Session, peer: Any) -> None:
    """Pause replication to a peer. Its changes are queued.
    A directory has no peers.

      hbase> disable_peer '1'
    """
    run(session, peer, session.admin.replication.disable_peer)


@command()
def disable_table_replication(session: Session, table: Any) -> None:
    """Disable replication for all column families of a table.

    hbase> disable_table_replication 'table_name'
    """
    name = session.table(table).name
    families = session.admin.describe(name).families
    replicated = {key: {"REPLICATION_SCOPE": "0"} for key, family in families.items() if family.replication_scope}
    if replicated:
        session.admin.alter_table(name, families=replicated)
    session.formatter.line(f"Replication of table '{name}' successfully disabled.")


@command(directory="cluster only")
def enable_peer(session: Session, peer: Any) -> None:
    """Resume replication to a peer.
    A directory has no peers.

      hbase> enable_peer '1'
    """
    run(session, peer, session.admin.replication.enable_peer)


@command(directory="cluster only")
def enable_table_replication(session: Session, table: Any) -> None:
    """Enable replication for all column families of a table. A directory has no peers.

    hbase> enable_table_replication 'table_name'
    """
    name = session.table(table).name
    if not session.is_cluster:
        session.admin.describe(name)
        raise ShellError("Found no peer cluster for replication.")
    session.admin.replication.enable_table(name)
    session.formatter.line(f"The replication of table '{name}' successfully enabled")


@command(directory="cluster only")
def get_peer_config(session: Session, peer: Any) -> Any:
    """Show the configuration of a peer.
    A directory has no peers.

      hbase> get_peer_config '1'
    """
    config = config_of(session, peer)
    print_config(session, config)
    return Opaque(java_object("OrgApacheHadoopHbaseReplication::ReplicationPeerConfig", config))


@command(directory="one server")
def list_peer_configs(session: Session) -> Any:
    """Show the configurations of all peers. A directory has no peers.

    hbase> list_peer_configs
    """
    peers = session.admin.replication.peers() if session.is_cluster else []
    for peer in peers:
        session.formatter.row(["PeerId", peer.id])
        print_config(session, peer.config)
        session.formatter.row([" "])
    kind = "OrgApacheHadoopHbaseReplication::ReplicationPeerConfig"
    shown = ", ".join(f'"{peer.id}"=>{java_object(kind, peer.config)}' for peer in peers)
    return Opaque(f"#<Java::JavaUtil::HashMap: {{{shown}}}>")


@command(directory="one server")
def list_peers(session: Session) -> Any:
    """List the peers with their configurations. A directory has no peers.

    hbase> list_peers
    """
    session.formatter.header(_COLUMNS)
    peers = session.admin.replication.peers() if session.is_cluster else []
    for peer in peers:
        config, mark = peer.config, "!" if peer.config.replicate_all else ""
        names = config.exclude_namespaces if config.replicate_all else config.namespaces
        tables = tables_text(config.exclude_tables if config.replicate_all else config.tables)
        state = "ENABLED" if peer.enabled else "DISABLED"
        session.formatter.row(
            [
                *(peer.id, config.cluster_key, config.endpoint, state, config.replicate_all),
                None if names is None else mark + ";".join(names),
                None if tables is None else mark + tables,
                *(config.bandwidth, config.serial),
            ]
        )
    session.formatter.footer(len(peers))
    shown = ", ".join(
        java_object("OrgApacheHadoopHbaseReplication::ReplicationPeerDescription", peer) for peer in peers
    )
    return Opaque(f"#<Java::JavaUtil::ArrayList: [{shown}]>")


@command()
def list_replicated_tables(session: Session, regex: Any = ".*") -> None:
    """List the replicated column families, of all tables or of those whose name matches.

    hbase> list_replicated_tables
    hbase> list_replicated_tables 'abc.*'
    """
    session.formatter.header(["TABLE:COLUMNFAMILY", "ReplicationType"], [32])
    for table in matching_tables(session, regex):
        for name, family in session.admin.describe(table).families.items():
            if family.replication_scope:
                kind = _KINDS.get(family.replication_scope, "UNKNOWN")
                session.formatter.row([f"{table}:{to_text(name)}", kind], widths=[32])
    session.formatter.footer()


@command(directory="one server")
def peer_modification_enabled(session: Session) -> bool:
    """Show whether peers can be modified. A directory has no peers.

    hbase> peer_modification_enabled
    """
    return show(session, "peer_modification")


@command(directory="one server")
def peer_modification_switch(session: Session, on: Any, drain: Any = False) -> bool:
    """Allow or forbid modification of peers. Returns the previous setting. A directory has no peers. A second
    argument of true waits for modifications in progress.

      hbase> peer_modification_switch true
      hbase> peer_modification_switch false, true
    """
    return turn(session, "peer_modification", on, "Previous peer modification state : ")


@command(directory="cluster only")
def remove_peer(session: Session, peer: Any) -> None:
    """Remove a peer and end replication to it.
    A directory has no peers.

      hbase> remove_peer '1'
    """
    run(session, peer, session.admin.replication.remove_peer)


@command(directory="cluster only", cluster="not yet")
def transit_peer_sync_replication_state(session: Session, peer: Any, state: Any) -> None:
    """Set the synchronous replication state of a peer: ACTIVE, DOWNGRADE_ACTIVE or STANDBY.
    A directory has no peers.

      hbase> transit_peer_sync_replication_state '1', 'ACTIVE'
    """
    config_of(session, peer)
    raise session.cluster_only("synchronous replication")


@command(directory="cluster only")
def update_peer_config(session: Session, peer: Any, options: Any = None) -> None:
    """Update the settings of a peer: CONFIG and DATA.
    A directory has no peers.

      hbase> update_peer_config '1', CONFIG => { 'key' => 'value' }
      hbase> update_peer_config '1', DATA => { 'key' => 'value' }
    """
    config = config_of(session, peer)
    given = hash_of({} if options is None else options, "args must be a Hash")
    settings = {to_s(name): to_s(value) for name, value in (given.get("CONFIG") or {}).items()}
    data = {to_s(name): to_bytes(value) for name, value in (given.get("DATA") or {}).items()}
    change(session, peer, configuration={**config.configuration, **settings}, data={**config.data, **data})


def _text(value: Any) -> str | None:
    return None if value is None else to_s(value)
