"""Further options of `rowstone.connect`, grouped by the kind of target."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypedDict

from rowstone._core.cluster import ClusterOptions

if TYPE_CHECKING:
    from rowstone._native import ManualClock


class DirectoryOptions(TypedDict, total=False):
    """Further options of `rowstone.connect` for a directory, or a database in memory.

    Attributes:
        cache_bytes: Limit of the block cache, in bytes. By default 5 % of the memory that the process may have, at most
            2 GiB; at most 256 MiB in memory and with ``read_only=True``. Each open database has its own cache.
        memstore_bytes: Limit of recent writes in memory, in bytes. By default the same share, at most 256 MiB.
        dedicated: The process does nothing but serve this database, as ``rowstone serve`` does. The default limits are
            then larger: 25 % for the block cache (at most 16 GiB) and 12.5 % for recent writes (at most 1 GiB). Off by
            default.
        reuse: Return the database that this process already has open for writing in the directory, if any. Off by
            default.
        clock: A clock to use instead of the machine's, for tests.
        compat: ``"0.94"`` gives new families three versions, as before 0.96; ``configuration`` overrides it. By default
            they have one.
        allow_coprocessors: Classes, or names of classes, that table descriptors may load as observers and constraints,
            as for `rowstone.coprocessors.allow`. No other class is imported; by default none.

    Example:
        >>> import rowstone as rs
        >>> small: rs.DirectoryOptions = {"cache_bytes": 32 << 20, "memstore_bytes": 32 << 20}
        >>> with rs.connect(":memory:", **small) as db:
        ...     print(db.tables())
        []
    """

    cache_bytes: int | None
    memstore_bytes: int | None
    dedicated: bool
    reuse: bool
    clock: ManualClock | None
    compat: Literal["0.94"] | None
    allow_coprocessors: Iterable[str | type]


class ConnectOptions(DirectoryOptions, ClusterOptions, total=False):
    """Further options of `rowstone.connect`: the keys of `DirectoryOptions` and of `ClusterOptions`, and one more.

    Attributes:
        storage_options: For the files of a cluster, ``root+…``: options of the object store or of HDFS, as for
            `rowstone.open_root`.
    """

    storage_options: Mapping[str, str] | None


DIRECTORY_DEFAULTS: DirectoryOptions = {
    "cache_bytes": None,
    "memstore_bytes": None,
    "dedicated": False,
    "reuse": False,
    "clock": None,
    "compat": None,
    "allow_coprocessors": (),
}
