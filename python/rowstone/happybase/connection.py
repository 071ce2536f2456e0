"""`Connection`: tables by name, and table administration."""

import logging
import os
from collections.abc import Mapping
from typing import Any

from rowstone._core.database import Database
from rowstone.happybase._schema import family_of
from rowstone.happybase._transport import DEFAULT_HOST, DEFAULT_PORT, Transport, target_of
from rowstone.happybase.errors import in_thrift_words
from rowstone.happybase.table import Table
from rowstone.happybase.util import ensure_bytes

logger = logging.getLogger(__name__)

COMPAT_MODES = ("0.90", "0.92", "0.94", "0.96", "0.98")
THRIFT_TRANSPORTS = ("buffered", "framed")
THRIFT_PROTOCOLS = ("binary", "compact")
DEFAULT_TRANSPORT = "buffered"
DEFAULT_COMPAT = "0.98"
DEFAULT_PROTOCOL = "binary"


class Connection:
    """A database with happybase's API.

    Args:
        host: A directory (``"./crawl"``, `pathlib.Path`), ``":memory:"``, a URL that `rowstone.connect` takes, or the
            name of a cluster's host. For a name the environment variable ``ROWSTONE_HAPPYBASE``, where it is set, gives
            the target instead.
        port: The port of a host name; 9090, the Thrift gateway's, means the cluster's default.
        timeout: Timeout of cluster operations in milliseconds; operations on a directory do not use the
            network.
        autoconnect: Open immediately; otherwise call `open` before the first use.
        table_prefix, table_prefix_separator: Prefix of every table name.
        compat: The HBase version: refuses arguments that it did not support.
        transport, protocol: Checked, otherwise without effect, because Thrift is not used.
        database: An open `rowstone.Database` to use instead; it stays open when the connection is closed.

    Connections of one process to one directory, or to ``":memory:"``, share the database behind them, which is closed
    with the last of them. They are thread-safe.

    Raises:
        ValueError, TypeError: happybase does not accept the argument.
        TTransportException: The database cannot be opened.

    Source: happybase's ``Connection``.
    """

    def __init__(
        self,
        host: "str | os.PathLike[str] | None" = DEFAULT_HOST,
        port: int | str | None = DEFAULT_PORT,
        timeout: int | None = None,
        autoconnect: bool = True,
        table_prefix: str | bytes | None = None,
        table_prefix_separator: str | bytes = b"_",
        compat: str = DEFAULT_COMPAT,
        transport: str = DEFAULT_TRANSPORT,
        protocol: str = DEFAULT_PROTOCOL,
        *,
        database: Database | None = None,
    ) -> None:
        _check("transport", transport, THRIFT_TRANSPORTS)
        _check("compat", compat, COMPAT_MODES)
        _check("protocol", protocol, THRIFT_PROTOCOLS)
        self.host = host or DEFAULT_HOST
        self.port = port or DEFAULT_PORT
        self.timeout = timeout
        self.table_prefix = None if table_prefix is None else _text("table_prefix", table_prefix)
        self.table_prefix_separator = _text("table_prefix_separator", table_prefix_separator)
        self.compat = compat
        self._database = database
        self._refresh()
        if autoconnect:
            self.open()

    def _refresh(self) -> None:
        """Release what was open, whatever its state, to prepare for a new one that is not open yet."""
        old: Transport | None = getattr(self, "transport", None)
        target = None if self._database is not None else target_of(self.host, self.port)
        self.transport = Transport(target=target, timeout_ms=self.timeout, database=self._database)
        if old is not None:
            old.close()

    def _table_name(self, name: str | bytes) -> bytes:
        plain = ensure_bytes(name)
        return plain if self.table_prefix is None else self.table_prefix + self.table_prefix_separator + plain

    def _full_name(self, name: str | bytes) -> str:
        return self._table_name(name).decode()

    @property
    def database(self) -> Database:
        """The underlying `rowstone.Database`, for features that happybase lacks; table prefixes do not apply there.

        Raises:
            TTransportException: The connection is not open.
        """
        return self.transport.database

    def open(self) -> None:
        """Open the database, unless it is open."""
        if not self.transport.is_open():
            logger.debug("opening %s", self.host)
            self.transport.open()

    def close(self) -> None:
        """Close the connection. A second call does nothing, and `open` opens it again."""
        self.transport.close()

    def __del__(self) -> None:
        transport: Transport | None = getattr(self, "transport", None)
        if transport is not None:
            transport.close(is_garbage=True)

    def table(self, name: str | bytes, use_prefix: bool = True) -> Table:
        """Return the table of that name, which need not exist; without the prefix if ``use_prefix`` is false."""
        return Table(self._table_name(name) if use_prefix else ensure_bytes(name), self)

    @in_thrift_words
    def tables(self) -> list[bytes]:
        """Return the names of all tables, sorted; with a table prefix, only matching tables, without the prefix."""
        prefix = b"" if self.table_prefix is None else self._table_name(b"")
        names = [name.encode() for name in self.database.tables() if not name.startswith("hbase:")]
        return [name[len(prefix) :] for name in names if name.startswith(prefix)]

    @in_thrift_words
    def create_table(self, name: str | bytes, families: "Mapping[Any, Mapping[str, Any] | None]") -> None:
        """Create a table.

        Args:
            families: Options by the family's name, which may end in a colon: ``max_versions`` (3), ``compression``,
                ``in_memory``, ``bloom_filter_type`` (``"NONE"``), ``block_cache_enabled`` (False), ``time_to_live`` in
                seconds; ``bloom_filter_vector_size`` and ``bloom_filter_nb_hashes`` have no effect, as in HBase. None
                or ``{}`` uses the defaults, which are the Thrift gateway's, not HBase's.

        Raises:
            TypeError: ``families`` is not a dict, or an option is unknown. ValueError: ``families`` is empty.
            AlreadyExists, IllegalArgument, IOError: Nothing was created.
        """
        full_name = self._full_name(name)
        if not isinstance(families, dict):
            raise TypeError("'families' arg must be a dictionary")
        if not families:
            raise ValueError(f"cannot create table {full_name!r}: it has no column families")
        described = {ensure_bytes(key).removesuffix(b":"): family_of(options) for key, options in families.items()}
        self.database.create_table(full_name, described)

    def delete_table(self, name: str | bytes, disable: bool = False) -> None:
        """Delete a disabled table and its data; with ``disable``, also an enabled one."""
        if disable and self.is_table_enabled(name):
            self.disable_table(name)
        in_thrift_words(self.database.admin.drop_table)(self._full_name(name))

    @in_thrift_words
    def enable_table(self, name: str | bytes) -> None:
        """Enable a disabled table."""
        self.database.admin.enable_table(self._full_name(name))

    @in_thrift_words
    def disable_table(self, name: str | bytes) -> None:
        """Disable a table: reads and writes are refused until it is enabled again."""
        self.database.admin.disable_table(self._full_name(name))

    @in_thrift_words
    def is_table_enabled(self, name: str | bytes) -> bool:
        """Whether a table is enabled."""
        return self.database.admin.tables.is_enabled(self._full_name(name))

    @in_thrift_words
    def compact_table(self, name: str | bytes, major: bool = False) -> None:
        """Compact the files of a table; returns when that is done."""
        admin = self.database.admin
        (admin.major_compact if major else admin.compact)(self._full_name(name))


def _check(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name!r} must be one of {', '.join(allowed)}, not {value!r}")


def _text(name: str, value: str | bytes) -> bytes:
    if not isinstance(value, (str, bytes)):
        raise TypeError(f"{name!r} must be a string, not {type(value).__name__}")
    return ensure_bytes(value)
