"""Thrift's numbers of types and messages, and what both encodings refuse.

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
"""How deep structs and containers may be in each other; as in Apache Thrift."""

ELEMENT_BYTES = 48
"""What an element of a container counts against a message's limit, beside its bytes: it becomes an object."""


class Malformed(Exception):
    """A message that is none, or one beyond a limit. The connection is closed: nobody knows where the next begins."""


class Closed(Exception):
    """The other end has gone, between two messages."""
