"""Snapshots as HBase's ``ExportSnapshot`` has them: HBase clones ours, we clone HBase's, cell by cell the same."""

from __future__ import annotations

from pathlib import Path

import rowstone as rs
from rowstone import jobs
from rowstone.cli.shell import execute
from tests.hbase.cluster.server import StandaloneHBase

FAMILIES = {
    "f": rs.Family(max_versions=3, compression="GZ", data_block_encoding="FAST_DIFF"),
    "g": rs.Family(ttl_seconds=864_000, bloom_filter="ROWCOL", configuration={"hbase.hstore.compaction.max": "8"}),
}


def fill(table: rs.Table, begin: int) -> None:
    """Versions, markers of all kinds, binary rows, over several files."""
    with table.batch() as batch:
        for number in range(begin, begin + 400):
            row = f"{number * 7919 % 1000:04}".encode() + b"\x00\xff"
            batch.put(row, {"f:a": f"v{number}", "g:b": bytes([number % 256]) * (number % 90)}, timestamp=number + 1)
    for place, columns in enumerate((None, ["f:a"], ["g"])):
        table.delete(f"{(begin + place) * 7919 % 1000:04}".encode() + b"\x00\xff", columns)


def are_equal(one: rs.Database, table: str, other: rs.Database, other_table: str) -> bool:
    compared = jobs.compare_tables(one, table, other, other_table)
    return compared.are_equal and compared.equal > 0


def test_hbase_clones_what_we_export(hbase: StandaloneHBase, cluster: rs.Database, tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("ours", FAMILIES, splits=["0300"], attributes={"OWNER": "ada"})
        table = db.table("ours")
        for begin in (0, 300, 600):
            fill(table, begin)
            db.admin.flush("ours")
        exported = db.admin.tables.export_hfiles("ours", tmp_path / "out")
        db.admin.tables.bulk_load("ours", {"f": [file.path for file in exported if file.family == b"f"]})
        db.admin.regions.split("ours", "0700")
        # The halves of the split are in it, before a compaction makes files of them.
        db.admin.snapshot("from_us", "ours")
        db.admin.snapshots.export("from_us", hbase.folder / "data")
        assert "from_us" in [snapshot.name for snapshot in cluster.admin.snapshots.list()]
        cluster.admin.snapshots.clone("from_us", "cloned")
        assert are_equal(db, "ours", cluster, "cloned")
        assert [region.start_key for region in cluster.admin.regions.list("cloned")] == [b"", b"0300", b"0700"]
        schema = cluster.admin.describe("cloned")
        assert schema.attributes["OWNER"] == "ada"
        assert schema.families[b"f"] == db.admin.describe("ours").families[b"f"]
        # What HBase writes into its clone does not depend on our files.
        cluster.admin.major_compact("cloned")
        assert are_equal(db, "ours", cluster, "cloned")
    cluster.admin.snapshots.delete("from_us")
    cluster.drop_table("cloned", force=True)


def test_we_clone_what_hbase_exports(hbase: StandaloneHBase, cluster: rs.Database, tmp_path: Path) -> None:
    cluster.create_table("theirs", FAMILIES, splits=["0300"], attributes={"OWNER": "ada"})
    table = cluster.table("theirs")
    for begin in (0, 300, 600):
        fill(table, begin)
        cluster.admin.flush("theirs")
    execute(cluster, "compaction_switch false")
    try:
        cluster.admin.regions.split("theirs", "0700")
        cluster.admin.snapshot("from_hbase", "theirs")
        # A clone's files are links to the snapshot's.
        cluster.admin.snapshots.clone("from_hbase", "linked")
        cluster.admin.snapshot("of_links", "linked")
        with rs.connect(tmp_path / "db") as db:
            for snapshot in ("from_hbase", "of_links"):
                db.admin.snapshots.import_from(snapshot, hbase.folder / "data")
                clone = f"clone_{snapshot}"
                db.admin.snapshots.clone(snapshot, clone)
                assert are_equal(cluster, "theirs", db, clone)
                assert len(db.admin.regions.list(clone)) == 3
                db.admin.major_compact(clone)
                assert are_equal(cluster, "theirs", db, clone)
            assert db.admin.describe("clone_from_hbase").attributes["OWNER"] == "ada"
    finally:
        execute(cluster, "compaction_switch true")
    for snapshot in ("from_hbase", "of_links"):
        cluster.admin.snapshots.delete(snapshot)
    cluster.drop_table("linked", force=True)
    cluster.drop_table("theirs", force=True)
