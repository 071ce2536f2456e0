"""thriftpy2's clients, with our interface texts: what talks to HBase's gateways and to ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import rowstone.server.thrift

PROTOCOLS = ("binary", "compact")
TRANSPORTS = ("buffered", "framed")
_TEXTS = Path(rowstone.server.thrift.__file__).parent / "idl"


@cache
def module(version: int) -> Any:
    """The structs of a service as thriftpy2 makes them of our text."""
    import thriftpy2

    return thriftpy2.load(str(_TEXTS / f"hbase{version}.thrift"), module_name=f"hbase{version}_thrift")


def service(version: int) -> Any:
    """The service of that version."""
    return getattr(module(version), "Hbase" if version == 1 else "THBaseService")


@contextmanager
def client(version: int, port: int, transport: str = "buffered", protocol: str = "binary") -> Iterator[Any]:
    """A connected client."""
    from thriftpy2.protocol import TBinaryProtocolFactory, TCompactProtocolFactory
    from thriftpy2.rpc import make_client
    from thriftpy2.transport import TBufferedTransportFactory, TFramedTransportFactory

    protocols = {"binary": TBinaryProtocolFactory, "compact": TCompactProtocolFactory}
    transports = {"buffered": TBufferedTransportFactory, "framed": TFramedTransportFactory}
    made = make_client(
        service(version),
        "127.0.0.1",
        port,
        proto_factory=protocols[protocol](),
        trans_factory=transports[transport](),
        timeout=60_000,
    )
    try:
        yield made
    finally:
        made.close()
