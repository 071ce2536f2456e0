"""The shell on a real HBase: what our client writes and reads there shows as the recordings of HBase's own shell do."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.shell import execute, loop
from rowstone.shell.session import Session
from tests.shell.transcript import recorded, typed_into

CLUSTER_DIFFERENCES = {
    "dml": {
        r"put 't', 'r1', '(?::a)?', 'v'": "the call is refused before it is sent",
        r"put 't', 'r1', 'f:a', 'v', 'notanumber'": "a message of JRuby",
        r"get 't', 'r1', 'f:a:bogus'|get 't', 'r1', \{FORMATTER => 'bogus'\}": "a message of JRuby",
        r"scan 't', \{LIMIT => 1, ALL_METRICS => true\}": "metrics are not asked for",
    },
    "snapshots": {},
}
"""By recording: what was typed, and why the answer differs on a cluster."""


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("name", sorted(CLUSTER_DIFFERENCES))
def test_the_shell_answers_on_a_cluster_as_hbases(cluster: rs.Database, name: str) -> None:
    theirs = recorded(f"{name}.txt")
    ours = typed_into(cluster, theirs)
    for before, after in zip(theirs, ours, strict=True):
        if not any(re.fullmatch(pattern, before.typed) for pattern in CLUSTER_DIFFERENCES[name]):
            assert after.answer == before.answer, before.typed


def test_servers_and_regions_of_a_cluster(cluster: rs.Database, table: rs.Table) -> None:
    assert re.match(r"1 active master, 0 backup masters, 2 servers, 0 dead, ", execute(cluster, "status"))
    servers = execute(cluster, "list_liveservers").splitlines()[1:3]
    assert all(re.fullmatch(r"localhost,\d+,\d{13}", server) for server in servers)
    assert servers[0].split(",")[1] in execute(cluster, "status 'simple'")
    shown = execute(cluster, f"list_regions '{table.name}'")
    assert f"| {table.name},," in shown
    assert re.search(r"localhost:\d+ +\{ENCODED => ", execute(cluster, f"locate_region '{table.name}', 'r'"))
    assert "Previous balancer state : " in execute(cluster, "balance_switch true")


def test_what_is_not_asked_of_a_cluster_says_so(cluster: rs.Database) -> None:
    out = io.StringIO()
    assert loop.run_text(Session(cluster, out), "list_peers\nzk_dump\nnormalizer_enabled") == 0
    assert out.getvalue().count("this client does not ask a cluster for that yet") >= 2
