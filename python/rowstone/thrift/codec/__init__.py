"""Thrift's encodings: binary and compact.

Written here, and not thriftpy2's: its decoders believe what lengths a message names (they go round an empty loop two
thousand million times for ten bytes of input, in C and with the interpreter's lock), and its compact one knows no
limit of nesting. A gateway reads what anybody sends.

```text
types     numbers of types and messages, limits, what is wrong with a message
source    bytes that come: what is there, and more where it comes from
binary    i32 lengths, big-endian numbers
compact   varints, zig-zag, field numbers as differences
```
"""
