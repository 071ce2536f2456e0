"""`rowstone export-hfiles` and `import-hfiles`: a round trip, and import from a directory laid out like HBase's."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import hfile, jobs
from tests.python.test_bulk_load import fill, write
from tests.python.test_tools import rowstone


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", {"f": {"max_versions": 3}, "g": {}}, splits=["r01"])
        fill(db.table("t"))
    return tmp_path / "db"


def test_there_and_back(directory: Path, tmp_path: Path) -> None:
    output = rowstone("export-hfiles", directory, "t", tmp_path / "out")
    assert "4 files" in output
    assert "families: f, g" in output
    with rs.connect(tmp_path / "other") as db, rs.connect(directory, read_only=True) as source:
        jobs.create_table_like(source, "t", db, "copy", splits=["r02", "r03"])
    assert "4 files" in rowstone("import-hfiles", tmp_path / "other", "copy", tmp_path / "out")
    with rs.connect(tmp_path / "other") as db, rs.connect(directory, read_only=True) as source:
        assert jobs.compare_tables(source, "t", db, "copy").are_equal


def test_a_copied_directory_of_hbase(tmp_path: Path) -> None:
    """Several files of one store; later files override earlier ones at the same timestamp."""
    with rs.connect(tmp_path / "db", configuration={"rowstone.compaction.background": False}) as db:
        db.create_table("t", {"f": {"max_versions": 3}}, splits=["m"])
        for value in ("first", "second", "third"):
            db.table("t").put("a", {"f:q": value}, timestamp=1)
            db.table("t").put("z", {"f:q": value}, timestamp=1)
            db.admin.flush("t")
    copied = tmp_path / "copied"
    shutil.copytree(tmp_path / "db" / "data" / "default" / "t", copied)
    (copied / ".tabledesc").mkdir()
    (copied / ".tabledesc" / "x").write_text("hidden")
    for region in list(copied.iterdir()):
        if region.is_dir() and not region.name.startswith("."):
            (region / ".regioninfo").write_text("hidden")
            file = next((region / "f").iterdir())
            (region / "f" / f"{file.name}.{region.name}").write_text("a reference")
            (region / "f" / f"t={region.name}-{file.name}").write_text("a link")
            (region / "f" / ("1" * 32)).write_text("")
    output = rowstone("import-hfiles", tmp_path / "other", "t", copied, "--create")
    assert "6 files" in output
    with rs.connect(tmp_path / "other") as db:
        assert [row["f:q"] for row in db.table("t").scan()] == [b"third", b"third"]
        assert db.admin.describe("t").family("f").max_versions == 2**31 - 1


@pytest.mark.parametrize(
    "name", [f"{'0' * 32}.{'1' * 32}", f"t={'1' * 32}-{'0' * 32}", f"n=t={'1' * 32}-{'0' * 32}.2{'0' * 31}"]
)
def test_a_reference_or_link_to_a_file_elsewhere_is_refused(directory: Path, tmp_path: Path, name: str) -> None:
    write(tmp_path / "in" / "f" / "new", ("new", "f:q", 1, "v"))
    (tmp_path / "in" / "f" / name).write_text("a reference")
    error = rowstone("import-hfiles", directory, "t", tmp_path / "in", status=2)
    assert f"file {'0' * 32} of region {'1' * 32}, which is not below" in error
    with rs.connect(directory) as db:
        assert "new" not in db.table("t")


def test_a_store_file_whose_name_has_a_dot_is_loaded(directory: Path, tmp_path: Path) -> None:
    write(tmp_path / "in" / "f" / "new.hfile", ("new", "f:q", 1, "v"))
    (tmp_path / "in" / "f" / "notes.txt").write_text("text")
    output = rowstone("import-hfiles", directory, "t", tmp_path / "in")
    assert "1 file, 1 cell" in output
    with rs.connect(directory) as db:
        assert db.table("t").get("new")["f:q"] == b"v"


def test_a_folder_without_store_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    error = rowstone("import-hfiles", tmp_path / "new", "t", tmp_path / "in", "--create", status=2)
    assert f"there is no store file below {tmp_path / 'in'}" in error
    assert not (tmp_path / "new").exists()


def test_references_to_large_values_are_not_loaded_as_values(directory: Path, tmp_path: Path) -> None:
    with rs.connect(tmp_path / "photos") as db:
        db.create_table("t", {"f": rs.Family(attributes={"IS_MOB": True, "MOB_THRESHOLD": 10})})
        db.table("t").put("large", {"f:q": "x" * 100})
        db.admin.flush("t")
    error = rowstone("import-hfiles", directory, "t", tmp_path / "photos" / "data", status=2)
    assert "refers to large values in MOB files" in error
    with rs.connect(directory) as db:
        assert "large" not in db.table("t")


def test_single_files_and_what_is_wrong(directory: Path, tmp_path: Path) -> None:
    file = Path(write(tmp_path / "g" / "new", ("new", "g:q", 1, "v")))
    assert "1 file, 1 cell" in rowstone("import-hfiles", directory, "t", file)
    assert "holds cells of family 'g'" in rowstone("import-hfiles", directory, "t", file, "--family", "f", status=2)
    assert "no column family 'none'" in rowstone("import-hfiles", directory, "t", file, "--family", "none", status=2)
    assert "no table 'missing'" in rowstone("import-hfiles", directory, "missing", file, status=3)
    rowstone("import-hfiles", tmp_path / "nowhere", "t", file, status=3)
    assert not (tmp_path / "nowhere").exists()
    with rs.connect(directory) as db:
        assert db.table("t").get("new")["g:q"] == b"v"


def test_the_age_of_a_file(directory: Path, tmp_path: Path) -> None:
    with rs.connect(directory) as db:
        db.admin.flush("t")
        files = db.admin.tables.store_files("t")
    assert all(hfile.max_sequence_id(file.path) == file.max_sequence_id > 0 for file in files)
    assert hfile.max_sequence_id(write(tmp_path / "f", ("r", "f:q", 1, "v"))) == 0


@pytest.mark.parametrize(
    "command", [("export-hfiles", "t", "out"), ("import-hfiles", "t", "f"), ("export-snapshot", "s", "out"),
                ("import-snapshot", "out", "s")]
)  # fmt: skip
def test_the_url_of_a_cluster_is_refused(command: tuple[str, ...]) -> None:
    name, *rest = command
    output = rowstone(name, "hbase://localhost:16000", *rest, status=2)
    assert "'hbase://localhost:16000' is a URL: this command needs the database's directory" in output
    assert "cluster" not in rowstone(name, "--help")


def test_files_of_a_root_are_exported(directory: Path, tmp_path: Path) -> None:
    with rs.connect(directory) as db:
        db.admin.snapshot("s", "t")
        db.admin.snapshots.export("s", tmp_path / "root")
    output = rowstone("export-hfiles", f"root+file://{tmp_path}/root?snapshot=s", "t", tmp_path / "out")
    assert "families: f, g" in output
