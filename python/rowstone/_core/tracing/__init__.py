"""OpenTelemetry spans of database operations, named as in HBase 2.6. Off by default.

```python
with rs.connect("./crawl", tracing=True) as db:      # pip install 'rowstone[tracing]', and a provider of spans
    db.table("t").put("row", {"f:q": "value"})       # PUT default:t
```

Only OpenTelemetry's API is needed. Sampling and export of spans are up to the program: docs/how-to/tracing.md.

| module | duty |
|---|---|
| `_names` | names and attributes, as HBase has them |
| `_tracing` | spans of one database |
| `_table` | a table whose calls are spans |
| `_lasting` | scanners and writers: spans that last until they are closed |
| `_served` | calls of a server's RPC, reported when they are done |
"""

from rowstone._core.tracing._tracing import Tracing, tracing_of

__all__ = ["Tracing", "tracing_of"]
