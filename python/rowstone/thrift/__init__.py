"""HBase's Thrift services before a database: what happybase and other clients of the gateways talk to.

    with rowstone.connect("crawl") as db, rowstone.thrift.serve(db, port=9090) as gateway:
        ...

`docs/thrift.md` says how a program comes over, and what differs from HBase's gateways.

```text
_gateway        a service on a port: what `serve` returns
_conversation   a connection, imported with the first one
_service        methods and the functions that do them
one, two        those functions: HBase's first service, and its second
wire            sockets, transports, HTTP
codec           Thrift's encodings
idl             the interface texts, and _idl, which reads them
```
"""

from rowstone.thrift._credentials import Credentials
from rowstone.thrift._gateway import Gateway, serve

__all__ = ["Credentials", "Gateway", "serve"]
