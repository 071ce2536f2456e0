"""Exports to object stores and imports from them, in memory. tests/storage has a server."""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from rowstone import jobs
from rowstone._base.remote import files
from rowstone.admin._areas import tables
from rowstone.errors import ExistsError, StorageError
from rowstone.jobs import _urls
from tests.python.fake_folder import FakeFolder

COLUMNS = {"f:q": "q"}


@pytest.mark.parametrize("was_there", [False, True])
@pytest.mark.parametrize("step", ["part", "finish"])
def test_the_file_of_an_earlier_upload_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, was_there: bool, step: str
) -> None:
    def fail(kind: str, name: str) -> None:
        if kind == step:
            raise StorageError("no answer")

    monkeypatch.setattr(files, "_PART_BYTES", 10)
    folder = FakeFolder()
    (tmp_path / "f").write_bytes(b"x" * 25)
    if was_there:
        folder.objects["a/f"] = (b"y" * 25, 0)
    folder.before = fail
    with pytest.raises(StorageError, match="no answer"):
        files.send_file(folder, tmp_path / "f", "a/f")  # type: ignore[arg-type]
    assert folder.uploads == {}
    folder.before = lambda kind, name: None
    files.send_file(folder, tmp_path / "f", "a/f")  # type: ignore[arg-type]
    assert folder.objects["a/f"][0] == b"x" * 25


@pytest.mark.parametrize("name", ["_SUCCESS", "f/old"])
def test_hfiles_are_not_mixed_with_those_of_another_export(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    folder = FakeFolder()
    folder.objects[name] = (b"", 0)
    monkeypatch.setattr(tables, "open_folder", lambda url, options: folder)
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.table("t").put("row", {"f:q": "value"})
        with pytest.raises(ExistsError, match=f"'s3://b/out' has '{name}'"):
            db.admin.tables.export_hfiles("t", "s3://b/out")
        assert list(folder.objects) == [name]
        folder.objects.clear()
        db.admin.tables.export_hfiles("t", "s3://b/out")
        assert len(folder.objects) == 2


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Files at URLs. The current directory is a new one."""
    found: dict[str, str] = {}

    def fetch(url: str, options: dict[str, str], target: str) -> None:
        Path(target).write_text(found[url])

    monkeypatch.setattr(_urls._native, "fetch_file", fetch)
    monkeypatch.chdir(tmp_path)
    return found


def stop(done: jobs.Imported) -> None:
    raise KeyboardInterrupt


def test_files_of_one_name_at_two_urls_are_two_imports(web: dict[str, str], tmp_path: Path) -> None:
    web |= {"s3://b/mon/t.csv": "k,q\nr1,monday\n", "s3://b/tue/t.csv": "k,q\nr2,tuesday\n"}
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        with pytest.raises(KeyboardInterrupt):
            jobs.import_file(db, "t", "s3://b/mon/t.csv", COLUMNS, key="k", progress=stop)
        assert not jobs.import_file(db, "t", "s3://b/tue/t.csv", COLUMNS, key="k").resumed
        assert db.table("t").value("r2", "f:q") == b"tuesday"
        assert jobs.import_file(db, "t", "s3://b/mon/t.csv", COLUMNS, key="k").resumed
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(KeyboardInterrupt):
            jobs.import_file(db, "t", "s3://b/mon/t.csv", COLUMNS, key="k", state="s", progress=stop)
        with pytest.raises(rs.errors.InvalidArgument, match=r"file was .*/mon/t\.csv. and is .*/tue/t\.csv"):
            jobs.import_file(db, "t", "s3://b/tue/t.csv", COLUMNS, key="k", state="s")


def test_a_dry_run_leaves_the_copy_of_an_unfinished_import(web: dict[str, str], tmp_path: Path) -> None:
    web["s3://b/t.csv"] = "k,q\nr1,old\n"
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        with pytest.raises(KeyboardInterrupt):
            jobs.import_file(db, "t", "s3://b/t.csv", COLUMNS, key="k", progress=stop)
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        web["s3://b/t.csv"] = "k,q\nr1,new\nr2,new\n"
        assert jobs.import_file(db, "t", "s3://b/t.csv", COLUMNS, key="k", dry_run=True).rows == 2
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
        assert len(before) == 2
