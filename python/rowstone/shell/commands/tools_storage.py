"""Commands of the group tools about flushes, compactions, caches and logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell import maintenance
from rowstone.shell.checks import legal_server, truth
from rowstone.shell.command import command
from rowstone.shell.errors import ArgumentMistake, ShellError
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

_QUEUES = ["long", "short"]


@command(directory="one server")
def clear_block_cache(session: Session, table: Any) -> None:
    """Drops the blocks of a table from the cache. A directory drops blocks when their file goes or others need the
    place; it cannot be asked to, and says how many it dropped: none.

      hbase> clear_block_cache 'table_name'
    """
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


@command(directory="one server")
def clear_compaction_queues(session: Session, server: Any, queues: Any = None) -> None:
    """Empties the queues of compactions that a server has not begun: short, long or both. A directory's are empty
    between the calls that ask for them.

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
        session.admin.clear_compaction_queues(to_s(server), chosen)


@command()
def compact(session: Session, target: Any, family: Any = None, kind: Any = "NORMAL") -> None:
    """Merges some files of a table, of a family of it, or of a region, where that pays.
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
    """Merges files of all regions of a server; with true all files of each. In a directory these are all tables.

    hbase> compact_rs 'host187.example.com,60020'
    hbase> compact_rs 'host187.example.com,60020,1289493121758', true
    """
    host, port = legal_server(server)[:2]
    name = session.one_server(server)
    if name is None:
        raise ShellError(f"{host}:{port} could not be resolved")
    is_major = truth(major)
    for table in session.admin.tables():
        if not session.is_cluster:
            work = session.admin.major_compact if is_major else session.admin.compact
            work(table)
            continue
        for place in session.admin.region_places(table):
            if place.server == name:
                session.admin.compact_region(place.region, major=is_major)


@command(directory="one server")
def compaction_state(session: Session, table: Any) -> str:
    """Whether files of a table are being merged: NONE, MINOR, MAJOR or MAJOR_AND_MINOR. In a directory compact
    returns when it is done, so it is NONE.

      hbase> compaction_state 'table_name'
    """
    name = session.table(table).name
    session.admin.describe(name)
    state = session.admin.compaction_state(name) if session.is_cluster else "NONE"
    session.formatter.row([state])
    return state


@command()
def flush(session: Session, target: Any, family: Any = None) -> None:
    """Writes what is only in memory to files: of a table, of a family of it, of a region, or of a server. A
    directory flushes all families of a table.

      hbase> flush 'TABLENAME'
      hbase> flush 'TABLENAME', 'FAMILYNAME'
      hbase> flush 'REGIONNAME'
      hbase> flush 'REGION_SERVER_NAME'
    """
    maintenance.flush(session, target, family)


@command(directory="one server")
def flush_master_store(session: Session) -> None:
    """Writes what the master keeps in its own store to files. A directory writes its manifest with every change.

    hbase> flush_master_store
    """
    if session.is_cluster:
        session.admin.flush_master_store()


@command()
def major_compact(session: Session, target: Any, family: Any = None, kind: Any = "NORMAL") -> None:
    """Merges all files of a table, of a family of it, or of a region, and drops what is deleted, expired or too old.
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
    """Begins a new log on a server. hlog_roll is the same. A directory begins one when the last is large, and when
    it is flushed: this flushes all tables.

      hbase> wal_roll 'host187.example.com,60020,1289493121758'
    """
    name = session.asked_server(server)
    if session.is_cluster:
        session.admin.roll_log(name)
    else:
        session.admin.flush()


@command(directory="one server")
def wal_roll_all(session: Session) -> None:
    """Begins a new log on every server. A directory flushes all tables, which ends the need for the old one.

    hbase> wal_roll_all
    """
    if not session.is_cluster:
        session.admin.flush()
        return
    for server in session.servers():
        session.admin.roll_log(server)
