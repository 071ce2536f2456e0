"""Administration: `Admin`, which is ``db.admin``, its areas, and what they return.

Programs reach them as ``db.admin`` and ``db.admin.regions``; the classes are for annotations.

Example:
    >>> import rowstone as rs
    >>> def largest(regions: rs.admin.Regions, table: str) -> rs.RegionInfo:
    ...     return max(regions.list(table), key=lambda region: region.region_id)
    >>> with rs.connect(":memory:") as db:
    ...     _ = db.create_table("t", ["f"])
    ...     print(largest(db.admin.regions, "t").table)
    t
"""

from rowstone.admin._admin import Admin
from rowstone.admin._areas.groups import Groups, ServerGroup
from rowstone.admin._areas.labels import Labels
from rowstone.admin._areas.logs import Logs
from rowstone.admin._areas.master import Master
from rowstone.admin._areas.metrics import Metrics, Stats
from rowstone.admin._areas.namespaces import Namespaces
from rowstone.admin._areas.permissions import Grant, Permissions
from rowstone.admin._areas.quotas import Quota, Quotas, SpaceUse
from rowstone.admin._areas.regions import Region, RegionInfo, RegionLocation, Regions
from rowstone.admin._areas.replication import Peer, PeerConfig, Replication
from rowstone.admin._areas.servers import ClusterStatus, Servers, ServerStatus
from rowstone.admin._areas.snapshots import Snapshot, Snapshots
from rowstone.admin._areas.switches import Switches
from rowstone.admin._areas.tables import CacheEviction, StoreFileInfo, Tables
from rowstone.admin._memory import MemoryLimits

__all__ = [
    "Admin",
    "CacheEviction",
    "ClusterStatus",
    "Grant",
    "Groups",
    "Labels",
    "Logs",
    "Master",
    "MemoryLimits",
    "Metrics",
    "Namespaces",
    "Peer",
    "PeerConfig",
    "Permissions",
    "Quota",
    "Quotas",
    "Region",
    "RegionInfo",
    "RegionLocation",
    "Regions",
    "Replication",
    "ServerGroup",
    "ServerStatus",
    "Servers",
    "Snapshot",
    "Snapshots",
    "SpaceUse",
    "Stats",
    "StoreFileInfo",
    "Switches",
    "Tables",
]
