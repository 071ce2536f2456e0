"""Thrift's type and message numbers, and limits that both encodings enforce.

Source: Apache Thrift's binary and compact protocol specifications.
"""

STOP = 0
BOOL = 2
BYTE = 3
DOUBLE = 4
I16 = 6
I32 = 8
I64 = 10
STRING = 11
STRUCT = 12
MAP = 13
SET = 14
LIST = 15

CALL = 1
REPLY = 2
EXCEPTION = 3
ONEWAY = 4

MOST_DEPTH = 64
"""Maximum nesting of structs and containers; the same as in Apache Thrift."""

ELEMENT_BYTES = 48
"""Cost of a container element against the message's limit, in addition to its bytes: it becomes an object."""


class Malformed(Exception):
    """An invalid message, or one over a limit. The connection is closed, since the next message cannot be found."""


class Closed(Exception):
    """The other end has closed the connection between two messages."""
