"""HBase's Thrift gateways for a database: the services that happybase and other Thrift clients talk to.

    with rowstone.connect("crawl") as db, rowstone.server.thrift.serve(db, port=9090) as gateway:
        ...

`docs/reference/thrift.md` describes how to migrate a program, and the differences from HBase's gateways.

```text
_gateway        a service on a port: what `serve` returns
_conversation   the calls of a connection; imported with the first connection
_service        methods and the functions that implement them
one, two        those functions: HBase's first service, and its second
wire            sockets, transports, HTTP
codec           Thrift's encodings
idl             the interface texts, and _idl, which reads them
```
"""

from rowstone.server.thrift._gateway import Gateway, serve
from rowstone.server.thrift._options import ThriftOptions
from rowstone.server.thrift._terms import Credentials

__all__ = ["Credentials", "Gateway", "ThriftOptions", "serve"]
