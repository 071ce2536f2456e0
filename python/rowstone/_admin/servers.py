"""Region servers: running, decommissioned, dead; their caches, queues and logs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rowstone._admin.asking import Asking
from rowstone._admin.messages import packed, region, server, server_text, servers, table
from rowstone.errors import UnsupportedOperation

_UNKNOWN_SERVERS = 13


@dataclass(frozen=True)
class CacheEviction:
    """Result of clearing block caches: evicted blocks, capacity in bytes, encoded names of failed regions."""

    evicted_blocks: int
    max_cache_bytes: int
    failed_regions: list[str]


class Servers(Asking):
    """Region servers, named ``"host,port,startcode"``."""

    def stop_master(self) -> None:
        """Stop the active master; a backup master takes over if there is one. Source: HBase's ``Admin.stopMaster``."""
        self._master("StopMaster")

    def stop_server(self, server: str) -> None:
        """Stop a region server; its regions move to others. Source: HBase's ``Admin.stopRegionServer``."""
        self._server(server, "StopServer", reason="Called by admin client")

    def flush_master_store(self) -> None:
        """Flush the master's local store to files. Source: HBase's ``Admin.flushMasterStore``."""
        self._master("FlushMasterStore")

    def roll_log(self, server: str) -> None:
        """Start a new write-ahead log on a server. Source: HBase's ``Admin.rollWALWriter``."""
        self._server(server, "RollWALWriter")

    def update_configuration(self, server: str) -> None:
        """Make a server or the master reload its configuration. Source: ``Admin.updateConfiguration``."""
        self._server(server, "UpdateConfiguration")

    def set_compactions(self, on: bool, servers: Iterable[str]) -> dict[str, bool]:
        """Enable or disable compactions; return the previous state by server. A directory acts as each of the servers.

        While off, requested compactions do not run either. Source: HBase's ``Admin.compactionSwitch``.
        """
        try:
            before = self._cluster.switch("compaction", on)
        except UnsupportedOperation:
            return {name: bool(self._server(name, "CompactionSwitch", on=on)["on"]) for name in servers}
        return dict.fromkeys(servers, before)

    def clear_compaction_queues(self, server: str, queues: Iterable[str] = ("long", "short")) -> None:
        """Drop the compactions queued on a server. Source: HBase's ``Admin.clearCompactionQueues``."""
        self._server(server, "ClearCompactionQueues", queue_name=list(queues))

    def clear_block_cache(self, name: str) -> CacheEviction:
        """Evict a table's blocks from all block caches. Source: HBase's ``Admin.clearBlockCache``.

        Raises `TableNotFound`.
        """
        places: dict[str, list[bytes]] = {}
        for info, place in self._cluster.region_places(name):
            if place is not None:
                places.setdefault(place, []).append(info[5])
        blocks, limit, failed = 0, 0, []
        for place, names in places.items():
            stats = self._server(place, "ClearRegionBlockCache", region=[region(one) for one in names])["stats"]
            blocks += stats.get("evicted_blocks", 0)
            limit += stats.get("max_cache_size", 0)
            failed += [failure["region"]["value"] for failure in stats.get("exception", [])]
        return CacheEviction(blocks, limit, failed)

    def decommissioned_servers(self) -> list[str]:
        """Return servers that are assigned no regions. Source: HBase's ``Admin.listDecommissionedRegionServers``."""
        return [server_text(one) for one in self._master("ListDecommissionedRegionServers").get("server_name", [])]

    def decommission_servers(self, names: Iterable[str], *, offload: bool = False) -> None:
        """Stop assigning regions to servers; with ``offload=True`` also move their regions to others.

        Source: HBase's ``Admin.decommissionRegionServers``.
        """
        self._master("DecommissionRegionServers", server_name=servers(names), offload=offload)

    def recommission_server(self, name: str, regions: Iterable[str | bytes] = ()) -> None:
        """Let a server be assigned regions again, and move ``regions`` (full or encoded names) there.

        Source: HBase's ``Admin.recommissionRegionServer``.
        """
        self._master("RecommissionRegionServer", server_name=server(name), region=[region(one) for one in regions])

    def clear_dead_servers(self, names: Iterable[str]) -> list[str]:
        """Clear dead servers; return those that were not cleared. Source: HBase's ``Admin.clearDeadServers``."""
        answer = self._master("ClearDeadServers", server_name=servers(names))
        return [server_text(one) for one in answer.get("server_name", [])]

    def unknown_servers(self) -> list[str]:
        """Return servers in ``hbase:meta`` that the master does not know. Source: ``Admin.listUnknownServers``."""
        answer = self._master("GetClusterStatus", options=[_UNKNOWN_SERVERS])
        return [server_text(one) for one in answer["cluster_status"].get("unknown_servers", [])]

    def set_store_file_tracker(self, name: str, tracker: str, family: str | bytes | None = None) -> None:
        """Change the store file tracker of a table, or of one family: ``DEFAULT``, ``FILE``, ``MIGRATION``.

        Source: HBase's ``Admin.modifyTableStoreFileTracker``. Raises `TableNotFound`.
        """
        if family is None:
            self._master("ModifyTableStoreFileTracker", table_name=table(name), tracker=tracker)
        else:
            given = {"table_name": table(name), "family": packed(family), "tracker": tracker}
            self._master("ModifyColumnStoreFileTracker", **given)
