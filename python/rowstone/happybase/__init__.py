"""happybase's API on a directory, in memory or on a cluster, without a Thrift gateway.

Replace ``import happybase`` with ``import rowstone.happybase as happybase``. docs/reference/happybase.md
describes the differences.

Example:
    >>> import rowstone.happybase as happybase
    >>> connection = happybase.Connection(":memory:")
    >>> connection.create_table("mytable", {"cf": dict(max_versions=10)})
    >>> table = connection.table("mytable")
    >>> table.put(b"row-key", {b"cf:col1": b"value1", b"cf:col2": b"value2"})
    >>> for key, data in table.scan(row_prefix=b"row"):
    ...     print(key, data)
    b'row-key' {b'cf:col1': b'value1', b'cf:col2': b'value2'}
    >>> connection.close()

Source: happybase 1.3.0, and the behavior of HBase 2.6's Thrift gateway.
"""

from rowstone.happybase._install import __version__, install
from rowstone.happybase._transport import DEFAULT_HOST, DEFAULT_PORT
from rowstone.happybase.batch import Batch
from rowstone.happybase.connection import Connection
from rowstone.happybase.errors import AlreadyExists, IllegalArgument, IOError, TException, TTransportException
from rowstone.happybase.pool import ConnectionPool, NoConnectionsAvailable
from rowstone.happybase.table import Table

__all__ = [
    "DEFAULT_HOST",
    "DEFAULT_PORT",
    "AlreadyExists",
    "Batch",
    "Connection",
    "ConnectionPool",
    "IOError",
    "IllegalArgument",
    "NoConnectionsAvailable",
    "TException",
    "TTransportException",
    "Table",
    "__version__",
    "install",
]
