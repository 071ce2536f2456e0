"""What clients of a server of HTTP may ask of it. What keeps to it is imported with the first of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What clients of a server may ask of it.

    ``head_bytes`` are the request's line and headers (HBase's REST server has the same limit); ``body_bytes`` is one
    body, also unpacked; ``parsed_bytes`` what it takes in memory when it is parsed, as an estimate; ``in_flight_bytes``
    all of that of all requests at once. ``connections_per_address`` is how many of the ``connections`` one address may
    have. ``patience_seconds`` is how long a client may take for the head, and between two pieces of the body; after
    that time it must have sent ``body_bytes_per_second`` on average, and a body may take ``body_seconds`` at most.
    ``farewell_seconds`` is how long requests under way may go on when the server stops.
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
