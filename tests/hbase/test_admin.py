"""Administration of a real cluster: the change is in effect when the call returns."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone import errors


def fill(table: rs.Table, count: int = 100) -> None:
    with table.batch() as batch:
        for number in range(count):
            batch.put(f"{number:04}", {"f:a": str(number)})


def rows(table: rs.Table) -> int:
    return sum(1 for _ in table.scan())


def test_a_table_is_made_changed_and_removed(cluster: rs.Database) -> None:
    admin = cluster.admin
    assert admin.create_table("made", {"f": rs.Family(max_versions=3, ttl_seconds=3600)}, splits=["m"])
    assert not admin.create_table("made", ["f"], if_not_exists=True)
    with pytest.raises(errors.TableExists):
        admin.create_table("made", ["f"])
    assert "made" in admin.tables.list()
    assert [(region.start_key, region.end_key) for region in admin.regions.list("made")] == [(b"", b"m"), (b"m", b"")]
    schema = admin.describe("made")
    assert schema.families[b"f"].max_versions == 3
    assert schema.families[b"f"].to_attributes()["TTL"] == "3600"
    admin.alter_table("made", families={"f": {"max_versions": 5}, "g": {}}, attributes={"OWNER": "me"})
    schema = admin.describe("made")
    assert schema.families[b"f"].max_versions == 5
    assert set(schema.families) == {b"f", b"g"}
    assert schema.attributes["OWNER"] == "me"
    admin.alter_table("made", remove=["g"], attributes={"OWNER": None})
    assert set(admin.describe("made").families) == {b"f"}
    assert "OWNER" not in admin.describe("made").attributes
    with pytest.raises(errors.TableNotDisabled):
        admin.drop_table("made")
    admin.disable_table("made")
    assert not admin.tables.is_enabled("made")
    with pytest.raises(errors.TableNotEnabled):
        admin.disable_table("made")
    admin.enable_table("made")
    with pytest.raises(errors.TableNotDisabled):
        admin.enable_table("made")
    cluster.drop_table("made", force=True)
    assert not admin.tables.exists("made")
    assert not admin.tables.exists("missing_namespace:made")
    for call in (admin.describe, admin.tables.is_enabled, admin.drop_table, admin.enable_table, admin.regions.list):
        with pytest.raises(errors.TableNotFound):
            call("made")


def test_truncation_preserves_splits_on_request(cluster: rs.Database) -> None:
    cluster.create_table("full", ["f"], splits=["0050"])
    fill(cluster.table("full"))
    cluster.admin.disable_table("full")
    cluster.admin.truncate_table("full", preserve_splits=True)
    assert (rows(cluster.table("full")), len(cluster.admin.regions.list("full"))) == (0, 2)
    cluster.admin.disable_table("full")
    cluster.admin.truncate_table("full")
    assert len(cluster.admin.regions.list("full")) == 1
    cluster.drop_table("full", force=True)


def test_namespaces_are_created_altered_and_dropped(cluster: rs.Database) -> None:
    admin = cluster.admin
    admin.namespaces.create("own", {"a": "b"})
    with pytest.raises(errors.NamespaceExists):
        admin.namespaces.create("own")
    assert "own" in admin.namespaces.list()
    admin.namespaces.alter("own", set={"c": "d"}, unset=["a"])
    assert admin.namespaces.describe("own") == {"c": "d"}
    cluster.create_table("own:t", ["f"])
    cluster.table("own:t").put("r", {"f:a": "1"})
    assert cluster.table("own:t").get("r")["f:a"] == b"1"
    assert admin.tables.list("own") == ["own:t"]
    with pytest.raises(errors.NamespaceNotEmpty):
        admin.namespaces.drop("own")
    cluster.drop_table("own:t", force=True)
    admin.namespaces.drop("own")
    assert "own" not in admin.namespaces.list()
    with pytest.raises(errors.NamespaceNotFound):
        cluster.create_table("own:t", ["f"])


def test_flush_and_compaction(cluster: rs.Database, table: rs.Table) -> None:
    for _ in range(3):
        fill(table)
        cluster.admin.flush(table.name)
    table.delete("0000")
    cluster.admin.flush(table.name)
    assert any(cell.type.startswith("Delete") for row in table.scan(raw=True, versions=9) for cell in row.cells)
    cluster.admin.major_compact(table.name)
    assert not any(cell.type.startswith("Delete") for row in table.scan(raw=True, versions=9) for cell in row.cells)
    cluster.admin.compact(table.name, "f")
    [region] = cluster.admin.regions.list(table.name)
    cluster.admin.regions.flush(region)
    cluster.admin.regions.compact(region.encoded_name, "f", major=True)
    assert rows(table) == 99
    with pytest.raises(errors.UnsupportedOperation):
        cluster.admin.tables.store_files(table.name)


def test_regions_are_split(cluster: rs.Database, table: rs.Table) -> None:
    fill(table)
    [region] = cluster.admin.regions.list(table.name)
    cluster.admin.regions.split(region, "0030")
    halves = cluster.admin.regions.list(table.name)
    assert [half.start_key for half in halves] == [b"", b"0030"]
    assert rows(table) == 100
    assert table.get("0061")["f:a"] == b"61"
    with pytest.raises(errors.RegionNotFound):
        cluster.admin.regions.split("0123456789abcdef0123456789abcdef", "x")
    with pytest.raises(errors.RowstoneError):
        cluster.admin.regions.split(halves[0], "9999")


def test_regions_are_merged(cluster: rs.Database) -> None:
    cluster.create_table("merged", ["f"], splits=["0030", "0060"])
    table = cluster.table("merged")
    fill(table)
    parts = cluster.admin.regions.list("merged")
    with pytest.raises(errors.InvalidArgument):
        cluster.admin.regions.merge(parts[:1])
    cluster.admin.regions.merge([parts[0], parts[1].encoded_name])
    assert [part.start_key for part in cluster.admin.regions.list("merged")] == [b"", b"0060"]
    assert rows(table) == 100
    assert [row.key for row in table.get_many(["0010", "0040", "0090"])] == [b"0010", b"0040", b"0090"]
    cluster.drop_table("merged", force=True)


def test_regions_move(cluster: rs.Database, table: rs.Table) -> None:
    fill(table)
    before = cluster.admin.switches.set("balancer", False)
    [place] = cluster.admin.regions.locations(table.name)
    names = {server.name for server in cluster.admin.servers.status().servers}
    assert place.server in names
    for other in sorted(names) * 2:
        cluster.admin.regions.move(place.region, other)
        assert cluster.admin.regions.locations(table.name)[0].server == other
        assert rows(table) == 100
        assert table.increment("n", "f:n") >= 1
        table.delete("n")
    with pytest.raises(errors.InvalidArgument, match="no server"):
        cluster.admin.regions.move(place.region, "nowhere:1")
    cluster.admin.regions.unassign(place.region)
    cluster.admin.regions.assign(place.region)
    assert rows(table) == 100
    cluster.admin.switches.set("balancer", before)


def test_snapshots_are_cloned_restored_and_deleted(cluster: rs.Database, table: rs.Table) -> None:
    admin = cluster.admin
    fill(table)
    admin.snapshot("snap", table.name)
    with pytest.raises(errors.SnapshotExists):
        admin.snapshot("snap", table.name)
    with pytest.raises(errors.TableNotFound):
        admin.snapshot("other", "missing")
    [snapshot] = [each for each in admin.snapshots.list() if each.name == "snap"]
    assert snapshot.table == table.name
    table.delete("0001")
    admin.snapshots.clone("snap", "cloned")
    assert rows(cluster.table("cloned")) == 100
    with pytest.raises(errors.TableExists):
        admin.snapshots.clone("snap", "cloned")
    with pytest.raises(errors.TableNotDisabled):
        admin.snapshots.restore("snap")
    assert rows(table) == 99
    admin.disable_table(table.name)
    admin.snapshots.restore("snap")
    admin.enable_table(table.name)
    assert rows(table) == 100
    admin.snapshots.delete("snap")
    for call in (admin.snapshots.delete, admin.snapshots.restore):
        with pytest.raises(errors.SnapshotNotFound):
            call("snap")
    with pytest.raises(errors.SnapshotNotFound):
        admin.snapshots.clone("snap", "again")
    cluster.drop_table("cloned", force=True)


def test_status_and_statistics(cluster: rs.Database) -> None:
    status = cluster.admin.servers.status()
    assert status.hbase_version.startswith("2.")
    assert len(status.servers) == 2
    assert status.master.startswith("localhost,")
    assert status.regions_in_transition == []
    assert cluster.admin.metrics.stats()["live_servers"] == 2
    cluster.admin.regions.balance()


def test_unknown_attributes_stay(cluster: rs.Database) -> None:
    cluster.create_table("odd", ["f"], attributes={"MADE_UP": "yes"})
    cluster.admin.alter_table("odd", families={"g": {}})
    assert cluster.admin.describe("odd").attributes["MADE_UP"] == "yes"
    cluster.drop_table("odd", force=True)


def test_a_directory_has_no_servers() -> None:
    with rs.connect(":memory:") as db, pytest.raises(errors.UnsupportedOperation, match="cluster"):
        db.admin.servers.status()


def test_a_snapshot_cannot_have_the_name_of_a_path(cluster: rs.Database, table: rs.Table) -> None:
    """HBase's master writes such a snapshot outside its folder, and deletes any folder by such a name."""
    snapshots = cluster.admin.snapshots
    for name in ("../../outside", "a/b", "a b", "-a", ""):
        with pytest.raises(errors.InvalidName, match="snapshot name"):
            cluster.admin.snapshot(name, table.name)
        with pytest.raises(errors.SnapshotNotFound):
            snapshots.delete(name)
        with pytest.raises(errors.SnapshotNotFound):
            snapshots.clone(name, "copy_of_a_path")


def test_an_unknown_durability_does_not_reach_the_master(cluster: rs.Database, table: rs.Table) -> None:
    """HBase's region servers abort, one after another, when they open a region with one."""
    for name in ("SYNC", "x", ""):
        with pytest.raises(errors.InvalidArgument, match="DURABILITY"):
            cluster.admin.alter_table(table.name, attributes={"DURABILITY": name})
        with pytest.raises(errors.InvalidArgument, match="DURABILITY"):
            cluster.create_table("durable", ["f"], attributes={"DURABILITY": name})
    cluster.admin.alter_table(table.name, attributes={"DURABILITY": "fsync_wal"})
    assert cluster.admin.describe(table.name).attributes["DURABILITY"] == "FSYNC_WAL"
    table.put("r", {"f:q": "v"})
