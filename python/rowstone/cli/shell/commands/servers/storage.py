"""Commands of the group tools about flushes, compactions, caches and logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import legal_server, truth
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.servers import maintenance
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

_QUEUES = ["long", "short"]


@command(directory="one server")
def clear_block_cache(session: Session, table: Any) -> None:
    """Drop the blocks of a table from the block cache. A directory evicts blocks itself, when their file is removed or
    other blocks need the space, and reports 0 dropped blocks.

      hbase> clear_block_cache 'table_name'
    """
    name = session.table(table).name
    if session.is_cluster:
        found = session.admin.tables.clear_block_cache(name)
        blocks, limit, failed = found.evicted_blocks, found.max_cache_bytes, found.failed_regions
    else:
        session.admin.describe(name)
        blocks, limit, failed = 0, session.admin.metrics.stats().get("cache_limit_bytes", 0), []
    session.formatter.row(
        [
            f"CacheEvictionStats{{evictedBlocks={blocks}, maxCacheSize={limit}, failedRegionsSize={len(failed)},"
            f" failedRegions=[{', '.join(failed)}]}}"
        ]
    )


@command(directory="one server")
def clear_compaction_queues(session: Session, server: Any, queues: Any = None) -> None:
    """Clear the queues of pending compactions of a server: short, long or both. A directory has no queue between
    calls.

      hbase> clear_compaction_queues 'host187.example.com,60020'
      hbase> clear_compaction_queues 'host187.example.com,60020', 'long'
      hbase> clear_compaction_queues 'host187.example.com,60020', ['long', 'short']
    """
    chosen = _QUEUES if queues is None else queues if isinstance(queues, list) else [queues]
    for queue in chosen:
        if queue not in _QUEUES:
            raise ArgumentMistake(f"Unknown queue name {to_s(queue)}")
    legal_server(server)
    if session.is_cluster:
        session.admin.servers.clear_compaction_queues(to_s(server), chosen)


@command()
def compact(session: Session, target: Any, family: Any = None, kind: Any = "NORMAL") -> None:
    """Compact some files of a table, a column family or a region, where that pays.
    Returns when it is done.

      hbase> compact 't1'
      hbase> compact 't1', 'f1'
      hbase> compact 'r1'
      hbase> compact 'r1', 'f1'
      hbase> compact 't1', nil, 'MOB'
    """
    maintenance.compact(session, target, family, kind, major=False)


@command(directory="one server")
def compact_rs(session: Session, server: Any, major: Any = False) -> None:
    """Compact all regions of a server; with true all files of each (major). In a directory: compact all tables.

    hbase> compact_rs 'host187.example.com,60020'
    hbase> compact_rs 'host187.example.com,60020,1289493121758', true
    """
    host, port = legal_server(server)[:2]
    name = session.one_server(server)
    if name is None:
        raise ShellError(f"{host}:{port} could not be resolved")
    is_major = truth(major)
    for table in session.admin.tables.list():
        if not session.is_cluster:
            work = session.admin.major_compact if is_major else session.admin.compact
            work(table)
            continue
        for place in session.admin.regions.locations(table):
            if place.server == name:
                session.admin.regions.compact(place.region, major=is_major)


@command(directory="one server")
def compaction_state(session: Session, table: Any) -> str:
    """Show whether a table is being compacted: NONE, MINOR, MAJOR or MAJOR_AND_MINOR. In a directory compact returns
    when it is done, so the state is NONE.

      hbase> compaction_state 'table_name'
    """
    name = session.table(table).name
    session.admin.describe(name)
    state = session.admin.regions.compaction_state(name) if session.is_cluster else "NONE"
    session.formatter.row([state])
    return state


@command()
def flush(session: Session, target: Any, family: Any = None) -> None:
    """Flush the memstore to files: of a table, a column family, a region or a server. A directory flushes all column
    families of a table.

      hbase> flush 'TABLENAME'
      hbase> flush 'TABLENAME', 'FAMILYNAME'
      hbase> flush 'REGIONNAME'
      hbase> flush 'REGION_SERVER_NAME'
    """
    maintenance.flush(session, target, family)


@command(directory="one server")
def flush_master_store(session: Session) -> None:
    """Flush the master's local store. A directory writes its manifest with every change.

    hbase> flush_master_store
    """
    if session.is_cluster:
        session.admin.master.flush_store()


@command()
def major_compact(session: Session, target: Any, family: Any = None, kind: Any = "NORMAL") -> None:
    """Compact all files of a table, a column family or a region; removes deleted, expired and excess cells.
    Returns when it is done.

      hbase> major_compact 't1'
      hbase> major_compact 't1', 'f1'
      hbase> major_compact 'r1'
      hbase> major_compact 'r1', 'f1'
      hbase> major_compact 't1', nil, 'MOB'
    """
    maintenance.compact(session, target, family, kind, major=True)


@command(directory="one server")
def wal_roll(session: Session, server: Any) -> None:
    """Roll the write-ahead log (WAL) of a server. Alias: hlog_roll. A directory rolls its log when it is large and when
    it is flushed; this command flushes all tables.

      hbase> wal_roll 'host187.example.com,60020,1289493121758'
    """
    name = session.asked_server(server)
    if session.is_cluster:
        session.admin.servers.roll_wal(name)
    else:
        session.admin.flush()


@command(directory="one server")
def wal_roll_all(session: Session) -> None:
    """Roll the write-ahead log (WAL) of every server. In a directory: flush all tables.

    hbase> wal_roll_all
    """
    if not session.is_cluster:
        session.admin.flush()
        return
    for server in session.servers():
        session.admin.servers.roll_wal(server)
