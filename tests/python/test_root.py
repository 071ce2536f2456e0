"""Roots of HBase that Rowstone itself exported. ``tests/roots`` reads those of a real HBase."""

import re
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone.errors import (
    CorruptionError,
    InvalidArgument,
    InvalidType,
    NotADatabase,
    ReadOnly,
    SnapshotNotFound,
    UnsupportedOperation,
)
from tests.python.test_tools import rowstone

Cells = list[tuple[bytes, bytes, int, bytes]]


def cells_of(table: rs.Table | rs.View, **options: object) -> Cells:
    return [(row.key, cell.column, cell.timestamp, cell.value) for row in table.scan(**options) for cell in row.cells]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with the snapshot of a table of two regions, just split, with versions and deletes."""
    folder = tmp_path / "root"
    with rs.connect(tmp_path / "db") as db:
        db.create_table("web", {"f": rs.Family(max_versions=3), "g": {}})
        table = db.table("web")
        for number in range(200):
            table.put(f"row{number:03}", {"f:a": f"{number}", "g:b": "x" * number}, timestamp=10 + number)
            table.put(f"row{number:03}", {"f:a": f"{number} again"}, timestamp=1000 + number)
        table.delete("row007")
        db.admin.flush("web")
        db.admin.regions.split("web", "row100")
        table.put("row150", {"f:a": "late"}, timestamp=5000)
        db.admin.snapshot("nightly", "web")
        db.admin.snapshots.export("nightly", folder)
    return folder


def test_a_snapshot_is_read_from_its_files(root: Path, tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db", read_only=True) as source, rs.open_root(root, snapshot="nightly") as db:
        assert db.tables() == ["web"]
        for options in (
            {},
            {"versions": 3},
            {"start": "row090", "stop": "row110"},
            {"columns": ["f"], "reverse": True},
        ):
            expected = cells_of(source.table("web"), **options)
            assert expected
            assert cells_of(db.table("web"), **options) == expected
        assert db.table("web").get("row150")["f:a"] == b"late"
        assert db.table("web").get("row007") == {}


def test_the_url_opens_the_same(root: Path) -> None:
    with rs.open_root(root, snapshot="nightly") as db:
        assert db.path == f"root+file://{root}?snapshot=nightly"
        with rs.connect(db.path) as same:
            assert cells_of(same.table("web")) == cells_of(db.table("web"))
            assert same.read_only
    odd = root.rename(root.with_name("a root?#"))
    with rs.open_root(odd, snapshot="nightly") as db, rs.connect(db.path) as same:
        assert cells_of(same.table("web")) == cells_of(db.table("web"))


def test_commands_take_the_url(root: Path, tmp_path: Path) -> None:
    assert rowstone("count", f"root+file://{root}?snapshot=nightly", "web").split()[0] == "199"
    rowstone("copy", f"root+file://{root}/web?snapshot=nightly", tmp_path / "rescued" / "web")
    assert rowstone("count", tmp_path / "rescued", "web").split()[0] == "199"


def test_the_opened_snapshot_can_be_exported_again(root: Path, tmp_path: Path) -> None:
    with rs.open_root(root, snapshot="nightly") as db:
        assert [(found.name, found.table) for found in db.admin.snapshots.list()] == [("nightly", "web")]
        db.admin.snapshots.export("nightly", tmp_path / "again")
        expected = cells_of(db.table("web"), versions=3)
    with rs.open_root(tmp_path / "again", snapshot="nightly") as db:
        assert cells_of(db.table("web"), versions=3) == expected


def test_a_root_is_only_read(root: Path) -> None:
    with rs.open_root(root, snapshot="nightly") as db:
        with pytest.raises(ReadOnly, match="files of an HBase cluster"):
            db.table("web").put("a", {"f:q": "v"})
        with pytest.raises(ReadOnly):
            db.create_table("t", ["f"])


def test_mistakes_are_named(root: Path, tmp_path: Path) -> None:
    with pytest.raises(SnapshotNotFound, match=r"'weekly'.*nightly"):
        rs.open_root(root, snapshot="weekly")
    with pytest.raises(NotADatabase, match="choose one of nightly"):
        rs.open_root(root)
    with pytest.raises(NotADatabase, match="neither"):
        rs.open_root(tmp_path)
    with pytest.raises(InvalidArgument, match="three slashes"):
        rs.open_root("file://host/root")
    with pytest.raises(InvalidArgument, match="'snap'"):
        rs.connect(f"root+file://{root}?snap=nightly")
    with pytest.raises(InvalidType, match=r"\['web'\]"):
        rs.open_root(root, snapshot="nightly", tables="web")
    with pytest.raises(UnsupportedOperation, match="durability"):
        rs.connect(f"root+file://{root}?snapshot=nightly", durability="FSYNC_WAL")


@pytest.mark.parametrize(
    "url",
    [
        "hbase://ann:secret@127.0.0.1:1",
        "hbase+zk://ann:secret@127.0.0.1:1/hbase",
        "root+ftp://ann:secret@host/hbase",
        "root+file://ann:secret@host/hbase",
        "root+s3://ann:secret@bucket/hbase",
        "root+s3://ann:secret@bucket/hbase?snapshot=nightly&key=secret",
        "root+https://host/hbase?signature=secret",
        "root+https://ann:secret@host/hbase?logs=yes",
    ],
)
def test_errors_do_not_show_secrets_of_a_url(url: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        rs.connect(url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("hdfs://ann:secret@namenode:8020/hbase", "'hdfs://namenode:8020/hbase' starts with 'hdfs://'"),
        ("https://host/hbase?signature=secret", "'https://host/hbase' starts with 'https://'"),
        ("root+file:///hbase?key=secret", "'root+file:///hbase' has 'key'"),
        ("root+s3://ann:secret@bucket/hbase?key=secret", "'root+s3://bucket/hbase' with durability"),
    ],
)
def test_errors_name_the_url_without_its_secrets(url: str, message: str) -> None:
    options: dict[str, Any] = {"durability": "FSYNC_WAL"} if "bucket" in url else {}
    with pytest.raises((InvalidArgument, UnsupportedOperation), match=re.escape(message)) as refused:
        rs.connect(url, **options)
    assert "secret" not in str(refused.value)


def test_a_missing_file_and_a_damaged_one_are_named(root: Path) -> None:
    file = next(path for path in (root / "archive").rglob("*") if path.is_file())
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    with pytest.raises(CorruptionError, match=file.name):
        rs.open_root(root, snapshot="nightly")
    file.unlink()
    with pytest.raises(OSError, match=file.name):
        rs.open_root(root, snapshot="nightly")
