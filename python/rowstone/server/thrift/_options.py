"""Further options of a Thrift gateway: limits on its clients, and access to it."""

from __future__ import annotations

from rowstone.server.options import ACCESS_DEFAULTS, AccessOptions

SCANNER_TIMEOUT_S = {1: 120.0, 2: 60.0}
"""By version of the service. As in HBase's gateways, where ``hbase.client.scanner.timeout.period`` is the default."""


class ThriftOptions(AccessOptions, total=False):
    """Further options of `rowstone.server.thrift.serve`, with the keys of `rowstone.server.AccessOptions`.

    Attributes:
        scanner_timeout_s: Idle time after which a scanner is closed, in seconds; 120 by default, 60 in version 2.
        max_message_bytes: Maximum size of a call, in bytes; 256 MiB by default. List elements count towards it, too.
        max_connections: Maximum concurrent connections. Further connections are closed. By default None: 1,000,
            or about a sixteenth of the files that the process may have open, if that is less.
        patience_s: Time limit for a client to continue a message it began, and to receive an answer, in seconds; 30 by
            default.
    """

    scanner_timeout_s: float | None
    max_message_bytes: int
    max_connections: int | None
    patience_s: float


DEFAULTS: ThriftOptions = {
    **ACCESS_DEFAULTS,
    "scanner_timeout_s": None,
    "max_message_bytes": 256 << 20,
    "max_connections": None,
    "patience_s": 30.0,
}
