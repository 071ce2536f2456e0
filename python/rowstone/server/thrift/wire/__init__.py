"""Network layer: sockets, threads, and detection of a connection's protocol.

```text
server     listens; a thread for each connection; limits; a clean stop
stream     bytes of a connection, with timeouts
greeting   detection of transport and encoding
messages   calls of a connection in sequence, framed or not
http       the same, as bodies of HTTP requests
```
"""
