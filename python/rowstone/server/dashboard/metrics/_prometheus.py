"""Prometheus text format, with names converted as HBase does. Source: HBase's ``PrometheusHadoopServlet``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from rowstone.server.dashboard.metrics._values import Value

# Between a lower-case and a capital letter, before the last of several capitals, at other characters.
_SPLIT = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|\W|_+")


def name_of(record: str, metric: str) -> str:
    """HBase's Prometheus name of a metric.

    >>> name_of("Server", "blockCacheHitCount"), name_of("Server", "Get_99.9th_percentile")
    ('server_block_cache_hit_count', 'server_get_99_9th_percentile')
    >>> name_of("IPC", "exceptions.RegionTooBusyException")
    'ipc_exceptions_region_too_busy_exception'
    """
    parts = _SPLIT.split(record + metric[0].upper() + metric[1:])
    return "_".join(parts).lower().rstrip("_")


def lines_of(
    record: str, labels: Mapping[str, str], values: Iterable[Value], *, described: bool = False
) -> Iterator[str]:
    """A ``TYPE`` line and a sample for each value; with ``described``, a ``HELP`` line before them."""
    shown = labels_of(labels)
    for value in values:
        name = name_of(record, value.name)
        if described:
            yield f"# HELP {name} {value.says}"
        yield f"# TYPE {name} {'counter' if value.is_counter else 'gauge'}"
        yield f"{name}{shown} {value.number}"


def labels_of(labels: Mapping[str, str]) -> str:
    """Format labels in braces.

    >>> labels_of({"table": 'a"b'})
    '{table="a\\\\"b"}'
    """
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
