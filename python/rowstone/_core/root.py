"""Opening the files of an HBase cluster without the cluster."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit, urlunsplit

from rowstone import _native
from rowstone._base import lifecycle as _lifecycle
from rowstone._base.configuration import ConfigurationArgument, given_of, layers_of
from rowstone._base.options.checks import as_list
from rowstone._base.targets import FILE, local_path, without_secrets
from rowstone._core.database import Database
from rowstone.errors import InvalidArgument, InvalidType

if TYPE_CHECKING:
    from rowstone._core.tracing import Tracing

PREFIX = "root+"
"""Start of the URL of a root, before that of its storage: ``root+file:///data/hbase?snapshot=nightly``."""
_QUERY = ("snapshot", "table", "logs")
_THREADS = "rowstone.scan.threads"
_MOST_THREADS = 64


def open_root(
    root: str | os.PathLike[str],
    *,
    snapshot: str | None = None,
    tables: Iterable[str] | None = None,
    with_logs: bool = False,
    configuration: ConfigurationArgument | None = None,
    cache_bytes: int | None = None,
    storage_options: Mapping[str, str] | None = None,
    threads: int | None = None,
) -> Database:
    """Open an HBase root directory, or what ``ExportSnapshot`` wrote, read-only. HBase does not have to run.

    Tables are read from their files as HBase's ``TableSnapshotScanner`` reads them: versions, deletes, TTL, filters and
    large values give the same answers as a scan of the cluster. References of splits, links of clones, archived files
    and the ``FILE`` store file tracker are followed. Schemas come from the table descriptors.

    Without ``snapshot`` the database has the tables as they were flushed when it was opened. Writes that HBase has only
    in memory and in its logs are missing unless ``with_logs`` is set.

    Args:
        root: The directory of ``hbase.rootdir``, or the target of ``ExportSnapshot``: a path, or a URL that begins with
            ``file://``, ``s3://``, ``gs://``, ``az://``, ``hdfs://``, ``webhdfs://`` or ``https://``.
        snapshot: Only the table of this snapshot, as it was then.
        tables: Only these tables; by default all except ``hbase:meta``. Ignored for a snapshot.
        with_logs: Also read the logs of all servers, into memory. The root of a cluster that was killed then has every
            write that was acknowledged with ``SYNC_WAL``. HDFS hides the end of a log that is still open. Such a log is
            refused: run ``hdfs debug recoverLease`` first.
        configuration: Settings under HBase's names, or an ``hbase-site.xml``, as for `rowstone.connect`.
        cache_bytes: Limit of the block cache, in bytes; by default as for `rowstone.connect`, but at most 32 MiB.
        storage_options: Options of the object store or of HDFS, such as ``{"aws_region": "eu-west-1"}``, under the
            names that Polars and Delta Lake use. Those of the environment are the default.
        threads: Threads that read ahead for scans, from 0 to 64. Each reads the next short range of rows while the
            program uses the last ones. Rows and their order are the same. By default as many as the machine has cores,
            at most 4; 0 leaves all work to the thread that reads the rows.

    Raises:
        NotADatabase: The directory has neither ``data/`` nor ``.hbase-snapshot/``.
        SnapshotNotFound: The message names the snapshots that exist.
        TableNotFound: The root has none of that name.
        UnsupportedOperation: An encrypted file, another store file tracker, or another layout of the root.
        CorruptionError: A file is damaged; the message has its path and offset.
        StorageError: A file cannot be read; the message has the reason, such as expired credentials. Failed requests
            are repeated before that.

    Example:
        >>> import tempfile, rowstone as rs
        >>> folder = tempfile.mkdtemp()
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("web", ["anchor"])
        ...     _ = db.table("web").put("com.cnn", {"anchor:a": "1"})
        ...     db.admin.snapshot("nightly", "web")
        ...     db.admin.snapshots.export("nightly", folder)
        >>> with rs.open_root(folder, snapshot="nightly") as db:
        ...     print(db.table("web").get("com.cnn")["anchor:a"])
        b'1'
    """
    view = {"snapshot": snapshot, "tables": as_list("tables", tables), "with_logs": with_logs}
    layers = layers_of({}, configuration, dedicated=False)
    if threads is not None:
        layers["argument"] = {**layers.get("argument", {}), _THREADS: _checked_threads(threads)}
    return _open(_location(root), view, layers, cache_bytes, storage_options)


def _checked_threads(threads: int) -> int:
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise InvalidType(f"threads must be an int, not {type(threads).__name__}")
    if not 0 <= threads <= _MOST_THREADS:
        raise InvalidArgument(f"threads {threads} is outside 0 to {_MOST_THREADS}; 0 reads in the caller's thread")
    return threads


def open_root_url(
    url: str,
    configuration: ConfigurationArgument | None,
    cache_bytes: int | None,
    tracing: Tracing | None,
    storage_options: Mapping[str, str] | None,
) -> Database:
    """Open a URL such as ``root+file:///data/hbase?snapshot=nightly``, for `rowstone.connect`."""
    scheme, host, path, query, fragment = urlsplit(url.removeprefix(PREFIX))
    given = parse_qs(query, keep_blank_values=True)
    if unknown := [name for name in given if name not in _QUERY]:
        raise InvalidArgument(f"'{without_secrets(url)}' has '{unknown[0]}'; a root takes {', '.join(_QUERY)}")
    logs = given.get("logs", ["false"])[-1]
    if logs not in ("true", "false"):
        raise InvalidArgument(f"logs of a root is true or false, not '{logs:.20}'")
    view = {
        "snapshot": given.get("snapshot", [None])[-1],
        "tables": given.get("table", []),
        "with_logs": logs == "true",
    }
    return _open(
        _location(urlunsplit((scheme, host, path, "", fragment))),
        view,
        layers_of({}, configuration, dedicated=False),
        cache_bytes,
        storage_options,
        tracing,
    )


def _open(
    location: str,
    view: dict[str, Any],
    layers: dict[str, dict[str, Any]],
    cache_bytes: int | None,
    storage_options: Mapping[str, str] | None,
    tracing: Tracing | None = None,
) -> Database:
    native = _native.open_root(
        location,
        configuration=given_of(layers),
        cache_bytes=cache_bytes,
        storage_options=dict(storage_options or {}),
        **view,
    )
    _lifecycle.remember(native)
    found = Database(native, path=_url(location, view), read_only=True, configuration=layers, tracing=tracing)
    if storage_options:
        found._given = {"storage_options": dict(storage_options)}
    return found


def _url(location: str, view: Mapping[str, Any]) -> str:
    """Return the URL with which `rowstone.connect` opens the same root."""
    pairs = [("snapshot", view["snapshot"])] if view["snapshot"] is not None else []
    pairs += [("table", name) for name in view["tables"]]
    pairs += [("logs", "true")] if view["with_logs"] else []
    base = location if "://" in location else f"{FILE}{quote(location)}"
    return f"{PREFIX}{base}{'?' if pairs else ''}{urlencode(pairs)}"


def _location(root: str | os.PathLike[str]) -> str:
    """Return a URL unchanged, and a path as an absolute one."""
    text = local_path(root)
    return text if "://" in text else str(Path(text).absolute())
