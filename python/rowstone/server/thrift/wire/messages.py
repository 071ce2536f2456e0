"""Calls of a connection, answered in sequence."""

from __future__ import annotations

from collections.abc import Callable

from rowstone.server.thrift._service import Encoding
from rowstone.server.thrift.codec.source import Source
from rowstone.server.thrift.codec.types import Malformed
from rowstone.server.thrift.wire.stream import Stream

Answer = Callable[[Source, Encoding], bytes | None]


def plain(source: Source, stream: Stream, encoding: Encoding, most_bytes: int, answer: Answer) -> None:
    """Answer messages without frames, whose end is known only after parsing. Ends by `Closed`, or by `Malformed`."""
    while True:
        _wait(source, stream)
        source.begin(most_bytes)
        reply = answer(source, encoding)
        if reply is not None:
            stream.send(reply)


def framed(source: Source, stream: Stream, encoding: Encoding, most_bytes: int, answer: Answer) -> None:
    """Answer messages with a length prefix."""
    while True:
        _wait(source, stream)
        source.begin(most_bytes)
        length = int.from_bytes(source.take(4), "big", signed=True)
        if not 0 < length <= most_bytes:
            raise Malformed(f"a frame of {length} bytes exceeds the limit of {most_bytes}")
        frame = Source(source.take(length), most_bytes)
        reply = answer(frame, encoding)
        if reply is not None:
            stream.send(len(reply).to_bytes(4, "big"), reply)


def _wait(source: Source, stream: Stream) -> None:
    """Wait until a message begins."""
    if source.at >= len(source.data):
        source.data = stream.first()
        source.at = 0
