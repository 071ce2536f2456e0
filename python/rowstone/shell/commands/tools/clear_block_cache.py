"""``clear_block_cache``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Drops the blocks of a table from the cache. A directory drops blocks when their file goes or others need the place; it
cannot be asked to, and says how many it dropped: none.

  hbase> clear_block_cache 'table_name'
"""


def command(session: Session, table: Any) -> None:
    name = session.table(table).name
    if session.is_cluster:
        found = session.admin.clear_block_cache(name)
        blocks, limit, failed = found.evicted_blocks, found.max_cache_bytes, found.failed_regions
    else:
        session.admin.describe(name)
        blocks, limit, failed = 0, session.admin.stats().get("cache_limit_bytes", 0), []
    session.formatter.row(
        [
            f"CacheEvictionStats{{evictedBlocks={blocks}, maxCacheSize={limit}, failedRegionsSize={len(failed)},"
            f" failedRegions=[{', '.join(failed)}]}}"
        ]
    )
