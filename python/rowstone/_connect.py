"""Opening a database: the only place that knows which backend a target means."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from rowstone import _audit, _heap, _lifecycle, _native
from rowstone._cluster import ClusterOptions, check_names, open_cluster, refuse
from rowstone._configuration import ConfigurationArgument, layers_of, merged
from rowstone._database import Database
from rowstone.errors import DatabaseLocked, InvalidArgument, InvalidType, UnsupportedOperation

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

    from rowstone._native import ManualClock
    from rowstone.tracing import Tracing

_MEMORY = ":memory:"
Layers = dict[str, dict[str, Any]]


def connect(
    target: str | os.PathLike[str],
    *,
    read_only: bool = False,
    durability: str | None = None,
    clock: ManualClock | None = None,
    configuration: ConfigurationArgument | None = None,
    create: bool = True,
    cache_bytes: int | None = None,
    memstore_bytes: int | None = None,
    compat: str | None = None,
    allow_coprocessors: Iterable[str | type] = (),
    tracing: bool | TracerProvider = False,
    **cluster: Unpack[ClusterOptions],
) -> Database:
    """An open database: a directory, one in memory, or a cluster.

    Args:
        target: A directory, made where it is missing unless ``create=False``; ``":memory:"``; or a cluster of HBase:
            ``"hbase://host:port[,host:port]"`` names some of its masters or region servers,
            ``"hbase+zk://host:port[,host:port]/parent"`` its ZooKeeper (by default port 2181 and parent ``hbase``).
        read_only: Look, do not touch. May stand beside a process that writes; shows what that one had
            flushed and logged at this moment.
        durability: When a write counts as done, unless table or call say otherwise: ``"SKIP_WAL"``, ``"ASYNC_WAL"``,
            ``"SYNC_WAL"`` (default: survives kill -9 at once, a power loss after 100 ms) or ``"FSYNC_WAL"``.
        clock: Another clock than the machine's, for tests.
        configuration: Settings under HBase's names: ``{"hbase.column.max.version": 3}``, or an ``hbase-site.xml``.
            With ``"hbase.security.authorization": True`` rights are looked at: see `Database.as_user`.
        cache_bytes: Limit of the block cache, in bytes.
        memstore_bytes: Limit of recent writes in memory, in bytes.
        compat: ``"0.94"`` gives new families three versions, as before 0.96; ``configuration`` goes before it.
        allow_coprocessors: Classes that descriptions of tables may name as observers and constraints, or names of such,
            as `rowstone.coprocessors.allow` takes them. Others are not imported.
        tracing: Whether calls of tables are spans of OpenTelemetry, or a provider of such: see `rowstone.tracing`.
        cluster: What only clusters have: see `ClusterOptions`. They take none of the others.

    Raises:
        ConnectionFailed: No HBase server answers at the target.
        DatabaseLocked: Another process has the directory open for writing; the message names it.
        NotADatabase: The directory holds something else, or nothing while ``create=False``.
        CorruptionError: The directory is damaged.
        UnsupportedOperation: The option belongs to another kind of target.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     db.create_table("webtable", {"anchor": {}})
        ...     db.table("webtable").put("com.cnn.www", {"anchor:cnnsi.com": "CNN"})
        True
    """
    text = _text_of(target)
    check_names(cluster)
    spans = _tracing_of(tracing, text)
    if "://" in text:
        own: dict[str, Any] = {"read_only": read_only or None, "create": None if create else False, "compat": compat}
        own["allow_coprocessors"] = allow_coprocessors or None
        own |= {"clock": clock, "durability": durability, "cache_bytes": cache_bytes, "memstore_bytes": memstore_bytes}
        refuse(text, "a cluster", {**own, "configuration": configuration})
        return _database(open_cluster(text, cluster), text, read_only=False, cluster=cluster, tracing=spans)
    refuse(text, "a directory", cluster)
    if not text:
        raise UnsupportedOperation("cannot open '': pass a directory, or ':memory:' for a database in memory")
    layers = layers_of(_compat_settings(compat), configuration)
    options: dict[str, Any] = {"read_only": read_only, "create": create, "durability": durability, "clock": clock}
    options |= {"configuration": merged(layers), "cache_bytes": cache_bytes, "memstore_bytes": memstore_bytes}
    options["audit"] = _audit.note
    native = _open(None if text == _MEMORY else str(Path(text).absolute()), **options)
    own = {"layers": layers, "allow_coprocessors": allow_coprocessors, "tracing": spans}
    return _database(native, text, read_only=read_only, **own)


def _text_of(target: Any) -> str:
    """A target as text. Raises `InvalidType`."""
    if not isinstance(target, (str, os.PathLike)):
        raise InvalidType(f"target must be a path or ':memory:', not {type(target).__name__}")
    text = os.fspath(target)
    if not isinstance(text, str):
        raise InvalidType("target must be a path of str, not of bytes")
    return text


def _database(
    native: _native.Database,
    path: str,
    *,
    read_only: bool,
    layers: Layers | None = None,
    allow_coprocessors: Iterable[str | type] = (),
    cluster: Mapping[str, Any] | None = None,
    tracing: Tracing | None = None,
) -> Database:
    _lifecycle.remember(native)
    own: dict[str, Any] = {"allow_coprocessors": allow_coprocessors, "cluster": cluster, "tracing": tracing}
    return Database(native, path=path, read_only=read_only, configuration=layers, **own)


def _open(directory: str | None, **options: Any) -> _native.Database:
    _heap.settle()
    try:
        return _native.open(directory, **options)
    except DatabaseLocked as error:
        hint = "to write from several processes share it through a server: rowstone serve DIR"
        raise DatabaseLocked(f"{error}; {hint}") from None


def _tracing_of(wanted: bool | TracerProvider, target: str) -> Tracing | None:
    """What makes spans, where they are wanted: nothing of it is imported without."""
    if wanted is False or wanted is None:
        return None
    from rowstone.tracing import tracing_of

    return tracing_of(wanted, target, is_cluster="://" in target)


def _compat_settings(compat: str | None) -> dict[str, Any]:
    """The settings that make defaults those of an older HBase."""
    if compat is None:
        return {}
    if compat != "0.94":
        raise InvalidArgument(f"compat {compat!r} is unknown; there is: '0.94'")
    return {"hbase.column.max.version": 3}
