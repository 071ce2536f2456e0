"""The metrics of a real HBase, recorded in `hbase_names.txt`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

RECORDED = Path(__file__).parent / "hbase_names.txt"


@dataclass(frozen=True)
class HBaseMetric:
    """A metric of HBase: its bean, its name, whether it is a histogram, its name in Prometheus."""

    bean: str
    name: str
    is_histogram: bool
    prometheus: str


def recorded() -> list[HBaseMetric]:
    """Return all recorded metrics."""
    lines = [line.split() for line in RECORDED.read_text().splitlines() if not line.startswith("#")]
    return [HBaseMetric(line[0], line[1], "histogram" in line, line[-1]) for line in lines]
