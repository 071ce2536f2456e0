"""Replication of a table: creates it on the peers and sets the replication scope of its families."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._admin.replication import Peer
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone import Admin, TableSchema

_SCOPE = "REPLICATION_SCOPE"


def enable(admin: Admin, name: str) -> None:
    """See `rowstone.Admin.enable_table_replication`."""
    schema = admin.describe(name)
    splits = [region.start_key for region in admin.regions(name)][1:]
    peers = admin.peers()
    if not peers:
        raise InvalidArgument("Found no peer cluster for replication.")
    for peer in peers:
        if _wants(peer, name):
            _prepare(peer, name, schema, splits)
    local = {key: {_SCOPE: "1"} for key, family in schema.families.items() if not family.replication_scope}
    if local:
        admin.alter_table(name, families=local)


def _wants(peer: Peer, name: str) -> bool:
    config, namespace = peer.config, name.rpartition(":")[0] or "default"
    if config.replicate_all:
        return namespace not in (config.exclude_namespaces or ()) and (config.exclude_tables or {}).get(name) != []
    return namespace in (config.namespaces or ()) or name in (config.tables or {})


def _prepare(peer: Peer, name: str, schema: TableSchema, splits: list[bytes]) -> None:
    from rowstone import connect  # imported late: `connect` imports this package

    quorum, _, znode = (peer.config.cluster_key or "").rpartition(":")
    with connect(f"hbase+zk://{quorum}{znode}") as other:
        if not other.admin.exists(name):
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
