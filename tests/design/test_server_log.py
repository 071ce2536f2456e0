"""Five keys for a log of our own server: what the simulator predicts from a sample, and what a load then shows.

`make design-full` logs 300,000 requests and takes every tenth as the sample; otherwise a few, all of them.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import pytest

from rowstone.keys import parse_key
from rowstone.schema import design
from tests.design.loads import check
from tests.design.server_log import server_log

COUNT = int(os.environ.get("ROWSTONE_DESIGN_REQUESTS", "2000"))
EVERY = int(os.environ.get("ROWSTONE_DESIGN_EVERY", "1"))

KEYS = {
    name: parse_key(text)
    for name, text in {
        "time first": "time('at'), text('host'), int64('seq')",
        "salted": "salt(8), time('at'), text('host'), int64('seq')",
        "host first": "text('host'), time('at'), int64('seq')",
        "event first": "text('event'), reverse_time('at'), int64('seq')",
        "hashed host": "md5_prefix(2, of='host'), text('host'), text('event'), time('at'), int64('seq')",
    }.items()
}


@cache
def simulated() -> tuple[list[dict[str, Any]], design.Simulation]:
    """The log, and the prediction from every n-th line."""
    lines = server_log(COUNT)
    first, last = (lines[len(lines) * part // 3]["at"] for part in (1, 2))
    queries: dict[str, dict[str, Any]] = {
        "a client": {"host": "client00"},
        "a client, a third of the time": {"host": "client00", "at": (first, last)},
        "all, a third of the time": {"at": (first, last)},
        "all gets": {"event": "get"},
    }
    return lines, design.simulate(KEYS, lines[::EVERY], queries=queries)


@pytest.mark.parametrize("name", KEYS)
def test_a_load_of_the_log_shows_what_was_predicted(name: str) -> None:
    lines, found = simulated()
    assert len({line["event"] for line in lines}) == 4
    check(found[name], lines, EVERY)
