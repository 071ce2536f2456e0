"""HBase's REST interface to a database: ``rowstone serve DIR --rest-port 8080``, or `serve`.

See ``docs/reference/rest.md``.

Supports JSON, XML, protobuf and plain values, with HBase's routes, status codes and messages, so that clients of
HBase's REST server work unchanged. Requires the packages of ``rowstone[gateways]``.
"""

from rowstone._server.http_limits import Limits
from rowstone.rest._credentials import Credentials
from rowstone.rest._gateway import Gateway, serve

__all__ = ["Credentials", "Gateway", "Limits", "serve"]
