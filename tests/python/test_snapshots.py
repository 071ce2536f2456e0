"""Snapshots of a directory: the same calls as on a cluster (docs/snapshots.md)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors


def test_a_snapshot_outlives_writes_its_table_and_the_process(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db", create=True) as db:
        db.create_table("t", ["f"], splits=["m"])
        table = db.table("t")
        table.put("a", {"f:q": "1"})
        table.put("z", {"f:q": "1"})
        db.admin.snapshot("s", "t")
        table.put("a", {"f:q": "2"})
        db.admin.snapshot("later", "t", flush=False, ttl=timedelta(hours=1))
        db.admin.major_compact("t")
        snapshots = {item.name: (item.table, item.ttl_seconds) for item in db.admin.snapshots()}
        assert snapshots == {"s": ("t", 0), "later": ("t", 3600)}
        db.admin.disable_table("t")
        db.admin.drop_table("t")
    with rs.connect(tmp_path / "db") as db:
        db.admin.clone_snapshot("s", "u")
        assert [(row.key, row["f:q"]) for row in db.table("u").scan()] == [(b"a", b"1"), (b"z", b"1")]
        assert len(db.admin.regions("u")) == 2
        db.table("u").put("b", {"f:q": "3"})
        db.admin.snapshot("of the clone".replace(" ", "-"), "u")
        db.admin.delete_snapshot("s")
        with pytest.raises(errors.TableNotFound):
            db.admin.restore_snapshot("later")
    with rs.connect(tmp_path / "db") as db:
        assert [row.key for row in db.table("u").scan()] == [b"a", b"b", b"z"]
        assert [item.name for item in db.admin.snapshots()] == ["later", "of-the-clone"]


def test_a_restored_table_has_its_old_families(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db", create=True) as db:
        db.create_table("t", ["f"])
        db.table("t").put("a", {"f:q": "1"})
        db.admin.snapshot("s", "t")
        db.admin.alter_table("t", families=["g"])
        db.table("t").put("a", {"g:q": "2", "f:q": "2"})
        with pytest.raises(errors.TableNotDisabled):
            db.admin.restore_snapshot("s")
        db.admin.disable_table("t")
        db.admin.restore_snapshot("s")
        db.admin.enable_table("t")
        assert list(db.admin.describe("t").families) == [b"f"]
        assert db.table("t").get("a")["f:q"] == b"1"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda admin: admin.snapshot("s", "t"), errors.SnapshotExists),
        (lambda admin: admin.snapshot("a b", "t"), errors.InvalidName),
        (lambda admin: admin.snapshot("v", "none"), errors.TableNotFound),
        (lambda admin: admin.snapshot("v", "t", ttl=0), errors.InvalidArgument),
        (lambda admin: admin.clone_snapshot("v", "u"), errors.SnapshotNotFound),
        (lambda admin: admin.clone_snapshot("s", "t"), errors.TableExists),
        (lambda admin: admin.delete_snapshot("v"), errors.SnapshotNotFound),
    ],
)
def test_what_cannot_be_is_refused(call: object, error: type[Exception]) -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.admin.snapshot("s", "t")
        with pytest.raises(error):
            call(db.admin)  # type: ignore[operator]
        assert [item.name for item in db.admin.snapshots()] == ["s"]
