"""HBase's own REST server still answers what is recorded of it, and what our gateway is held to.

`tests/rest/test_as_hbase.py` compares our answers with the same record.
"""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.hbase.cluster.rest import RestServer
from tests.hbase.cluster.server import StandaloneHBase
from tests.rest.cases import SESSIONS, table_of
from tests.rest.record import recorded
from tests.rest.session import Step, run

WITHOUT_PREFERENCE = (None, "*/*", "application/*", "text/*", "image/png, */*;q=0.1")
"""For a client that accepts several forms HBase selects one; after a restart it may be another."""

BYTES_OF_A_ROW = 400
"""HBase's answer if a row was requested and HBase selected bytes, which hold a single cell (RowResource.getBinary)."""


@pytest.fixture(scope="module")
def server(hbase: StandaloneHBase) -> Iterator[RestServer]:
    """The REST server of an HBase whose region server has reported its regions."""
    with RestServer(hbase) as rest:
        end = time.monotonic() + 60
        while not any(node.get("Region") for node in live_nodes(rest.port)):
            assert time.monotonic() < end, "the region server tells of no region"
            time.sleep(0.2)
        yield rest


def live_nodes(port: int) -> list[dict[str, Any]]:
    """The servers that the master knows."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/status/cluster", headers={"Accept": "application/json"})
    with urllib.request.urlopen(request) as answer:
        found: list[dict[str, Any]] = json.load(answer)["LiveNodes"]
    return found


def statuses(step: Step, expected: int) -> tuple[int, ...]:
    """Possible answers of HBase to a step without preference: a path without a column has no answer in bytes."""
    whole_row = step.method == "GET" and step.path.count("/") == 2
    return (expected, BYTES_OF_A_ROW) if whole_row else (expected,)


@pytest.mark.parametrize("name", SESSIONS)
def test_hbase_answers_as_recorded(server: RestServer, name: str) -> None:
    answers = run(server.port, SESSIONS[name], table_of(name))
    for step, answer, expected in zip(SESSIONS[name], answers, recorded()[name], strict=True):
        if step.accept in WITHOUT_PREFERENCE:
            assert answer["status"] in statuses(step, expected["status"]), step
        else:
            assert answer == expected, step
