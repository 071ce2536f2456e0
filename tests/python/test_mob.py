"""MOB: large values in files of their own, through the public API."""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from tests.checklist import checklist

LARGE = {f"r{number}": f"{number}".encode() * 2_000 for number in range(1, 4)}
FAMILY = rs.Family(max_versions=3, attributes={"IS_MOB": True, "MOB_THRESHOLD": 1_000})


def mob_files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "mobdir").rglob("*") if path.is_file())


def fill(db: rs.Database) -> rs.Table:
    db.create_table("t", {"f": FAMILY})
    table = db.table("t")
    for row, value in LARGE.items():
        table.put(row, {"f:large": value, "f:small": row.encode()})
    db.admin.flush("t")
    return table


def test_a_large_value_has_a_file_and_is_read_as_ever(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        fill(db)
    with rs.connect(tmp_path / "db") as db:
        table = db.table("t")
        stats = db.admin.metrics.stats("t")
        assert stats["mob_files"] == len(mob_files(tmp_path / "db")) == 1
        assert stats["mob_file_bytes"] == mob_files(tmp_path / "db")[0].stat().st_size
        assert {row.key.decode(): bytes(row["f:large"]) for row in table.scan()} == LARGE
        found = table.scan(filter=rs.column("f:large") == LARGE["r2"])
        assert [row.key for row in found] == [b"r2"]
        table.append("r1", "f:large", b"-end")
        assert table.get("r1")["f:large"] == LARGE["r1"] + b"-end"
        assert not table.check_and_mutate("r3", "f:large", "=", b"other", rs.Delete("r3"))
        assert table.check_and_mutate("r3", "f:large", "=", LARGE["r3"], rs.Delete("r3"))


@checklist("135", clause="a large value lands in a MOB file")
def test_a_value_of_20_mb(tmp_path: Path) -> None:
    """It needs a larger hbase.client.keyvalue.maxsize, as in HBase: the default is 10 MB, also in a MOB family."""
    film = b"0123456789" * 2_000_000
    families = {"f": rs.Family(attributes={"IS_MOB": True})}
    with rs.connect(tmp_path / "db") as db:
        db.create_table("films", families)
        with pytest.raises(rs.errors.CellTooLarge):
            db.table("films").put("r", {"f:q": film})
        limits = ("hbase.client.keyvalue.maxsize", "hbase.server.keyvalue.maxsize")
        db.admin.alter_table("films", configuration=dict.fromkeys(limits, 1 << 25))
        db.table("films").put("r", {"f:q": film})
        db.admin.flush("films")
        assert db.table("films").get("r")["f:q"] == film
    with rs.connect(tmp_path / "db") as db:
        [file] = db.admin.tables.store_files("films")
        assert file.size_bytes < 10_000
        assert mob_files(tmp_path / "db")[0].stat().st_size > len(film)
        assert [bytes(row["f:q"]) for row in db.table("films").scan()] == [film]


def test_mob_files_go_with_their_last_reference(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        table = fill(db)
        db.admin.snapshot("s", "t")
        for row in LARGE:
            table.delete(row)
        db.admin.flush("t")
        db.admin.major_compact("t")
        assert len(mob_files(tmp_path / "db")) == 1
        db.admin.snapshots.clone("s", "copy")
        db.admin.snapshots.delete("s")
        assert db.table("copy").get("r2")["f:large"] == LARGE["r2"]
        db.admin.drop_table("copy", force=True)
        assert mob_files(tmp_path / "db") == []


def test_a_lost_file_is_named_and_found(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        fill(db)
    [lost] = mob_files(tmp_path / "db")
    lost.unlink()
    for read_only in (False, True):
        with rs.connect(tmp_path / "db", read_only=read_only) as db:
            table = db.table("t")
            with pytest.raises(rs.errors.CorruptionError, match=lost.name):
                table.get("r1")
            assert table.get("r1", columns=["f:small"])["f:small"] == b"r1"
            assert table.exists("r1")
    report = rs.check(tmp_path / "db")
    assert [finding.file for finding in report.findings] == [str(lost)]
    rs.repair(tmp_path / "db", tmp_path / "saved")
    with rs.connect(tmp_path / "saved") as db:
        assert [(b"f:large" in row, b"f:small" in row) for row in db.table("t").scan()] == [(False, True)] * 3
