"""Thrift's encodings: binary and compact.

Our own, not thriftpy2's: its decoders trust the lengths that a message declares (they run an empty loop two
billion times for ten bytes of input, in C and holding the interpreter lock), and its compact decoder has no
limit of nesting. A gateway must handle input from any client.

```text
types     numbers of types and messages, limits, errors of messages
source    incoming bytes: a buffer, and the function that fetches more
binary    i32 lengths, big-endian numbers
compact   varints, zig-zag, field numbers as differences
```
"""
