"""``clear_block_cache``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Drops the blocks of a table from the cache. A directory drops blocks when their file goes or others need the place; it
cannot be asked to, and says how many it dropped: none.

  hbase> clear_block_cache 'table_name'
"""


def command(session: Session, table: Any) -> None:
    session.refuse_cluster("clear_block_cache")
    session.admin.describe(session.table(table).name)
    limit = session.admin.stats().get("cache_limit_bytes", 0)
    session.formatter.row(
        [f"CacheEvictionStats{{evictedBlocks=0, maxCacheSize={limit}, failedRegionsSize=0, failedRegions=[]}}"]
    )
