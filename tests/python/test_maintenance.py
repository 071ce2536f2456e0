"""check, repair, backup, restore: as functions, and as commands."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors
from tests.python.process import start

HOLDER = """
import sys
import rowstone as rs
db = rs.connect(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A closed database with a table in a file and in the log."""
    path = tmp_path / "db"
    with rs.connect(path) as db:
        db.create_table("t", {"f": rs.Family(block_bytes=1024)})
        for number in range(200):
            db.table("t").put(f"row{number:03}", {"f:q": f"value {number} " * 5})
        db.admin.flush("t")
        db.table("t").put("row999", {"f:q": "logged"})
    return path


def store_file(path: Path) -> Path:
    with rs.connect(path, read_only=True) as db:
        return Path(db.admin.tables.store_files("t")[0].path)


def flip(file: Path, offset: int) -> None:
    data = bytearray(file.read_bytes())
    data[offset] ^= 1
    file.write_bytes(data)


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-c", "from rowstone.cli import main; main()", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=120)


def test_a_damaged_backup_is_not_restored(database: Path, tmp_path: Path) -> None:
    """Regression: bytes that a restore copied were not compared with the manifest's checksums."""
    backup = rs.backup(database, tmp_path / "backup").path
    file = Path(backup) / store_file(database).relative_to(database)
    # Not in the database, with which the backup shares the file.
    data = file.read_bytes()
    file.unlink()
    file.write_bytes(data)
    flip(file, 40)
    with pytest.raises(errors.CorruptionError, match="checksum 0x") as refused:
        rs.restore(backup, tmp_path / "restored")
    assert str(file) in str(refused.value)
    with pytest.raises(errors.NotADatabase):
        rs.connect(tmp_path / "restored", create=False)


def test_a_whole_database_is_clean(database: Path) -> None:
    told: list[tuple[str, int, int]] = []
    report = rs.check(database, progress=lambda *parts: told.append(parts))
    assert report
    assert not report.findings
    assert (report.tables, report.regions, report.store_files, report.cells, report.records) == (1, 1, 1, 200, 201)
    assert told
    assert "nothing is damaged" in str(report)
    assert "<table>" in report._repr_html_()


def test_a_damaged_block_is_found_and_the_rest_is_saved(database: Path, tmp_path: Path) -> None:
    file = store_file(database)
    flip(file, 3000)
    report = rs.check(database)
    [found] = report.damage
    assert not report.is_clean
    assert (found.problem, found.file) == ("damaged", str(file))
    assert 0 < found.offset <= 3000
    [loss] = found.losses
    assert (loss.table, loss.family) == ("t", b"f")
    assert loss.cells
    assert loss.first_row is not None
    assert loss.last_row is not None
    with rs.connect(database, read_only=True) as db, pytest.raises(errors.CorruptionError) as raised:
        list(db.table("t").scan())
    assert (raised.value.file, raised.value.offset) == (found.file, found.offset)
    saved = rs.repair(database, tmp_path / "saved")
    assert not saved
    assert (saved.rewritten_files, saved.records, saved.cells) == (1, 201, 200 - loss.cells)
    assert "rows" in str(saved)
    assert "<table>" in saved._repr_html_()
    assert rs.check(tmp_path / "saved")
    with rs.connect(tmp_path / "saved") as db:
        rows = list(db.table("t"))
        assert len(rows) == 201 - loss.cells
        missing = {f"row{number:03}".encode() for number in range(200)} - set(rows)
        assert all(loss.first_row <= row <= loss.last_row for row in missing)
    assert len(rs.check(database).damage) == 1, "the damaged directory stays as it is"


def test_missing_and_unknown_files_are_distinguished(database: Path) -> None:
    (database / "notes.txt").write_text("mine")
    shutil.copy(store_file(database), store_file(database).with_name("0" * 32))
    report = rs.check(database)
    assert report.is_clean
    assert sorted(found.problem for found in report.findings) == ["unknown", "unreachable"]
    store_file(database).unlink()
    report = rs.check(database)
    assert [found.problem for found in report.damage] == ["missing"]
    assert report.damage[0].losses[0].cells == 200
    with pytest.raises(errors.CorruptionError):
        rs.connect(database)


def test_a_rebuilt_manifest_is_reported_as_a_loss_of_the_schema(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", {"f": rs.Family(max_versions=3)}, attributes={"owner": "ann"})
        db.constraints("t").add(rs.coprocessors.constraints.Regex("f:q", "[a-z]+"))
        db.table("t").put("row", {"f:q": "value"})
        db.admin.snapshot("monday", "t")
    (tmp_path / "db/MANIFEST").write_bytes(b"\0" * (tmp_path / "db/MANIFEST").stat().st_size)
    saved = rs.repair(tmp_path / "db", tmp_path / "saved")
    with rs.connect(tmp_path / "saved") as db:
        assert list(db.table("t")) == [b"row"]
        assert not db.admin.describe("t").attributes
        assert not db.admin.snapshots.list()
    assert saved.is_manifest_rebuilt
    assert not saved.is_complete
    assert "nothing is lost" not in str(saved)
    for word in ("VERSIONS", "attributes", "indexes", "constraints", "snapshots"):
        assert word in str(saved)


def test_writes_behind_a_hole_in_the_log_are_left_unless_asked_for(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        for number in range(10):
            db.table("t").put(f"row{number}", {"f:q": f"value {number}"})
    [log] = (tmp_path / "db/WALs").glob("*.wal")
    flip(log, log.read_bytes().index(b"value 4"))
    [found] = rs.check(tmp_path / "db").damage
    [loss] = found.losses
    assert loss.sequence_ids is not None
    assert loss.sequence_ids[0] == loss.sequence_ids[1]
    for past_damage, kept in ((False, range(4)), (True, (0, 1, 2, 3, 5, 6, 7, 8, 9))):
        out = tmp_path / f"saved-{past_damage}"
        saved = rs.repair(tmp_path / "db", out, past_damage=past_damage)
        assert saved.skipped_records == 9 - len(kept)
        with rs.connect(out) as db:
            assert list(db.table("t")) == [f"row{number}".encode() for number in kept]


def test_commands_say_what_they_found_and_end_with_a_status(database: Path, tmp_path: Path) -> None:
    clean = command("check", database)
    assert clean.returncode == 0, clean.stderr
    assert "nothing is damaged" in clean.stdout
    flip(store_file(database), 3000)
    found = command("check", database)
    assert found.returncode == 5
    assert "damaged" in found.stdout
    assert "reads of their rows fail" in found.stdout
    facts = json.loads(command("check", "--json", database).stdout)
    assert facts["is_clean"] is False
    assert facts["findings"][0]["losses"][0]["family"] == "f"
    repaired = command("repair", database, tmp_path / "saved")
    assert repaired.returncode == 5, "some is lost"
    assert "1 rewritten" in repaired.stdout
    assert command("check", tmp_path / "saved").returncode == 0
    again = command("repair", database, tmp_path / "saved")
    assert again.returncode == 2
    assert "not empty" in again.stderr


def test_commands_of_backups(database: Path, tmp_path: Path) -> None:
    copied = command("backup", database, tmp_path / "copy")
    assert copied.returncode == 0, copied.stderr
    assert "1 store file," in copied.stdout
    shutil.rmtree(database)
    restored = command("restore", tmp_path / "copy", database)
    assert restored.returncode == 0, restored.stderr
    with rs.connect(database) as db:
        assert len(list(db.table("t"))) == 201
    assert command("restore", tmp_path / "copy", database).returncode == 2
    assert command("restore", tmp_path / "nowhere", tmp_path / "other").returncode == 3


KILLED_COPY = """
import os, sys
import rowstone as rs
getattr(rs, sys.argv[1])(sys.argv[2], sys.argv[3], progress=lambda *_: os.kill(os.getpid(), 9))
"""


@pytest.mark.parametrize("name", ["backup", "restore", "repair"])
def test_a_killed_copy_is_repeated(database: Path, tmp_path: Path, name: str) -> None:
    """Regression: the directory with a part of the copy was refused as not empty."""
    out = tmp_path / "out"
    if name == "repair":
        flip(store_file(database), 3000)
    killed = subprocess.run([sys.executable, "-c", KILLED_COPY, name, database, out], timeout=120, check=False)
    # A check of the source reports progress before the copy begins.
    assert killed.returncode == -9
    out.mkdir(exist_ok=True)
    (out / "MANIFEST.unfinished").touch()
    (out / "data").mkdir(exist_ok=True)
    (out / "data" / "part").touch()
    with pytest.raises(errors.NotADatabase, match="unfinished copy of one: repeat the backup, restore or repair"):
        rs.connect(out)
    getattr(rs, name)(database, out)
    assert rs.check(out).is_clean
    assert {path.name for path in out.iterdir()} <= {"MANIFEST", "LOCK", "WALs", "oldWALs", "data"}
    with pytest.raises(errors.InvalidArgument, match="not empty"):
        getattr(rs, name)(database, out)


def test_a_failed_copy_leaves_the_target_as_it_was(database: Path, tmp_path: Path) -> None:
    """Regression: a restore that found damage left the folder ``data``, so that the next one was refused."""
    store_file(database).unlink()
    (tmp_path / "empty").mkdir(0o700)
    for out in (tmp_path / "empty", tmp_path / "new" / "folder"):
        with pytest.raises(errors.CorruptionError):
            rs.restore(database, out)
    assert list((tmp_path / "empty").iterdir()) == []
    assert not (tmp_path / "new").exists()


def test_a_directory_keeps_its_permissions(tmp_path: Path) -> None:
    for name in ("db", "copy"):
        (tmp_path / name).mkdir(0o700)
    with rs.connect(tmp_path / "db") as db:
        db.admin.backup(tmp_path / "copy")
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in ("db", "copy")} == {0o700}


def test_maintenance_of_a_locked_directory_names_its_owner(database: Path, tmp_path: Path) -> None:
    holder = start(HOLDER, database, stdin=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "ready\n"
    try:
        for work in (
            lambda: rs.check(database),
            lambda: rs.repair(database, tmp_path / "out"),
            lambda: rs.backup(database, tmp_path / "out"),
        ):
            with pytest.raises(errors.DatabaseLocked, match=r"db\.admin\.backup") as raised:
                work()
            assert str(holder.pid) in str(raised.value)
    finally:
        holder.communicate("", timeout=30)
    assert rs.backup(database, tmp_path / "out").store_files == 1


def test_a_backup_beside_writers_holds_a_prefix_of_each(tmp_path: Path) -> None:
    """All writes acknowledged before the call, in whole rows, and no write without its predecessors."""
    families = ["f", "g"]
    acknowledged = [0] * 4
    stop = threading.Event()

    with rs.connect(tmp_path / "db", configuration={"hbase.regionserver.logroll.size": 65536}) as db:
        db.create_table("t", families, splits=["2"])
        db.create_table("u", families)

        def write(writer: int) -> None:
            durability = ["SYNC_WAL", "ASYNC_WAL", "FSYNC_WAL", "SYNC_WAL"][writer]
            number = 0
            while not stop.is_set():
                table = db.table("tu"[number % 2])
                row = f"{number % 4}-{writer}-{number:06}"
                table.put(row, {f"{family}:q": f"{number}" for family in families}, durability=durability)
                acknowledged[writer] = number + 1
                number += 1

        threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
        for thread in threads:
            thread.start()
        before = []
        try:
            for attempt in range(4):
                while min(acknowledged) < 40 * (attempt + 1):
                    stop.wait(0.001)
                if attempt % 2:
                    db.admin.flush()
                    db.admin.major_compact("t")
                before.append(list(acknowledged))
                report = db.admin.backup(tmp_path / f"copy{attempt}")
                assert report.logs > 0
        finally:
            stop.set()
            for thread in threads:
                thread.join()
    for attempt, least in enumerate(before):
        rs.restore(tmp_path / f"copy{attempt}", tmp_path / f"again{attempt}")
        assert rs.check(tmp_path / f"again{attempt}")
        with rs.connect(tmp_path / f"again{attempt}") as copy:
            found: list[set[int]] = [set() for _ in least]
            for name in "tu":
                for row in copy.table(name).scan():
                    _, writer, number = row.key.decode().split("-")
                    assert row["f:q"] == row["g:q"] == str(int(number)).encode()
                    found[int(writer)].add(int(number))
        for writer, numbers in enumerate(found):
            assert numbers == set(range(len(numbers))), f"writer {writer} of copy {attempt}"
            assert len(numbers) >= least[writer]


def test_a_backup_stays_as_it_is_while_the_database_goes_on(database: Path, tmp_path: Path) -> None:
    with rs.connect(database) as db:
        report = db.admin.backup(tmp_path / "copy")
        assert report.linked_bytes == report.size_bytes > 0
        db.table("t").put("later", {"f:q": "v"})
        db.admin.flush("t")
        db.admin.major_compact("t")
        db.admin.drop_table("t", force=True)
        with pytest.raises(errors.InvalidArgument, match="not empty"):
            db.admin.backup(tmp_path / "copy")
    with rs.connect(tmp_path / "copy") as copy:
        assert len(list(copy.table("t"))) == 201


def test_writes_that_skipped_the_log_are_in_the_backup(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        db.table("t").put("row", {"f:q": "v"}, durability="SKIP_WAL")
        db.admin.backup(tmp_path / "copy")
    with rs.connect(tmp_path / "copy") as copy:
        assert list(copy.table("t")) == [b"row"]


def test_a_copy_within_what_it_copies_is_refused(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: the next check found unknown files there."""
    monkeypatch.chdir(database.parent)
    inside = Path(database.name) / "copy"
    for copy in (rs.backup, rs.restore, rs.repair):
        with pytest.raises(errors.InvalidArgument, match="lies within"):
            copy(database, inside)
    with rs.connect(database) as db, pytest.raises(errors.InvalidArgument, match="lies within"):
        db.admin.backup(database / "copy")
    assert rs.check(database).is_clean


def test_a_database_without_its_manifest_is_damaged(database: Path) -> None:
    (database / "MANIFEST").unlink()
    with pytest.raises(errors.CorruptionError, match="has no MANIFEST"):
        rs.connect(database)


def test_backups_of_what_cannot_be_copied(database: Path, tmp_path: Path) -> None:
    with rs.connect(database, read_only=True) as db, pytest.raises(errors.ReadOnly):
        db.admin.backup(tmp_path / "copy")
    (tmp_path / "folder").mkdir()
    for work in (
        rs.check,
        lambda path: rs.backup(path, tmp_path / "copy"),
        lambda path: rs.restore(path, tmp_path / "x"),
    ):
        with pytest.raises(errors.NotADatabase):
            work(tmp_path / "folder")
        with pytest.raises(errors.NotADatabase):
            work(tmp_path / "nowhere")
    assert not list((tmp_path / "folder").iterdir())
    store_file(database).unlink()
    with pytest.raises(errors.CorruptionError):
        rs.backup(database, tmp_path / "piece")
    with pytest.raises(errors.NotADatabase):
        rs.connect(tmp_path / "piece", create=False)


def test_an_empty_target_is_refused(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: the log of a database in the current directory was overwritten."""
    with rs.connect(tmp_path / "other") as other:
        other.create_table("t", ["f"])
    before = {path: path.read_bytes() for path in database.rglob("*") if path.is_file()}
    monkeypatch.chdir(database)
    for copy in (rs.backup, rs.restore, rs.repair):
        with pytest.raises(errors.InvalidArgument, match="empty"):
            copy(tmp_path / "other", "")
    with rs.connect(tmp_path / "other") as other, pytest.raises(errors.InvalidArgument, match="empty"):
        other.admin.backup("")
    assert {path: path.read_bytes() for path in database.rglob("*") if path.is_file()} == before


def test_a_cell_that_fits_no_store_file_is_refused() -> None:
    """Regression: it was acknowledged, and then no flush and no opening succeeded."""
    unlimited = {"hbase.client.keyvalue.maxsize": 0, "hbase.server.keyvalue.maxsize": 0}
    with rs.connect(":memory:", configuration=unlimited) as db:
        db.create_table("t", ["f"])
        with pytest.raises(errors.CellTooLarge, match="134217"):
            db.table("t").put("r", {"f:q": bytes(128 << 20)})
        db.table("t").put("r", {"f:q": bytes((128 << 20) - 100)})
        db.admin.flush("t")
