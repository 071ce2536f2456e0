"""Every metric of HBase that was looked at: the one list from which the endpoints and ``docs/metrics.md`` are made."""

from __future__ import annotations

from rowstone.sight.metrics import _ipc, _others, _server
from rowstone.sight.metrics._metric import Metric

METRICS: tuple[Metric, ...] = (*_server.metrics(), *_ipc.metrics(), *_others.metrics())
