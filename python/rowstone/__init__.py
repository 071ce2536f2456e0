"""HBase's data model inside your process: sorted byte rows, column families, versions, delete markers, TTL, counters.

```python
import rowstone as rs

with rs.connect("./crawl") as db:
    db.create_table("webtable", {"contents": rs.Family(max_versions=3), "anchor": {}}, if_not_exists=True)
    web = db.table("webtable")
    web.put("com.cnn.www", {"anchor:cnnsi.com": "CNN"})
    for row in web.scan(prefix="com."):
        print(row.key, row["anchor:cnnsi.com"])
```
"""

# Each part imports only those before it (tests/python/test_package_layers.py). Layers:
# errors < _base < filters splits codecs < coprocessors < _core < keys < admin < aio server < happybase jobs < engines
# indexes < schema < hfile testing < cli pytest_plugin < __main__

from typing import TYPE_CHECKING

from rowstone._base.version import __version__

if TYPE_CHECKING:
    from rowstone import admin as admin
    from rowstone import aio as aio
    from rowstone import codecs as codecs
    from rowstone import coprocessors as coprocessors
    from rowstone import engines as engines
    from rowstone import errors, filters, hfile, splits, testing
    from rowstone import happybase as happybase
    from rowstone import indexes as indexes
    from rowstone import jobs as jobs
    from rowstone import keys as keys
    from rowstone import schema as schema
    from rowstone import server as server
    from rowstone._base.configuration import Configuration, Setting
    from rowstone._base.remote.prune import PruneReport
    from rowstone._base.schema import Family, TableSchema
    from rowstone._base.stores import StoreReport, StoreStats
    from rowstone._core.cluster import ClusterOptions, Tls
    from rowstone._core.connect import connect
    from rowstone._core.database import Database
    from rowstone._core.options import ConnectOptions, DirectoryOptions
    from rowstone._core.root import open_root
    from rowstone._core.table import Table, TableView
    from rowstone._core.views import View
    from rowstone._native import (
        Append,
        ArrowBatch,
        ArrowStream,
        BufferedWriter,
        Cell,
        CheckResult,
        Delete,
        Get,
        Increment,
        Put,
        Row,
        RowMutations,
        Scan,
        Scanner,
    )
    from rowstone.admin import (
        Admin,
        CacheEviction,
        ClusterStatus,
        Grant,
        MemoryLimits,
        Peer,
        PeerConfig,
        Quota,
        RegionInfo,
        RegionLocation,
        ServerGroup,
        ServerStatus,
        Snapshot,
        SpaceUse,
        Stats,
        StoreFileInfo,
    )
    from rowstone.admin._backup import Backup, BackupReport, backup, list_backups, prune_backups, restore
    from rowstone.admin._maintenance import CheckReport, Finding, Loss, RepairReport, check, repair
    from rowstone.filters import column, family, qualifier, row, value
    from rowstone.server.listening import ServerTls
    from rowstone.server.serve import Server, serve
else:
    from rowstone._base.lazy import __dir__ as __dir__
    from rowstone._base.lazy import __getattr__ as __getattr__

__all__ = [
    "Admin",
    "Append",
    "ArrowBatch",
    "ArrowStream",
    "Backup",
    "BackupReport",
    "BufferedWriter",
    "CacheEviction",
    "Cell",
    "CheckReport",
    "CheckResult",
    "ClusterOptions",
    "ClusterStatus",
    "Configuration",
    "ConnectOptions",
    "Database",
    "Delete",
    "DirectoryOptions",
    "Family",
    "Finding",
    "Get",
    "Grant",
    "Increment",
    "Loss",
    "MemoryLimits",
    "Peer",
    "PeerConfig",
    "PruneReport",
    "Put",
    "Quota",
    "RegionInfo",
    "RegionLocation",
    "RepairReport",
    "Row",
    "RowMutations",
    "Scan",
    "Scanner",
    "Server",
    "ServerGroup",
    "ServerStatus",
    "ServerTls",
    "Setting",
    "Snapshot",
    "SpaceUse",
    "Stats",
    "StoreFileInfo",
    "StoreReport",
    "StoreStats",
    "Table",
    "TableSchema",
    "TableView",
    "Tls",
    "View",
    "__version__",
    "backup",
    "check",
    "column",
    "connect",
    "errors",
    "family",
    "filters",
    "hfile",
    "list_backups",
    "open_root",
    "prune_backups",
    "qualifier",
    "repair",
    "restore",
    "row",
    "serve",
    "splits",
    "testing",
    "value",
]
