"""Sight: what a database and its server do, for people and for programs that watch them.

```python
with rs.serve("./crawl", info_port=16010) as server:    # pages at http://127.0.0.1:16010/
    ...
```

``/metrics`` and ``/prometheus`` are for Prometheus, ``/jmx`` for what reads HBase's; ``/health`` and ``/ready`` for
supervisors. It needs the extra ``gateways``.
"""

from rowstone.sight._serve import Sight, serve

__all__ = ["Sight", "serve"]
