"""Replication peers: clusters that receive the changes of this one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rowstone._admin.asking import Asking
from rowstone._admin.messages import Message, packed, pairs, settings, table, table_text, text, unpacked

Tables = Mapping[str, Iterable[str]]
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


class Replication(Asking):
    """Replication peers, each named by an id of the operator's choice."""

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
        chosen: Tables = getattr(config, name) or {}
        message[name] = [
            {"table_name": table(one), "families": [packed(family) for family in families]}
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
