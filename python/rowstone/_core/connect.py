"""Opening a database: the only module that maps a target to a backend."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from rowstone import _native
from rowstone._base import heap as _heap
from rowstone._base import lifecycle as _lifecycle
from rowstone._base.configuration import ConfigurationArgument, given_of, layers_of
from rowstone._base.options import check_names, select
from rowstone._base.options.words import Durability
from rowstone._base.printable import printable_text
from rowstone._base.targets import MEMORY, check_target, without_secrets
from rowstone._core.cluster import ClusterOptions, open_cluster, refuse
from rowstone._core.database import Database
from rowstone._core.options import DIRECTORY_DEFAULTS, ConnectOptions, DirectoryOptions
from rowstone._core.root import PREFIX, open_root_url
from rowstone.errors import DatabaseLocked, InvalidArgument, InvalidType, NotADatabase

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

    from rowstone._core.tracing import Tracing

Layers = dict[str, dict[str, Any]]
_SHARE = "to write from several processes share it through a server: rowstone serve DIR"

_audit = logging.getLogger("rowstone.audit")


def connect(
    target: str | os.PathLike[str],
    *,
    read_only: bool = False,
    create: bool = True,
    durability: Durability | None = None,
    configuration: ConfigurationArgument | None = None,
    tracing: bool | TracerProvider = False,
    **options: Unpack[ConnectOptions],
) -> Database:
    """Open a database: a directory, one in memory, a cluster, or the files of a cluster.

    Args:
        target: A directory, created if missing unless ``create=False``; ``":memory:"``; or an HBase cluster:
            ``"hbase://host:port[,host:port]"`` lists some of its masters or region servers,
            ``"hbase+zk://host:port[,host:port]/parent"`` its ZooKeeper (by default port 2181 and parent ``hbase``).
            ``"root+file:///data/hbase?snapshot=nightly"`` reads its files: see `open_root`.
        read_only: Only read, even while another process writes. Reads see the database as it was when it was opened,
            including what was only in the log.
        durability: Default for tables and calls, which may override it: ``"SKIP_WAL"``, ``"ASYNC_WAL"``, ``"SYNC_WAL"``
            (default: writes survive kill -9 at once, a power loss after 100 ms) or ``"FSYNC_WAL"``.
        configuration: Settings under HBase's names, ``{"hbase.column.max.version": 3}``, or an ``hbase-site.xml``.
            ``"hbase.security.authorization": True`` enables access control: see `Database.as_user`.
        tracing: True, or a tracer provider, records calls of tables as OpenTelemetry spans.
        options: Memory limits, reuse and clock of a directory: see `DirectoryOptions`. Identity, timeouts and TLS of a
            cluster: see `ClusterOptions`. A cluster accepts only `ClusterOptions`, ``target`` and ``tracing``. Of the
            files of a cluster: ``storage_options``, as for `open_root`.

    Raises:
        ConnectionFailed: No HBase server answers at the target.
        DatabaseLocked: The directory is open for writing in this process or in another, which the message names.
        InvalidArgument: The directory does not exist and its name looks like an address, ``":memory:"`` or a path in a
            home directory; ``reuse`` found it open with other options; or ``read_only`` is set for ``":memory:"``.
        NotADatabase: The directory contains something else, or nothing while ``create=False``.
        CorruptionError: The directory is damaged.
        UnsupportedOperation: An option belongs to another kind of target.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     db.create_table("webtable", {"anchor": {}})
        ...     db.table("webtable").put("com.cnn.www", {"anchor:cnnsi.com": "CNN"})
        True
    """
    text = _text_of(target)
    check_names(connect, options, ConnectOptions.__optional_keys__)
    cluster = select(options, ClusterOptions)
    root = {"storage_options": options.get("storage_options")}
    further: DirectoryOptions = {**DIRECTORY_DEFAULTS, **select(options, DirectoryOptions)}
    compat, reuse, allow_coprocessors = further["compat"], further["reuse"], further["allow_coprocessors"]
    engine: dict[str, Any] = {"durability": durability, "clock": further["clock"]}
    engine |= {name: further[name] for name in ("cache_bytes", "memstore_bytes", "dedicated")}
    spans = _tracing_of(tracing, text)
    others: dict[str, Any] = {"compat": compat, "reuse": reuse or None, "dedicated": further["dedicated"] or None}
    others["allow_coprocessors"] = tuple(allow_coprocessors) or None
    if text.startswith(PREFIX) and "://" in text:
        refuse(text, "a root", {**engine, **cluster, **others, "cache_bytes": None})
        return open_root_url(text, configuration, further["cache_bytes"], spans, root["storage_options"])
    if "://" in text:
        others |= {**root, "configuration": configuration, "read_only": read_only or None}
        others["create"] = None if create else False
        return _cluster(text, cluster, spans, {**engine, **others})
    refuse(text, "a directory", {**cluster, **root})
    layers = layers_of(_compat_settings(compat), configuration, dedicated=further["dedicated"])
    own: dict[str, Any] = {"layers": layers, "allow_coprocessors": tuple(allow_coprocessors), "tracing": spans}
    if read_only or text == MEMORY:
        native = _open(text, read_only=read_only, create=create, configuration=given_of(layers), **engine)
        return _database(native, text, read_only=read_only, **own)
    return _directory(text, own, {**engine, **own, "tracing": tracing}, create=create, reuse=reuse, options=engine)


def _cluster(text: str, options: ClusterOptions, spans: Tracing | None, others: dict[str, Any]) -> Database:
    """Connect to a cluster, which has none of the ``others``."""
    if not text.startswith(("hbase://", "hbase+zk://")):
        # Refused below, with the name of the scheme.
        text = without_secrets(text)
    if "@" in text.partition("://")[2].partition("/")[0]:
        raise InvalidArgument("the URL has credentials in it; pass them as options: user=, password=")
    refuse(text, "a cluster", others)
    return _database(open_cluster(text, options), text, read_only=False, cluster=options, tracing=spans)


def _directory(
    text: str, own: dict[str, Any], given: dict[str, Any], *, create: bool, reuse: bool, options: dict[str, Any]
) -> Database:
    """Open a directory for writing; ``given`` are the options that a reuse must match."""
    with _lifecycle.opening(text):
        known = _lifecycle.writer_of(text)
        if reuse and known is not None:
            return _reused(known, given)
        native = _open(text, read_only=False, create=create, configuration=given_of(own["layers"]), **options)
        try:
            database = _database(native, text, read_only=False, **own)
            database._given = given
            _lifecycle.remember_writer(text, database)
            database._clock_watch.check()
        except BaseException:
            # Such as Ctrl-C. Otherwise the directory stays locked until the database is garbage-collected.
            native.close()
            raise
    return database


def _reused(known: Database, given: dict[str, Any]) -> Database:
    """Return the database if it was opened with these options."""
    differing = [name for name, value in given.items() if known._given.get(name) != value]
    if differing:
        names = ", ".join("configuration" if name == "layers" else name for name in differing)
        raise InvalidArgument(
            f"the database at '{known.path}' is already open in this process, with another {names}; close it first, "
            "or reuse it with the same options"
        )
    return known


def _text_of(target: Any) -> str:
    """Convert a target to text. Raises `InvalidType`, and the errors of `check_target`."""
    if not isinstance(target, (str, os.PathLike)):
        kind = type(target).__name__
        raise InvalidType(f"target must be a path, ':memory:' or a cluster's URL (hbase://host:port), not {kind}")
    text = os.fspath(target)
    if not isinstance(text, str):
        raise InvalidType("target must be a path of str, not of bytes")
    if "://" not in text and text != MEMORY:
        check_target(target)
        if Path(text).is_file():
            raise NotADatabase(f"'{text}' is a file, not a directory; `rowstone.hfile` reads single store files")
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


def _open(text: str, **options: Any) -> _native.Database:
    """Open the native database of a path, or one in memory."""
    if text == MEMORY and options["read_only"]:
        raise InvalidArgument("a database in memory cannot be opened read-only: it would always be empty")
    _heap.fix_limits()
    try:
        return _native.open(None if text == MEMORY else str(Path(text).absolute()), audit=_note_decision, **options)
    except DatabaseLocked as error:
        if _lifecycle.writer_of(text) is not None:
            raise DatabaseLocked(
                f"the database at {text} is already open in this process: use that Database, from any thread, "
                f"or get it with connect(..., reuse=True); {_SHARE}"
            ) from None
        raise DatabaseLocked(f"{error}; {_SHARE}") from None


def _tracing_of(wanted: bool | TracerProvider, target: str) -> Tracing | None:
    """Create the tracer if tracing is wanted; without it nothing of tracing is imported."""
    if wanted is False or wanted is None:
        return None
    from rowstone._core.tracing import tracing_of

    return tracing_of(wanted, target, is_cluster="://" in target)


def _compat_settings(compat: str | None) -> dict[str, Any]:
    """Settings that restore the defaults of an older HBase."""
    if compat is None:
        return {}
    if compat != "0.94":
        raise InvalidArgument(f"compat {compat!r} is unknown; the only value is '0.94'")
    return {"hbase.column.max.version": 3}


def _note_decision(user: str, address: str | None, operation: str, scope: str, allowed: bool, reason: str) -> None:
    """Log a decision of access control on one line: refusals as warnings, grants as information."""
    verdict, level = ("allowed", logging.INFO) if allowed else ("denied", logging.WARNING)
    details = {"user": user, "address": address, "operation": operation, "scope": scope, "allowed": allowed}
    text = "access %s for user %s; reason: %s; remote address: %s; request: %s; scope: %s"
    shown = map(printable_text, (verdict, user, reason, address or "", operation, scope))
    _audit.log(level, text, *shown, extra={**details, "reason": reason})
