"""How calls come: sockets and threads, and what the first bytes of a connection say about all that follow.

```text
server     listens; a thread for each connection; limits; a clean stop
stream     bytes of a connection, with patience
greeting   which transport and encoding a connection speaks
messages   calls of a connection, one after the other: framed or not
http       the same, as bodies of HTTP requests
```
"""
