"""Servers of a database: HBase's RPC, its REST and Thrift gateways, and the dashboard.

| module | duty |
|---|---|
| `serve` | `rowstone.serve`: HBase's RPC, and the gateways next to it |
| `gateways` | starts and stops the gateways of a server |
| `options` | further options of `rowstone.serve` and of the gateways |
| `rest`, `thrift`, `dashboard` | one gateway each, with ``serve(db)`` |
| `security` | users file, authentication, impersonation |
| `http`, `listening`, `tls` | sockets of the gateways |
| `acting`, `columns` | effective users and column names in requests |
"""

from typing import TYPE_CHECKING

from rowstone._base.lazy import lazily

if TYPE_CHECKING:
    from rowstone.server import dashboard as dashboard
    from rowstone.server import rest as rest
    from rowstone.server import security as security
    from rowstone.server import thrift as thrift
    from rowstone.server.options import AccessOptions as AccessOptions
    from rowstone.server.options import GatewayPorts as GatewayPorts
    from rowstone.server.options import ServeOptions as ServeOptions
    from rowstone.server.options import ServerLimits as ServerLimits
else:
    __getattr__, __dir__ = lazily(
        __name__,
        *("dashboard", "rest", "security", "thrift"),
        options="AccessOptions GatewayPorts ServeOptions ServerLimits",
    )
