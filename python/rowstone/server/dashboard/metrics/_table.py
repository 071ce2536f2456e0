"""All HBase metrics that were considered: the source of the endpoints and of ``docs/reference/metrics.md``."""

from __future__ import annotations

from rowstone.server.dashboard.metrics import _ipc, _others, _server
from rowstone.server.dashboard.metrics._metric import Metric

METRICS: tuple[Metric, ...] = (*_server.metrics(), *_ipc.metrics(), *_others.metrics())
