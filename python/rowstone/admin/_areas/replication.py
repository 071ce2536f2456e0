"""Replication peers: clusters that receive the changes of this one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rowstone._base.options.checks import as_list
from rowstone._base.schema import TableSchema
from rowstone.admin._area import Area, Message, packed, pairs, settings, table, table_text, text, unpacked
from rowstone.admin._areas.regions import Regions
from rowstone.admin._descriptors import alter, describe
from rowstone.errors import InvalidArgument

_SCOPE = "REPLICATION_SCOPE"

_Families = Mapping[str, Iterable[str]]
"""Tables with the selected families; an empty list selects all."""


@dataclass(frozen=True)
class PeerConfig:
    """Configuration of a peer: the tables to replicate, and how.

    With ``replicate_all`` everything except ``exclude_namespaces`` and ``exclude_tables``; otherwise ``namespaces`` and
    ``tables``. None means that the value was never set.

    Args:
        cluster_key: ``"zk1,zk2:2181:/hbase"``.
        bandwidth: Limit of each server in bytes per second; 0 for none.
    """

    cluster_key: str | None = None
    endpoint: str | None = None
    data: dict[str, bytes] = field(default_factory=dict)
    configuration: dict[str, str] = field(default_factory=dict)
    replicate_all: bool = True
    namespaces: list[str] | None = None
    tables: dict[str, list[str]] | None = None
    exclude_namespaces: list[str] | None = None
    exclude_tables: dict[str, list[str]] | None = None
    bandwidth: int = 0
    serial: bool = False


@dataclass(frozen=True)
class Peer:
    """A peer, by its id."""

    id: str
    enabled: bool
    config: PeerConfig


class Replication(Area):
    """Replication: ``db.admin.replication``. Each peer is named by an id of the operator's choice.

    Directories do not replicate: these calls raise `UnsupportedOperation` there.

    Example:
        >>> import rowstone as rs
        >>> with rs.testing.server() as url, rs.connect(url) as db:
        ...     print(db.admin.replication.peers())
        []
    """

    def add_peer(self, peer: str, config: PeerConfig, *, enabled: bool = True) -> None:
        """Add a peer and start to replicate to it. Source: HBase's ``Admin.addReplicationPeer``."""
        state = {"state": "ENABLED" if enabled else "DISABLED"}
        self._master("AddReplicationPeer", peer_id=peer, config=_message(config), state=state)

    def remove_peer(self, peer: str) -> None:
        """Remove a peer and its pending changes. Source: HBase's ``Admin.removeReplicationPeer``."""
        self._master("RemoveReplicationPeer", peer_id=peer)

    def enable_peer(self, peer: str) -> None:
        """Resume replication to a peer. Source: HBase's ``Admin.enableReplicationPeer``."""
        self._master("EnableReplicationPeer", peer_id=peer)

    def disable_peer(self, peer: str) -> None:
        """Pause replication to a peer; its changes are kept. Source: HBase's ``Admin.disableReplicationPeer``."""
        self._master("DisableReplicationPeer", peer_id=peer)

    def peer_config(self, peer: str) -> PeerConfig:
        """Return the configuration of a peer. Source: HBase's ``Admin.getReplicationPeerConfig``."""
        return _config(self._master("GetReplicationPeerConfig", peer_id=peer)["config"])

    def set_peer_config(self, peer: str, config: PeerConfig) -> None:
        """Change the configuration of a peer. Source: HBase's ``Admin.updateReplicationPeerConfig``."""
        self._master("UpdateReplicationPeerConfig", peer_id=peer, config=_message(config))

    def peers(self) -> list[Peer]:
        """Return all peers. Source: HBase's ``Admin.listReplicationPeers``."""
        found = self._master("ListReplicationPeers").get("peers", [])
        return [Peer(one["id"], one["state"]["state"] == "ENABLED", _config(one["config"])) for one in found]

    def enable_table(self, name: str) -> None:
        """Replicate a table's changes to the peers, creating the table on peers that lack it.

        Source: HBase's ``Admin.enableTableReplication``.

        Raises:
            InvalidArgument: There is no peer, or a peer has a different table of that name.
            TableNotFound.
        """
        schema = describe(self._native, name)
        peers = self.peers()
        if not peers:
            raise InvalidArgument("Found no peer cluster for replication.")
        splits = Regions(self._native, self._cluster).split_keys(name)
        for peer in peers:
            if _wants(peer, name):
                _prepare(peer, name, schema, splits)
        local = {key: {_SCOPE: "1"} for key, family in schema.families.items() if not family.replication_scope}
        if local:
            alter(self._native, name, families=local)


def _message(config: PeerConfig) -> Message:
    message: dict[str, Any] = {
        "data": [{"first": packed(name), "second": packed(value)} for name, value in config.data.items()],
        "configuration": pairs(config.configuration),
        "replicate_all": config.replicate_all,
        "bandwidth": config.bandwidth,
        "serial": config.serial,
    }
    for name in ("cluster_key", "endpoint"):
        if getattr(config, name) is not None:
            message[name] = getattr(config, name)
    for name in ("namespaces", "exclude_namespaces"):
        message[name] = [packed(one) for one in getattr(config, name) or ()]
    for name in ("tables", "exclude_tables"):
        chosen: _Families = getattr(config, name) or {}
        message[name] = [
            {"table_name": table(one), "families": [packed(family) for family in as_list(name, families)]}
            for one, families in chosen.items()
        ]
    return message


def _config(message: Message) -> PeerConfig:
    def names(field: str) -> list[str] | None:
        return sorted(text(one) for one in message[field]) if message.get(field) else None

    def tables(field: str) -> dict[str, list[str]] | None:
        found = message.get(field)
        if not found:
            return None
        return {table_text(one["table_name"]): [text(name) for name in one.get("families", [])] for one in found}

    return PeerConfig(
        cluster_key=message.get("cluster_key"),
        endpoint=message.get("endpoint"),
        data={text(pair["first"]): unpacked(pair["second"]) for pair in message.get("data", [])},
        configuration=settings(message.get("configuration", [])),
        replicate_all=message.get("replicate_all", not (message.get("tables") or message.get("namespaces"))),
        namespaces=names("namespaces"),
        tables=tables("tables"),
        exclude_namespaces=names("exclude_namespaces"),
        exclude_tables=tables("exclude_tables"),
        bandwidth=message.get("bandwidth", 0),
        serial=message.get("serial", False),
    )


def _wants(peer: Peer, name: str) -> bool:
    config, namespace = peer.config, name.rpartition(":")[0] or "default"
    if config.replicate_all:
        return namespace not in (config.exclude_namespaces or ()) and (config.exclude_tables or {}).get(name) != []
    return namespace in (config.namespaces or ()) or name in (config.tables or {})


def _prepare(peer: Peer, name: str, schema: TableSchema, splits: list[bytes]) -> None:
    from rowstone import connect  # imported late: few programs replicate tables

    quorum, _, znode = (peer.config.cluster_key or "").rpartition(":")
    with connect(f"hbase+zk://{quorum}{znode}") as other:
        if not other.admin.tables.exists(name):
            other.admin.create_table(
                name,
                schema.families,
                splits=splits or None,
                attributes=schema.attributes,
                configuration=schema.configuration,
            )
        elif _without_scope(other.admin.describe(name)) != _without_scope(schema):
            raise InvalidArgument(
                f"Table {name} exists in peer cluster {peer.id}, but the table descriptors are not same when compared"
                " with source cluster. Thus can not enable the table's replication switch."
            )


def _without_scope(schema: TableSchema) -> object:
    families = {
        key: ({attribute: value for attribute, value in family.to_attributes().items() if attribute != _SCOPE})
        for key, family in schema.families.items()
    }
    return families, schema.attributes, schema.configuration
