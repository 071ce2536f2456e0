"""Monitoring: metrics, health and web pages of a database and its server.

```python
with rs.serve("./crawl", info_port=16010) as server:    # pages at http://127.0.0.1:16010/
    ...
```

``/metrics`` and ``/prometheus`` are for Prometheus, ``/jmx`` for tools that read HBase's; ``/health`` and
``/ready`` for supervisors. `explore` serves the pages with the data of tables only. Requires the extra ``gateways``.
"""

from rowstone.server.dashboard._serve import Dashboard, explore, serve

__all__ = ["Dashboard", "explore", "serve"]
