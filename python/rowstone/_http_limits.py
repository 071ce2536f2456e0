"""What clients of a server of HTTP may ask of it. What keeps to it is imported with the first of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What clients of a server may ask of it.

    ``head_bytes`` are the request's line and headers (HBase's REST server has the same limit); ``body_bytes`` is one
    body, ``in_flight_bytes`` all bodies at once; ``patience_seconds`` is how long a client may take for the head, and
    between two pieces of the body; ``farewell_seconds`` how long requests under way may go on when the server stops.
    """

    head_bytes: int = 64 << 10
    body_bytes: int = 64 << 20
    in_flight_bytes: int = 512 << 20
    connections: int = 1000
    patience_seconds: float = 30.0
    farewell_seconds: int = 5
