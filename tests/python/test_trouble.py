"""Damaged files, full disks, directories with other contents: typed errors, and intact data stays readable."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors, hfile
from tests.python.process import run


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A closed database: table `t` of 2,000 rows in a file, and a table `u`."""
    folder = tmp_path / "db"
    with rs.connect(folder) as db:
        for name in ("t", "u"):
            db.create_table(name, ["f"])
            with db.table(name).batch() as batch:
                for number in range(2_000):
                    batch.put(f"{number:05}", {"f:q": f"{number}" * 20})
        db.admin.flush()
    return folder


def store_file(folder: Path, table: str) -> Path:
    [file] = [file for file in (folder / "data" / "default" / table).glob("*/f/*") if file.is_file()]
    return file


def flip(file: Path, offset: int) -> None:
    data = bytearray(file.read_bytes())
    data[offset] ^= 0xFF
    file.write_bytes(data)


def test_a_damaged_block_says_where(path: Path) -> None:
    """issue 3, acceptance 7: file, offset, expected, found; the other table stays readable."""
    file = store_file(path, "t")
    flip(file, 5_000)
    with rs.connect(path) as db:
        with pytest.raises(errors.CorruptionError) as raised:
            list(db.table("t").scan())
        error = raised.value
        assert Path(error.file).name == file.name
        assert 0 <= error.offset <= 5_000
        assert error.expected != error.found
        assert error.file in str(error)
        assert sum(1 for _ in db.table("u").scan()) == 2_000
    with pytest.raises(errors.CorruptionError):
        hfile.verify(file)


def test_a_cut_file_is_damage_too(path: Path) -> None:
    file = store_file(path, "t")
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(errors.CorruptionError), rs.connect(path) as db:
        list(db.table("t").scan())


def test_a_missing_file_is_reported(path: Path) -> None:
    store_file(path, "t").unlink()
    with pytest.raises((errors.CorruptionError, errors.StorageError)), rs.connect(path) as db:
        list(db.table("t").scan())


def test_a_damaged_manifest_is_refused_and_nothing_swept(path: Path) -> None:
    flip(path / "MANIFEST", 40)
    before = sorted(file for file in path.rglob("*") if file.is_file() and file.name != "LOCK")
    with pytest.raises(errors.CorruptionError):
        rs.connect(path)
    assert sorted(file for file in path.rglob("*") if file.is_file() and file.name != "LOCK") == before


WRITER = """
import os, sys
import rowstone as rs
db = rs.connect(sys.argv[1])
db.create_table("w", ["f"])
for number in range(500):
    db.table("w").put(f"{number:04}", {"f:q": "x" * 50})
os.kill(os.getpid(), 9)
"""


def logs(folder: Path) -> list[Path]:
    return sorted(file for file in (folder / "WALs").rglob("*") if file.is_file())


def test_a_cut_log_gives_a_prefix_of_what_was_written(tmp_path: Path) -> None:
    """issue 3, acceptance 7: a torn tail is a crash, not damage: all rows before it are present and whole."""
    run(WRITER, tmp_path / "db", expect=-9)
    [log] = logs(tmp_path / "db")
    data = log.read_bytes().rstrip(b"\0")
    for length in (len(data) - 1, len(data) * 2 // 3, len(data) // 3):
        copy = tmp_path / f"cut{length}"
        shutil.copytree(tmp_path / "db", copy)
        logs(copy)[0].write_bytes(data[:length])
        with rs.connect(copy) as db:
            keys = list(db.table("w")) if "w" in db.tables() else []
            assert keys == [f"{number:04}".encode() for number in range(len(keys))]
            assert 0 <= len(keys) < 500 or length == len(data) - 1


def test_a_flipped_bit_in_the_log_never_gives_wrong_rows(tmp_path: Path) -> None:
    """An error about damage, or the rows written before it; nothing else."""
    run(WRITER, tmp_path / "db", expect=-9)
    length = len(logs(tmp_path / "db")[0].read_bytes().rstrip(b"\0"))
    for offset in range(100, length, length // 9):
        copy = tmp_path / f"flip{offset}"
        shutil.copytree(tmp_path / "db", copy)
        flip(logs(copy)[0], offset)
        try:
            with rs.connect(copy) as db:
                rows = list(db.table("w").scan())
        except errors.CorruptionError:
            pass
        else:
            assert [row.key for row in rows] == [f"{number:04}".encode() for number in range(len(rows))]
            assert {row["f:q"] for row in rows} <= {b"x" * 50}


FULL = """
import resource, signal, sys
import rowstone as rs
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
db = rs.connect(sys.argv[1])
db.create_table("t", ["f"])
t = db.table("t")
t.put("first", {"f:q": "kept"})
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
written = 0
try:
    while True:
        t.put(f"{written:06}", {"f:q": b"x" * 10_000}, durability="FSYNC_WAL")
        written += 1
except rs.errors.StorageError as error:
    print(type(error).__name__, error.errno, isinstance(error, OSError))
try:
    t.put("later", {"f:q": "v"})
    print("a later put worked")
except rs.errors.StorageError as error:
    print(type(error).__name__)
print(t.get("first")["f:q"])
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
try:
    db.close()
except rs.errors.StorageError:
    pass
with rs.connect(sys.argv[1]) as db:
    keys = [key for key in db.table("t") if key != b"first"]
    assert len(keys) >= written, (len(keys), written)
    db.table("t").put("again", {"f:q": "v"})
    print("reopened")
"""


def test_a_file_that_cannot_grow_is_a_storage_error_and_loses_nothing(tmp_path: Path) -> None:
    """issue 3, acceptance 7: as on a full disk. After the first failure the log refuses writes; reads still work."""
    lines = run(FULL, tmp_path / "db").splitlines()
    assert lines[0].split() in (["StorageError", "27", "True"], ["DiskFull", "28", "True"])
    assert lines[1] == "LogPoisoned"
    assert lines[2:] == ["b'kept'", "reopened"]


def test_other_directories_are_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "precious").write_text("mine")
    with pytest.raises(errors.NotADatabase):
        rs.connect(other)
    assert [file.name for file in other.iterdir()] == ["precious"]
    with pytest.raises(errors.NotADatabase):
        rs.connect(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()
    with pytest.raises((errors.NotADatabase, errors.StorageError)):
        rs.connect(other / "precious")


def test_an_empty_directory_becomes_a_database(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir()
    with rs.connect(tmp_path / "db") as db:
        assert db.tables() == []


def test_other_files_are_no_store_files() -> None:
    with pytest.raises(errors.CorruptionError, match="HFile"):
        hfile.describe(__file__)
    with pytest.raises(errors.StorageError) as raised:
        hfile.describe("/nowhere/at/all")
    assert raised.value.errno == 2


def test_files_of_hbase_are_read(request: pytest.FixtureRequest) -> None:
    folder = request.config.rootpath / "tests" / "compat" / "hfiles"
    described = hfile.describe(folder / "basic_none")
    cells = list(hfile.read_cells(folder / "basic_none"))
    assert len(cells) == described.entries == hfile.verify(folder / "basic_none")
    assert described.first_key is not None
    assert described.first_key.row == cells[0].row
