"""HBase for Python: embedded in your process, served to HBase clients, or as a client of an HBase cluster.

```python
import rowstone as rs

with rs.connect("./crawl") as db:
    db.create_table("webtable", {"contents": rs.Family(max_versions=3), "anchor": {}}, if_not_exists=True)
    web = db.table("webtable")
    web.put("com.cnn.www", {"anchor:cnnsi.com": "CNN"})
    for row in web.scan(prefix="com."):
        print(row.key, row["anchor:cnnsi.com"])
```

Begin with `connect`, `Database`, `Table` and `Family`. `Database.admin` administers, `rowstone.errors` lists errors.
These modules need no import of their own:

- ``filters``, ``keys``, ``codecs``: conditions, composite row keys, typed values.
- ``jobs``, ``engines``: import, export, count, copy, compare; Polars, DuckDB, Spark, Dask and Ray.
- ``indexes``, ``coprocessors``, ``schema``: secondary indexes, observers, schema files and advice.
- ``server``, ``aio``, ``happybase``: gateways, asyncio, the API of happybase.
- ``hfile``, ``splits``, ``testing``: store files, split keys, databases and clocks for tests.
"""

# Names are imported when they are first used. A new one is listed twice here: for type checkers, and for `lazily`.
# Each part imports only those before it (tests/python/test_package_layers.py). Layers:
# errors < _base < filters splits codecs < coprocessors < _core < keys < admin < server < happybase jobs < engines
# indexes < schema aio < hfile testing < cli pytest_plugin < __main__

from typing import TYPE_CHECKING

from rowstone._base.version import __version__ as __version__

if TYPE_CHECKING:
    from rowstone import admin as admin
    from rowstone import aio as aio
    from rowstone import codecs as codecs
    from rowstone import coprocessors as coprocessors
    from rowstone import engines as engines
    from rowstone import errors as errors
    from rowstone import filters as filters
    from rowstone import happybase as happybase
    from rowstone import hfile as hfile
    from rowstone import indexes as indexes
    from rowstone import jobs as jobs
    from rowstone import keys as keys
    from rowstone import schema as schema
    from rowstone import server as server
    from rowstone import splits as splits
    from rowstone import testing as testing
    from rowstone._base.configuration import Configuration as Configuration
    from rowstone._base.configuration import Setting as Setting
    from rowstone._base.remote.prune import PruneReport as PruneReport
    from rowstone._base.schema import Family as Family
    from rowstone._base.schema import TableSchema as TableSchema
    from rowstone._base.stores import StoreReport as StoreReport
    from rowstone._base.stores import StoreStats as StoreStats
    from rowstone._core.cluster import ClusterOptions as ClusterOptions
    from rowstone._core.cluster import Tls as Tls
    from rowstone._core.connect import connect as connect
    from rowstone._core.database import Database as Database
    from rowstone._core.options import ConnectOptions as ConnectOptions
    from rowstone._core.options import DirectoryOptions as DirectoryOptions
    from rowstone._core.root import open_root as open_root
    from rowstone._core.table import Table as Table
    from rowstone._core.table import TableView as TableView
    from rowstone._core.views import View as View
    from rowstone._native import Append as Append
    from rowstone._native import ArrowBatch as ArrowBatch
    from rowstone._native import ArrowStream as ArrowStream
    from rowstone._native import BufferedWriter as BufferedWriter
    from rowstone._native import Cell as Cell
    from rowstone._native import CheckResult as CheckResult
    from rowstone._native import Delete as Delete
    from rowstone._native import Get as Get
    from rowstone._native import Increment as Increment
    from rowstone._native import Put as Put
    from rowstone._native import Row as Row
    from rowstone._native import RowMutations as RowMutations
    from rowstone._native import Scan as Scan
    from rowstone._native import Scanner as Scanner
    from rowstone.admin import Admin as Admin
    from rowstone.admin import CacheEviction as CacheEviction
    from rowstone.admin import ClusterStatus as ClusterStatus
    from rowstone.admin import Grant as Grant
    from rowstone.admin import MemoryLimits as MemoryLimits
    from rowstone.admin import Peer as Peer
    from rowstone.admin import PeerConfig as PeerConfig
    from rowstone.admin import Quota as Quota
    from rowstone.admin import RegionInfo as RegionInfo
    from rowstone.admin import RegionLocation as RegionLocation
    from rowstone.admin import ServerGroup as ServerGroup
    from rowstone.admin import ServerStatus as ServerStatus
    from rowstone.admin import Snapshot as Snapshot
    from rowstone.admin import SpaceUse as SpaceUse
    from rowstone.admin import Stats as Stats
    from rowstone.admin import StoreFileInfo as StoreFileInfo
    from rowstone.admin._backup import Backup as Backup
    from rowstone.admin._backup import BackupReport as BackupReport
    from rowstone.admin._backup import backup as backup
    from rowstone.admin._backup import list_backups as list_backups
    from rowstone.admin._backup import prune_backups as prune_backups
    from rowstone.admin._backup import restore as restore
    from rowstone.admin._maintenance import CheckReport as CheckReport
    from rowstone.admin._maintenance import Finding as Finding
    from rowstone.admin._maintenance import Loss as Loss
    from rowstone.admin._maintenance import RepairReport as RepairReport
    from rowstone.admin._maintenance import check as check
    from rowstone.admin._maintenance import repair as repair
    from rowstone.filters import column as column
    from rowstone.filters import family as family
    from rowstone.filters import qualifier as qualifier
    from rowstone.filters import row as row
    from rowstone.filters import value as value
    from rowstone.server.listening import ServerTls as ServerTls
    from rowstone.server.serve import Server as Server
    from rowstone.server.serve import serve as serve
else:
    from rowstone._base.lazy import lazily as _lazily

    _NAMES = {
        "_base.configuration": "Configuration Setting",
        "_base.remote.prune": "PruneReport",
        "_base.schema": "Family TableSchema",
        "_base.stores": "StoreReport StoreStats",
        "_core.cluster": "ClusterOptions Tls",
        "_core.connect": "connect",
        "_core.database": "Database",
        "_core.options": "ConnectOptions DirectoryOptions",
        "_core.root": "open_root",
        "_core.table": "Table TableView",
        "_core.views": "View",
        "_native": "Append ArrowBatch ArrowStream BufferedWriter Cell CheckResult Delete Get Increment Put Row"
        " RowMutations Scan Scanner",
        "admin": "Admin CacheEviction ClusterStatus Grant MemoryLimits Peer PeerConfig Quota RegionInfo RegionLocation"
        " ServerGroup ServerStatus Snapshot SpaceUse Stats StoreFileInfo",
        "admin._backup": "Backup BackupReport backup list_backups prune_backups restore",
        "admin._maintenance": "CheckReport Finding Loss RepairReport check repair",
        "filters": "column family qualifier row value",
        "server.listening": "ServerTls",
        "server.serve": "Server serve",
    }
    __getattr__, __dir__ = _lazily(
        __name__,
        *("admin", "aio", "codecs", "coprocessors", "engines", "errors", "filters", "happybase", "hfile", "indexes"),
        *("jobs", "keys", "schema", "server", "splits", "testing"),
        **_NAMES,
    )
    __all__ = [*" ".join(_NAMES.values()).split(), "__version__", "errors", "filters", "hfile", "splits", "testing"]
