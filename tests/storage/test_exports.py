"""Exports to an S3 server, and imports from it."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import jobs
from rowstone._base.remote import files
from rowstone._base.remote.folder import open_folder
from rowstone.errors import ExistsError, SnapshotExists, SnapshotNotFound, StorageError
from tests.storage.conftest import Backups

Rows = list[tuple[bytes, bytes]]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"], splits=["5"])
        with db.table("t").batch() as batch:
            for number in range(500):
                batch.put(f"{number % 10}-{number}", {"f:q": f"value {number}"})
        db.admin.flush("t")
        db.admin.regions.split("t", "7")
        db.admin.snapshot("monday", "t")
    return tmp_path / "db"


def rows_of(db: rs.Database, table: str = "t") -> Rows:
    return [(row.key, row["f:q"]) for row in db.table(table).scan()]


def test_a_snapshot_goes_out_and_comes_in(backups: Backups, database: Path, tmp_path: Path) -> None:
    url, options = backups.url, backups.options
    with rs.connect(database) as db:
        db.admin.snapshots.export("monday", url, storage_options=options)
        names = [request.path for request in backups.proxy.requests if request.method == "PUT"]
        assert names[-2].endswith("/.hbase-snapshot/monday/data.manifest")
        assert names[-1].endswith("/.hbase-snapshot/monday/.snapshotinfo")
        with pytest.raises(SnapshotExists, match="'monday'"):
            db.admin.snapshots.export("monday", url, storage_options=options)
        expected = rows_of(db)
    with rs.open_root(url, snapshot="monday", storage_options=options) as root:
        assert rows_of(root) == expected
    with rs.connect(tmp_path / "other") as other:
        other.admin.snapshots.import_from("monday", url, storage_options=options)
        other.admin.snapshots.clone("monday", "copy")
        assert rows_of(other, "copy") == expected
        with pytest.raises(SnapshotNotFound, match="monday"):
            other.admin.snapshots.import_from("tuesday", url, storage_options=options)


def test_an_interrupted_export_of_a_snapshot_sends_the_rest(backups: Backups, database: Path) -> None:
    puts = count()

    def fail(method: str, path: str) -> str | None:
        return "reset" if method == "PUT" and next(puts) >= 2 else None

    url, options = backups.url, {**backups.options, "max_retries": "0"}
    with rs.connect(database) as db:
        backups.proxy.choose = fail
        with pytest.raises(StorageError):
            db.admin.snapshots.export("monday", url, storage_options=options)
        with pytest.raises(SnapshotNotFound):
            rs.open_root(url, snapshot="monday", storage_options=options)
        backups.proxy.choose = lambda method, path: None
        sent = {request.path for request in backups.proxy.requests if request.status == 200 and request.method == "PUT"}
        assert len(sent) == 2
        assert all("/archive/" in path for path in sent)
        backups.proxy.requests.clear()
        db.admin.snapshots.export("monday", url, storage_options=options)
        again = {request.path for request in backups.proxy.requests if request.method == "PUT"}
        assert not sent & again
        with rs.open_root(url, snapshot="monday", storage_options=options) as root:
            assert rows_of(root) == rows_of(db)


def test_hfiles_are_uploaded_with_a_last_file(backups: Backups, database: Path, tmp_path: Path) -> None:
    url, options = backups.url, backups.options
    with rs.connect(database) as db:
        written = db.admin.tables.export_hfiles("t", url, storage_options=options)
        expected = rows_of(db)
    folder = open_folder(url, options)
    assert [name for name, _, _ in folder.list_files("")] == ["_SUCCESS"]
    assert sorted(file.path for file in written) == sorted(f"{url}/f/{name}" for name, _, _ in folder.list_files("f"))
    paths = []
    for file in written:
        paths.append(tmp_path / file.path.rpartition("/")[2])
        paths[-1].write_bytes(folder.get(file.path.removeprefix(f"{url}/")) or b"")
    with rs.connect(tmp_path / "other") as other:
        other.create_table("t", ["f"])
        other.admin.tables.bulk_load("t", {"f": paths})
        assert rows_of(other) == expected


@pytest.mark.parametrize("form", ["parquet", "csv", "jsonl"])
def test_a_table_goes_out_and_comes_in(
    backups: Backups, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    url, options = f"{backups.url}/t.{form}", backups.options
    with rs.connect(database) as db:
        done = jobs.export_table(db, "t", url, {"f:q": "q"}, storage_options=options)
        assert (done.rows, done.files) == (500, (url,))
        with pytest.raises(ExistsError):
            jobs.export_table(db, "t", url, {"f:q": "q"}, storage_options=options)
        db.create_table("u", ["f"])
        assert jobs.import_file(db, "u", url, {"f:q": "q"}, key="row", storage_options=options).rows == 500
        assert rows_of(db, "u") == rows_of(db)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["db"]


def test_a_folder_of_files_is_complete_with_its_last_file(backups: Backups, database: Path) -> None:
    url, options = f"{backups.url}/out", backups.options
    with rs.connect(database) as db:
        done = jobs.export_table(db, "t", url, format="csv", storage_options=options)
    assert len(done.files) == 3
    puts = [request.path for request in backups.proxy.requests if request.method == "PUT"]
    assert puts[-1].endswith("/out/_SUCCESS")
    assert len(puts) == 4
    with rs.connect(database) as db, pytest.raises(ExistsError, match="interrupted"):
        jobs.export_table(db, "t", url, format="csv", storage_options=options)


def test_an_interrupted_import_goes_on(
    backups: Backups, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    url, options = f"{backups.url}/t.csv", backups.options

    def stop(done: jobs.Imported) -> None:
        raise KeyboardInterrupt

    with rs.connect(database) as db:
        jobs.export_table(db, "t", url, {"f:q": "q"}, storage_options=options)
        db.create_table("u", ["f"])
        with pytest.raises(KeyboardInterrupt):
            jobs.import_file(db, "u", url, {"f:q": "q"}, key="row", storage_options=options, progress=stop)
        backups.proxy.requests.clear()
        done = jobs.import_file(db, "u", url, {"f:q": "q"}, key="row", storage_options=options)
        assert done.resumed
        assert rows_of(db, "u") == rows_of(db)
    assert backups.proxy.requests == []


@pytest.mark.parametrize("size", [0, 5, (8 << 20) + 3, 30 << 20])
def test_large_files_are_uploaded_in_parts(backups: Backups, tmp_path: Path, size: int) -> None:
    path, folder = tmp_path / "f", open_folder(backups.url, backups.options)
    data = bytes(number % 251 for number in range(1 << 16)) * (size // (1 << 16) + 1)
    path.write_bytes(data[:size])
    files.send_file(folder, path, "a/f")
    assert folder.get("a/f") == data[:size]
    posts = sum(request.method == "POST" for request in backups.proxy.requests)
    assert posts == (2 if size > 8 << 20 else 0)


@pytest.mark.parametrize("fault", ["lost answer", "reset"])
def test_the_end_of_an_upload_may_fail(backups: Backups, tmp_path: Path, fault: str) -> None:
    """If only the answer is lost, the file is there. Otherwise the parts are removed."""
    path, folder = tmp_path / "f", open_folder(backups.url, {**backups.options, "max_retries": "0"})
    path.write_bytes(b"x" * (9 << 20))
    backups.proxy.choose = lambda method, path: fault if method == "POST" and "uploadId=" in path else None
    if fault == "reset":
        with pytest.raises(StorageError, match="finish the upload"):
            files.send_file(folder, path, "f")
        assert folder.get("f") is None
        assert backups.proxy.requests[-2].method == "DELETE"
    else:
        files.send_file(folder, path, "f")
        assert folder.get("f") == path.read_bytes()
