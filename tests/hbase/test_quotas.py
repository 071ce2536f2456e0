"""Quotas on a real HBase and on our server: the same calls leave the same bytes in ``hbase:quota``, the same lists, the
same verdicts and errors."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

import rowstone as rs
from rowstone import errors
from tests.hbase.cluster.server import StandaloneHBase
from tests.quotas.record import REFRESH_SECONDS, SETTINGS
from tests.quotas.walk import KINDS, OPERATIONS, recorded, walk

PATIENCE_SECONDS = 40


@pytest.fixture(scope="module")
def hbase() -> Iterator[rs.Database]:
    with (
        StandaloneHBase(servers=1, heap="512m", settings=SETTINGS) as server,
        rs.connect(server.url, operation_timeout_ms=5_000) as db,
    ):
        yield db


@pytest.fixture
def ours() -> Iterator[rs.Database]:
    with (
        rs.testing.server(configuration={"hbase.quota.enabled": True}) as url,
        rs.connect(url, operation_timeout_ms=5_000) as db,
    ):
        yield db


def both(hbase: rs.Database, ours: rs.Database, call: Callable[[rs.Database], object]) -> None:
    """Do the same on both; errors must have the same class and the same message."""
    told = []
    for db in (hbase, ours):
        try:
            call(db)
            told.append("")
        except errors.RowstoneError as error:
            told.append(str(error).rpartition("Exception: ")[2].splitlines()[0])
    assert told[0] == told[1]


def cells(db: rs.Database) -> list[tuple[bytes, bytes, bytes]]:
    """The limits stored in ``hbase:quota``."""
    scan = db.table("hbase:quota").scan(columns=["q"])
    return [(row.key, cell.qualifier, cell.value) for row in scan for cell in row.cells]


CHANGES: list[Callable[[rs.Database], object]] = [
    lambda db: db.admin.quotas.set("REQUEST_NUMBER", 10, user="bob"),
    lambda db: db.admin.quotas.set("READ_SIZE", 10 << 20, unit="MINUTES", user="bob"),
    lambda db: db.admin.quotas.set("REQUEST_SIZE", 5 << 10, unit="HOURS", user="bob", table="q"),
    lambda db: db.admin.quotas.set("WRITE_NUMBER", 1, unit="DAYS", user="bob", namespace="nq", scope="CLUSTER"),
    lambda db: db.admin.quotas.set("ATOMIC_WRITE_SIZE", 99, user="bob"),
    lambda db: db.admin.quotas.set("REQUEST_HANDLER_USAGE_MS", 99, table="q"),
    lambda db: db.admin.quotas.set("READ_CAPACITY_UNIT", 7, table="q"),
    lambda db: db.admin.quotas.set("SPACE", 1 << 40, policy="NO_INSERTS", table="q"),
    lambda db: db.admin.quotas.set("SPACE", 2 << 40, policy="NO_WRITES_COMPACTIONS", table="q"),
    lambda db: db.admin.quotas.set("SPACE", 3 << 40, policy="DISABLE", namespace="nq"),
    lambda db: db.admin.quotas.set("GLOBAL_BYPASS", True, user="carl"),
    lambda db: db.admin.switches.set("exceed_throttle_quota", True),
    lambda db: db.admin.quotas.set("READ_NUMBER", 30_000, server="all"),
    lambda db: db.admin.switches.set("exceed_throttle_quota", True),
    lambda db: db.admin.quotas.set("WRITE_NUMBER", 30_000, unit="MINUTES", server="all"),
    lambda db: db.admin.switches.set("exceed_throttle_quota", True),
    lambda db: db.admin.quotas.set("WRITE_NUMBER", 30_000, server="all"),
    lambda db: db.admin.switches.set("exceed_throttle_quota", True),
    lambda db: db.admin.switches.set("exceed_throttle_quota", False),
    lambda db: db.admin.quotas.set("GLOBAL_BYPASS", False, user="carl"),
    lambda db: db.admin.quotas.set("READ_SIZE", None, user="bob"),
    lambda db: db.admin.quotas.set("SPACE", None, table="q"),
    lambda db: db.admin.quotas.set(None, None, user="bob", table="q"),
    lambda db: db.admin.quotas.set(None, None, user="bob"),
    lambda db: db.drop_table("q", force=True),
    lambda db: db.admin.namespaces.drop("nq"),
    lambda db: db.admin.quotas.set(None, None, server="all"),
]


def test_the_same_calls_leave_the_same_bytes(hbase: rs.Database, ours: rs.Database) -> None:
    for db in (hbase, ours):
        db.create_table("q", ["f"])
        db.admin.namespaces.create("nq")
    for number, change in enumerate(CHANGES):
        both(hbase, ours, change)
        assert cells(ours) == cells(hbase), number
        assert ours.admin.quotas.list() == hbase.admin.quotas.list(), number


def test_every_operation_passes_as_often_as_was_recorded(hbase: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries a few operations; ``python -m tests.quotas.record`` tries all."""
    monkeypatch.setattr("tests.quotas.walk.KINDS", KINDS[:1])
    names = ("get", "increment", "two puts and a get", "scan")
    monkeypatch.setattr("tests.quotas.walk.OPERATIONS", {name: OPERATIONS[name] for name in names})
    found = walk(hbase, settle=lambda table: time.sleep(REFRESH_SECONDS))
    expected = recorded()
    assert found == {name: {kind: expected[name][kind] for kind in KINDS[:1]} for name in names}


def refusal(db: rs.Database, table: str) -> tuple[str | None, str]:
    """The message of a put, once it is refused."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            db.table(table).put("r", {"f:q": "v"})
        except errors.RowstoneError as error:
            return error.remote_class, str(error)
        assert time.monotonic() < end
        time.sleep(0.2)


@pytest.mark.parametrize("policy", ["NO_INSERTS", "NO_WRITES_COMPACTIONS"])
def test_space_quotas_refuse_with_the_same_error(hbase: rs.Database, ours: rs.Database, policy: str) -> None:
    told = []
    for db in (hbase, ours):
        name = f"full_{policy.lower()}"
        db.create_table(name, ["f"])
        db.admin.quotas.set("SPACE", 1, policy=policy, table=name)
        db.table(name).put("r", {"f:q": "v"})
        db.admin.flush(name)
        told.append(refusal(db, name))
        [use] = [use for use in db.admin.quotas.space_uses() if use.table == name]
        assert (use.limit_bytes, use.policy) == (1, policy)
        assert use.usage_bytes == db.admin.quotas.space_sizes()[name] > 0
        db.drop_table(name, force=True)
    assert told[0] == told[1]
