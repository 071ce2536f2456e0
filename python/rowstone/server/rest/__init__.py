"""HBase's REST interface to a database: ``rowstone serve DIR --rest-port 8080``, or `serve`.

See ``docs/reference/rest.md``.

Supports JSON, XML, protobuf and plain values, with HBase's routes, status codes and messages, so that clients of
HBase's REST server work unchanged. Requires the packages of ``rowstone[gateways]``.
"""

from rowstone.server.http.limits import Limits
from rowstone.server.rest._credentials import Credentials
from rowstone.server.rest._gateway import Gateway, serve

__all__ = ["Credentials", "Gateway", "Limits", "serve"]
