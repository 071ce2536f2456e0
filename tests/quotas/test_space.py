"""Limits on space: tables refuse what they forbid as soon as files take more, and take it again when they take less."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors

LIMITING = "org.apache.hadoop.hbase.quotas.SpaceLimitingException"
SETTINGS = {"hbase.quota.enabled": True}


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:", configuration=SETTINGS) as database:
        database.admin.namespaces.create("ns")
        for name in ("ns:t", "ns:u", "other"):
            database.create_table(name, ["f"])
        yield database


def fill(db: rs.Database, name: str, rows: int = 50) -> int:
    """Writes a file; the table's bytes."""
    table = db.table(name)
    for row in range(rows):
        table.put(f"{row:04}", {"f:q": "x" * 100})
    db.admin.flush(name)
    return db.admin.quotas.space_sizes()[name]


WRITES: dict[str, Callable[[rs.Table], object]] = {
    "Puts": lambda table: table.put("r", {"f:q": "v"}),
    "Increments": lambda table: table.increment("r", {"f:n": 1}),
    "Appends": lambda table: table.append("r", {"f:s": "v"}),
    "Deletes": lambda table: table.delete("r"),
}


def refused(db: rs.Database, name: str) -> dict[str, str]:
    """The message of each kind of refused write."""
    told: dict[str, errors.QuotaExceeded] = {}
    for what, write in WRITES.items():
        try:
            write(db.table(name))
        except errors.QuotaExceeded as error:
            told[what] = error
    assert {error.remote_class for error in told.values()} <= {LIMITING}
    return {what: str(error) for what, error in told.items()}


@pytest.mark.parametrize(
    ("policy", "kinds"),
    [
        ("NO_INSERTS", ["Puts", "Increments", "Appends"]),
        ("NO_WRITES", ["Puts", "Increments", "Appends", "Deletes"]),
        ("NO_WRITES_COMPACTIONS", ["Puts", "Increments", "Appends", "Deletes"]),
    ],
)
def test_a_flush_that_passes_the_limit_ends_writes(db: rs.Database, policy: str, kinds: list[str]) -> None:
    size = fill(db, "ns:t")
    db.admin.quotas.set("SPACE", size, policy=policy, table="ns:t")
    assert refused(db, "ns:t") == {}, "as much as the limit is not more"
    db.admin.flush("ns:t")
    told = refused(db, "ns:t")
    assert list(told) == kinds
    assert told["Puts"] == f"{policy} Puts are disallowed due to a space quota."
    assert refused(db, "ns:u") == {}
    assert len(list(db.table("ns:t").scan())) >= 50
    [use] = db.admin.quotas.space_uses()
    assert (use.table, use.limit_bytes, use.policy) == ("ns:t", size, policy)
    assert use.usage_bytes == db.admin.quotas.space_sizes()["ns:t"] > size


def test_more_room_lets_writes_go_on(db: rs.Database) -> None:
    db.admin.quotas.set("SPACE", 1, policy="NO_WRITES", table="ns:t")
    fill(db, "ns:t")
    assert refused(db, "ns:t")
    db.admin.quotas.set("SPACE", 1 << 30, policy="NO_WRITES", table="ns:t")
    assert refused(db, "ns:t") == {}
    db.admin.quotas.set("SPACE", 1, policy="NO_WRITES", table="ns:t")
    assert refused(db, "ns:t")
    db.admin.quotas.set("SPACE", None, table="ns:t")
    assert refused(db, "ns:t") == {}
    assert db.admin.quotas.space_uses() == []


def test_a_compaction_that_makes_room_lets_writes_go_on(db: rs.Database) -> None:
    fill(db, "ns:t")
    one = fill(db, "ns:t") // 2
    db.admin.quotas.set("SPACE", one + one // 2, policy="NO_WRITES", table="ns:t")
    assert refused(db, "ns:t")
    db.admin.major_compact("ns:t")
    assert refused(db, "ns:t") == {}


def test_a_batch_does_what_is_allowed(db: rs.Database) -> None:
    fill(db, "ns:t")
    db.admin.quotas.set("SPACE", 1, policy="NO_INSERTS", table="ns:t")
    table = db.table("ns:t")
    put, delete = table.multi([rs.Put("new", {"f:q": "v"}), rs.Delete("0001")])
    assert isinstance(put, errors.QuotaExceeded)
    assert not isinstance(delete, Exception)
    assert not table.exists("new")
    assert not table.exists("0001")


def test_a_namespace_limits_all_its_tables_and_new_ones(db: rs.Database) -> None:
    size = fill(db, "ns:t") + fill(db, "ns:u")
    db.admin.quotas.set("SPACE", size - 1, policy="NO_WRITES", namespace="ns")
    db.create_table("ns:v", ["f"])
    assert all(refused(db, name) for name in ("ns:t", "ns:u", "ns:v"))
    assert refused(db, "other") == {}
    uses = {use.table: use.usage_bytes for use in db.admin.quotas.space_uses()}
    assert uses == {"ns:t": size, "ns:u": size, "ns:v": size}
    db.drop_table("ns:u", force=True)
    assert refused(db, "ns:t") == {}


def test_a_tables_own_violation_counts_before_its_namespaces(db: rs.Database) -> None:
    fill(db, "ns:t")
    db.admin.quotas.set("SPACE", 1, policy="NO_WRITES", namespace="ns")
    db.admin.quotas.set("SPACE", 1, policy="NO_INSERTS", table="ns:t")
    assert refused(db, "ns:t")["Puts"].startswith("NO_INSERTS ")
    db.admin.quotas.set("SPACE", 1 << 30, policy="NO_INSERTS", table="ns:t")
    assert refused(db, "ns:t")["Puts"].startswith("NO_WRITES ")


def test_a_table_is_disabled_and_enabled(db: rs.Database) -> None:
    db.admin.quotas.set("SPACE", 1, policy="DISABLE", table="ns:t")
    fill(db, "ns:t")
    assert not db.admin.tables.is_enabled("ns:t")
    with pytest.raises(errors.TableNotEnabled):
        db.table("ns:t").get("0001")
    with pytest.raises(
        errors.AccessDenied, match="Enabling the table 'ns:t' is disallowed due to a violated space quota"
    ):
        db.admin.enable_table("ns:t")
    db.admin.quotas.set("SPACE", None, table="ns:t")
    assert db.admin.tables.is_enabled("ns:t")
    assert db.table("ns:t").get("0001")


def test_a_bulk_load_that_does_not_fit_is_refused(db: rs.Database, tmp_path: Path) -> None:
    fill(db, "other", rows=500)
    [file] = db.admin.tables.export_hfiles("other", tmp_path)
    db.admin.quotas.set("SPACE", file.size_bytes - 1, policy="NO_WRITES", table="ns:t")
    with pytest.raises(errors.QuotaExceeded, match="exceed the limits of a space quota") as told:
        db.admin.tables.bulk_load("ns:t", {"f": [file.path]})
    assert str(told.value).startswith("BulkLoadVerifying Bulk load of [")
    assert db.admin.tables.store_files("ns:t") == []
    db.admin.quotas.set("SPACE", 2 * file.size_bytes, policy="NO_WRITES", table="ns:t")
    assert db.admin.tables.bulk_load("ns:t", {"f": [file.path]})


def test_snapshots_count_towards_space_quotas(db: rs.Database) -> None:
    db.admin.quotas.set("SPACE", 1 << 30, policy="NO_WRITES", table="ns:t")
    size = fill(db, "ns:t")
    db.admin.snapshot("s1", "ns:t")
    db.admin.snapshot("s2", "ns:t")
    assert db.admin.quotas.snapshot_sizes() == {"s1": 0, "s2": 0}
    fill(db, "ns:t", rows=60)
    db.admin.major_compact("ns:t")
    # Both need the deleted file; it counts for the first.
    assert db.admin.quotas.snapshot_sizes() == {"s1": size, "s2": 0}
    [use] = db.admin.quotas.space_uses()
    assert use.usage_bytes == db.admin.quotas.space_sizes()["ns:t"] + size
    db.admin.snapshots.delete("s1")
    assert db.admin.quotas.snapshot_sizes() == {"s2": size}


def test_a_violation_is_there_after_a_restart(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db", configuration=SETTINGS) as db:
        db.create_table("t", ["f"])
        db.admin.quotas.set("SPACE", 1, policy="NO_INSERTS", table="t")
        fill(db, "t")
        uses = db.admin.quotas.space_uses()
    with rs.connect(tmp_path / "db", configuration=SETTINGS) as db:
        assert list(refused(db, "t")) == ["Puts", "Increments", "Appends"]
        assert db.admin.quotas.space_uses() == uses
    with rs.connect(tmp_path / "db") as db:
        assert refused(db, "t") == {}


def test_clients_receive_hbases_space_quota_errors() -> None:
    with rs.testing.server(configuration=SETTINGS) as url, rs.connect(url) as client:
        client.create_table("t", ["f"])
        client.admin.quotas.set("SPACE", 1, policy="NO_WRITES_COMPACTIONS", table="t")
        fill(client, "t")
        assert list(refused(client, "t")) == ["Puts", "Increments", "Appends", "Deletes"]
        [use] = client.admin.quotas.space_uses()
        assert use.policy == "NO_WRITES_COMPACTIONS"
        [server] = client.admin.servers.status().servers
        assert client.admin.quotas.space_use_on(server.name) == [use]
        with pytest.raises(errors.RowstoneError, match="Compactions on this region are disabled"):
            client.admin.major_compact("t")
