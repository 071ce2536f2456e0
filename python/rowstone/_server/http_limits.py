"""Limits of an HTTP server on its clients. The code that enforces them is imported with the first client."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits on the requests and connections of clients.

    Attributes:
        head_bytes: Size of the request line and headers. HBase's REST server has the same limit.
        body_bytes: Size of a body, as sent and unpacked.
        parsed_bytes: Estimated memory of a parsed body.
        in_flight_bytes: Memory of all requests together: bodies as sent, unpacked and parsed.
        connections: Number of open connections.
        connections_per_address: How many of them one address may have.
        body_bytes_per_second: Average rate that a client must reach after ``patience_seconds``.
        body_seconds: Time in which a body must be complete.
        patience_seconds: Time for the head, and between two pieces of the body.
        farewell_seconds: Time that running requests get when the server stops.
    """

    head_bytes: int = 64 << 10
    body_bytes: int = 64 << 20
    parsed_bytes: int = 256 << 20
    in_flight_bytes: int = 512 << 20
    connections: int = 1000
    connections_per_address: int = 500
    body_bytes_per_second: int = 16 << 10
    body_seconds: float = 600.0
    patience_seconds: float = 30.0
    farewell_seconds: int = 5
