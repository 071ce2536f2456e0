"""Detection of transport and encoding from a connection's first bytes, so that one port serves them all.

```text
80 01 …            binary                      82 …               compact
00 00 00 nn 80 01  binary, in frames           00 00 00 nn 82 …   compact, in frames
00 00 00 nn 00 …   old binary, in frames       00 00 00 nn 'g' …  old binary: nn is the length of a name
'P' 'O' 'S' 'T'    HTTP
```

A frame is shorter than 1 GiB, so that its length never looks like HTTP.
"""

from __future__ import annotations

from dataclasses import dataclass

from rowstone.server.thrift._service import Encoding
from rowstone.server.thrift.codec.binary import STRICT, Binary
from rowstone.server.thrift.codec.compact import PROTOCOL, Compact
from rowstone.server.thrift.codec.source import Source
from rowstone.server.thrift.codec.types import Malformed

BINARY = Binary()
COMPACT = Compact()
ENCODINGS: tuple[Encoding, ...] = (BINARY, COMPACT)
_FIRST_OF_HTTP = frozenset(b"GHPODTC")
_BEHIND_LENGTH = 4


@dataclass(frozen=True)
class Spoken:
    """The protocol of a connection; over HTTP each request states its encoding."""

    framed: bool = False
    http: bool = False
    encoding: Encoding | None = None


def told_by(source: Source) -> Spoken:
    """Detect the protocol from the first bytes, which stay in the source. Raises `Malformed`."""
    first = source.peek(1)[0]
    if first == STRICT:
        return Spoken(encoding=BINARY)
    if first == PROTOCOL:
        return Spoken(encoding=COMPACT)
    if first in _FIRST_OF_HTTP:
        return Spoken(http=True)
    behind = source.peek(_BEHIND_LENGTH + 1)[_BEHIND_LENGTH]
    if behind == PROTOCOL:
        return Spoken(framed=True, encoding=COMPACT)
    if behind in (STRICT, 0):
        return Spoken(framed=True, encoding=BINARY)
    if chr(behind).isalpha() and behind < 0x80:
        return Spoken(encoding=BINARY)
    raise Malformed("the first bytes match no Thrift encoding")


def encoding_of(body: bytes) -> Encoding:
    """The encoding of a complete message."""
    return COMPACT if body[:1] == bytes([PROTOCOL]) else BINARY
