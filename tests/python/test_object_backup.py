"""Backups in object stores: chunks, lists, marks, interruptions. The store is in memory; tests/storage has a server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import jobs
from rowstone._base.remote import chunks, lists, marks
from rowstone._base.remote.download import download
from rowstone._base.remote.lists import list_names
from rowstone._base.remote.prune import prune
from rowstone._base.remote.staging import staging
from rowstone._base.remote.upload import new_name, upload
from rowstone.errors import (
    CorruptionError,
    ExistsError,
    InvalidArgument,
    NotFoundError,
    RetryError,
    StorageError,
    UnsupportedOperation,
)
from tests.folders import contents
from tests.python.fake_folder import FakeFolder, failing_at

CHUNK = 1000
HOUR_MS = 3_600_000


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> FakeFolder:
    """A folder, with chunks so small that files have several."""
    for module in (chunks, sys.modules["rowstone._base.remote.lists"]):
        monkeypatch.setattr(module, "CHUNK_BYTES", CHUNK)
    return FakeFolder()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The copy of a database with some files of several chunks."""
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"], splits=["5"])
        add_rows(db, 0)
        db.admin.backup(tmp_path / "copy")
    return tmp_path / "copy"


def add_rows(db: rs.Database, start: int) -> None:
    with db.table("t").batch() as batch:
        for number in range(start, start + 200):
            batch.put(f"{number % 10}{number}", {"f:q": os.urandom(40)})
    db.admin.flush("t")


def restore(folder: FakeFolder, target: Path, name: str | None = None) -> dict[str, bytes]:
    download(folder, "s3://b/x", name, target, None)  # type: ignore[arg-type]
    return contents(target)


def send(source: Path, folder: FakeFolder, name: str) -> int:
    return upload(source, folder, name, None)[1]  # type: ignore[arg-type]


def test_a_backup_is_restored_byte_by_byte(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    made, sent = upload(database, folder, "one", lambda *step: told.append(step))  # type: ignore[arg-type]
    assert made.size_bytes == sum(map(len, contents(database).values()))
    assert told[-1][1:] == (made.size_bytes, made.size_bytes)
    # Equal chunks, such as those of zeros, are sent once.
    assert sent == sum(len(data) for name, (data, _) in folder.objects.items() if name.startswith("chunks/"))
    assert max(len(data) for name, (data, _) in folder.objects.items() if name.startswith("chunks/")) == CHUNK
    assert restore(folder, tmp_path / "again") == contents(database)
    with rs.connect(tmp_path / "again") as db:
        assert len(list(db.table("t").scan())) == 200
    assert not [name for name in folder.objects if name.startswith("marks/")]


def test_only_what_changed_is_sent(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    send(database, folder, "one")
    before = contents(database)
    with rs.connect(tmp_path / "db") as db:
        add_rows(db, 1000)
        db.admin.backup(tmp_path / "second")
    after = contents(tmp_path / "second")
    changed = sum(len(data) for data in after.values() if data not in before.values())
    assert 0 < send(tmp_path / "second", folder, "two") <= 1.05 * changed
    assert send(tmp_path / "second", folder, "three") == 0
    assert restore(folder, tmp_path / "old", "one") == before
    assert restore(folder, tmp_path / "new") == after


def test_an_interrupted_upload_repeats_nothing_and_is_not_listed(folder: FakeFolder, database: Path) -> None:
    for _ in range(8):
        folder.before = failing_at(4, "put", "chunks/")
        with pytest.raises(StorageError, match="no answer"):
            send(database, folder, "one")
        folder.before = lambda kind, name: None
        assert list_names(folder) == []  # type: ignore[arg-type]
        # What failed had no effect, so only the others count.
        folder.log = [(kind, name) for kind, name in folder.log if name in folder.objects]
    send(database, folder, "one")
    assert len(folder.sent()) == len(set(folder.sent())) > 24


def test_a_list_is_written_only_when_all_chunks_are_there(folder: FakeFolder, database: Path) -> None:
    def lose_one(kind: str, name: str) -> None:
        found = [known for known in folder.objects if known.startswith("chunks/")]
        if kind == "list" and name == "chunks/0" and found:
            del folder.objects[found[0]]

    folder.before = lose_one
    with pytest.raises(StorageError, match="1 sent objects are not there"):
        send(database, folder, "one")
    assert list_names(folder) == []  # type: ignore[arg-type]


def test_a_name_is_used_once(folder: FakeFolder, database: Path) -> None:
    send(database, folder, "one")
    with pytest.raises(ExistsError, match="'one'"):
        send(database, folder, "one")
    for name in ("", "a/b", ".hidden", "x" * 101, "ä"):
        with pytest.raises(InvalidArgument, match="cannot be named"):
            send(database, folder, name)


def test_one_of_two_writers_of_a_name_is_refused(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    def overtake(kind: str, name: str) -> None:
        if (kind, name) == ("put", "backups/one.json"):
            folder.before = lambda kind, name: None
            send(tmp_path / "other", folder, "one")

    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "MANIFEST").write_bytes(b"other")
    folder.before = overtake
    with pytest.raises(ExistsError, match="'one'"):
        send(database, folder, "one")
    assert restore(folder, tmp_path / "again") == {"MANIFEST": b"other"}


def test_a_prune_removes_what_no_backup_has(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    for number in range(4):
        (database / "data" / "extra").write_bytes(os.urandom(2500))
        folder.now_ms += HOUR_MS
        send(database, folder, f"b{number}")
    report = prune(folder, 2, ["b3"])  # type: ignore[arg-type]
    assert (report.removed, report.kept) == (("b0", "b1", "b3"), ("b2",))
    assert report.objects >= 9
    assert report.size_bytes >= 3 * 2500
    restore(folder, tmp_path / "kept")
    wanted = {chunks.digest_of(data) for name, (data, _) in folder.objects.items() if name.startswith("chunks/")}
    assert len(wanted) == sum(name.startswith("chunks/") for name in folder.objects)
    with pytest.raises(NotFoundError, match="'b0'"):
        prune(folder, None, ["b0"])  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="at least 1"):
        prune(folder, 0, [])  # type: ignore[arg-type]


def test_a_prune_waits_for_backups_and_they_for_it(folder: FakeFolder, database: Path) -> None:
    def at(step: str, work: Callable[[], object]) -> Callable[[str, str], None]:
        def before(kind: str, name: str) -> None:
            if kind == "list" and name == step:
                folder.before = lambda kind, name: None
                with pytest.raises(RetryError):
                    work()

        return before

    folder.before = at("chunks/7", lambda: prune(folder, 1, []))  # type: ignore[arg-type]
    send(database, folder, "one")
    folder.before = at("chunks/7", lambda: send(database, folder, "two"))
    prune(folder, 1, [])  # type: ignore[arg-type]


def test_marks_of_killed_runs_are_void_after_an_hour(folder: FakeFolder, database: Path) -> None:
    folder.before = failing_at(5, "put", "chunks/")
    with pytest.raises(StorageError):
        send(database, folder, "one")
    folder.before = lambda kind, name: None
    with pytest.raises(RetryError, match="'one' is in progress"):
        prune(folder, None, [])  # type: ignore[arg-type]
    folder.now_ms += HOUR_MS + 1
    assert prune(folder, None, []).objects == 4  # type: ignore[arg-type]
    assert folder.objects == {}


def test_a_backup_that_was_taken_for_a_killed_one_is_not_listed(folder: FakeFolder, database: Path) -> None:
    def sleep_long(kind: str, name: str) -> None:
        if (kind, name) == ("put", "backups/one.json"):
            folder.before = lambda kind, name: None
            folder.now_ms += HOUR_MS + 1
            prune(folder, None, [])  # type: ignore[arg-type]

    folder.before = sleep_long
    with pytest.raises(RetryError, match="no progress for an hour"):
        send(database, folder, "one")
    assert list_names(folder) == []  # type: ignore[arg-type]


@dataclass
class Clocks:
    """Clocks that tests move: a steady one, and the time of day."""

    steady: float = 0.0
    day: float = 1e9

    def __call__(self) -> tuple[float, float]:
        return self.steady, self.day


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    moved = Clocks()
    monkeypatch.setattr(marks, "clocks", moved)
    return moved


@pytest.mark.parametrize("clock", ["steady", "day"])
def test_a_mark_is_renewed_while_its_owner_works(folder: FakeFolder, clocks: Clocks, clock: str) -> None:
    def move(seconds: float) -> None:
        setattr(clocks, clock, getattr(clocks, clock) + seconds)

    with marks.marked(folder, "backup-x") as mark:  # type: ignore[arg-type]
        mark.renew()
        assert len(folder.sent("marks/")) == 1
        move(marks.RENEW_AFTER_SECONDS + 1)
        mark.renew()
        assert len(folder.sent("marks/")) == 2
        move(HOUR_MS / 1000)
        with pytest.raises(RetryError, match="no progress for 3600 seconds"):
            mark.renew()


def test_a_mark_that_was_removed_is_not_put_again(folder: FakeFolder, clocks: Clocks) -> None:
    with marks.marked(folder, "backup-x") as mark:  # type: ignore[arg-type]
        folder.objects.clear()
        clocks.steady += marks.RENEW_AFTER_SECONDS + 1
        with pytest.raises(RetryError, match="took this run for a killed one"):
            mark.renew()
        assert folder.objects == {}


@pytest.mark.parametrize("step", [("list", "chunks/f"), ("get", "backups/two.json"), ("delete", "chunks/")])
def test_a_suspended_prune_removes_nothing_more(
    folder: FakeFolder, clocks: Clocks, database: Path, monkeypatch: pytest.MonkeyPatch, step: tuple[str, str]
) -> None:
    def suspend(kind: str, name: str) -> None:
        if kind == step[0] and name.startswith(step[1]):
            clocks.day += HOUR_MS / 1000

    # Each worker checks the clock before it removes a chunk.
    module = sys.modules["rowstone._base.remote.prune"]
    monkeypatch.setattr(module, "in_parallel", lambda work, items: list(map(work, items)))
    send(database, folder, "one")
    for path in database.rglob("*"):
        if path.is_file() and path.name != "MANIFEST":
            path.unlink()
    folder.now_ms += 1
    send(database, folder, "two")
    before = len([name for name in folder.objects if name.startswith("chunks/")])
    folder.before = suspend
    with pytest.raises(RetryError, match="no progress for 3600 seconds"):
        prune(folder, 1, [])  # type: ignore[arg-type]
    after = len([name for name in folder.objects if name.startswith("chunks/")])
    # The request that was under way has its effect.
    assert before - after == (1 if step[0] == "delete" else 0)
    assert ("backups/one.json" in folder.objects) == (step[0] == "get")


def test_a_prune_with_many_lists_stays_in_force(folder: FakeFolder, clocks: Clocks, database: Path) -> None:
    def take_long(kind: str, name: str) -> None:
        if kind in ("get", "delete") and name.startswith("backups/"):
            clocks.steady += 1000
            folder.now_ms += 1_000_000

    for number in range(8):
        folder.now_ms += 1
        send(database, folder, f"b{number}")
    folder.before = take_long
    assert len(prune(folder, 4, []).removed) == 4  # type: ignore[arg-type]


def test_chunks_are_listed_between_two_checks_for_prunes(folder: FakeFolder, database: Path) -> None:
    send(database, folder, "one")
    written = folder.log.index(("put", "backups/one.json"))
    listed = [name for kind, name in folder.log[:written] if kind == "list"]
    assert listed[-18:] == ["marks", *listed[-17:-1], "marks"]
    assert all(name.startswith("chunks/") for name in listed[-17:-1])


@pytest.mark.parametrize("error", [StorageError("no answer"), KeyboardInterrupt()])
def test_a_backup_that_fails_at_the_end_is_not_listed(folder: FakeFolder, database: Path, error: BaseException) -> None:
    def fail(kind: str, name: str) -> None:
        if (kind, name) == ("list", "marks") and "backups/one.json" in folder.objects:
            raise error

    folder.before = fail
    with pytest.raises(type(error)):
        send(database, folder, "one")
    assert "backups/one.json" not in folder.objects


def test_a_failed_backup_removes_no_list_of_another(folder: FakeFolder, database: Path) -> None:
    other = lists.BackupList("one", "other", [lists.ListedFile("MANIFEST", 0, [])])

    def replace(kind: str, name: str) -> None:
        if (kind, name) == ("get", "backups/one.json"):
            folder.before = lambda kind, name: None
            del folder.objects[name]
            lists.write_list(folder, other)  # type: ignore[arg-type]

    folder.before = replace
    with pytest.raises(ExistsError, match="'one'"):
        send(database, folder, "one")
    assert lists.read_list(folder, "one") == other  # type: ignore[arg-type]


def test_a_mark_that_cannot_be_removed_is_no_failure(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    folder.before = failing_at(1, "delete", "marks/")
    assert send(database, folder, "one") > 0
    folder.before = lambda kind, name: None
    assert restore(folder, tmp_path / "again") == contents(database)


def test_a_store_that_replaces_new_objects_is_refused(
    folder: FakeFolder, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = folder.put
    monkeypatch.setattr(folder, "put", lambda name, data, is_new: put(name, data, is_new=False))
    with pytest.raises(UnsupportedOperation, match="If-None-Match"):
        send(database, folder, "one")
    assert folder.objects == {}


def test_a_directory_that_cannot_be_listed_is_no_empty_one(
    folder: FakeFolder, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def refuse(path: str) -> object:
        if Path(path).name == "data":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(StorageError, match="data' cannot be listed: Permission denied"):
        send(database, folder, "one")
    assert list_names(folder) == []  # type: ignore[arg-type]


def test_a_copy_with_missing_files_is_not_sent(folder: FakeFolder, database: Path) -> None:
    size = sum(map(len, contents(database).values()))
    with pytest.raises(StorageError, match=f"has {size} bytes, but {size + 1} were copied"):
        upload(database, folder, "one", None, size + 1)  # type: ignore[arg-type]
    assert folder.objects == {}
    for number, reported in enumerate((size, size - len(contents(database)["MANIFEST"]))):
        upload(database, folder, f"b{number}", None, reported)  # type: ignore[arg-type]


def test_a_directory_that_is_no_restore_stays(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    send(database, folder, "one")
    for name in ("MANIFEST", "files/MANIFEST"):
        own = tmp_path / "again.restore" / name
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text("own")
        with pytest.raises(InvalidArgument, match="is not an unfinished restore"):
            restore(folder, tmp_path / "again")
        assert contents(tmp_path / "again.restore") == {name: b"own"}
        own.unlink()
    (tmp_path / "again.restore" / "files").rmdir()
    # A kill before the note had its name.
    (tmp_path / "again.restore" / "backup.json.new").write_text("{")
    assert restore(folder, tmp_path / "again") == contents(database)
    assert not (tmp_path / "again.restore").exists()


def test_a_restore_removes_no_files_of_others(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    send(database, folder, "one")
    folder.before = failing_at(2, "get", "chunks/")
    with pytest.raises(StorageError):
        restore(folder, tmp_path / "again")
    folder.before = lambda kind, name: None
    (tmp_path / "again.restore" / "own").write_text("own")
    assert restore(folder, tmp_path / "again") == contents(database)
    assert contents(tmp_path / "again.restore") == {"own": b"own"}


def test_a_backup_that_is_removed_during_its_restore_is_not_called_damaged(
    folder: FakeFolder, database: Path, tmp_path: Path
) -> None:
    def remove(kind: str, name: str) -> None:
        if kind == "get" and name.startswith("chunks/"):
            folder.before = lambda kind, name: None
            prune(folder, None, ["one"])  # type: ignore[arg-type]

    send(database, folder, "one")
    folder.before = remove
    with pytest.raises(NotFoundError, match="'one' was removed during the restore"):
        restore(folder, tmp_path / "again")


def test_a_list_with_too_few_chunks_is_damaged(folder: FakeFolder, tmp_path: Path) -> None:
    files = [lists.ListedFile("MANIFEST", CHUNK + 1, ["a" * 64])]
    with pytest.raises(CorruptionError, match=r"backups/one\.json.* expected 2 chunks of 'MANIFEST', found 1"):
        lists.write_list(folder, lists.BackupList("one", "id", files))  # type: ignore[arg-type]
    with pytest.raises(CorruptionError, match="expected 2 chunks"):
        restore(folder, tmp_path / "again")


def test_names_of_one_second_differ() -> None:
    assert len({new_name() for _ in range(20)}) == 20


def test_an_interrupted_restore_goes_on(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    send(database, folder, "one")
    send(database, folder, "other")
    target = tmp_path / "again"
    fetched = []
    for number in (1, 9, 20):
        folder.log.clear()
        folder.before = failing_at(number, "get", "chunks/")
        with pytest.raises(StorageError, match="no answer"):
            restore(folder, target, "one")
        fetched += [name for kind, name in folder.log if kind == "get" and name.startswith("chunks/")][: number - 1]
        assert not target.exists()
    folder.before = lambda kind, name: None
    with pytest.raises(InvalidArgument, match="unfinished restore of another backup"):
        restore(folder, target, "other")
    folder.log.clear()
    assert restore(folder, target, "one") == contents(database)
    fetched += [name for kind, name in folder.log if kind == "get" and name.startswith("chunks/")]
    # Those in flight at the failure were received, but not all of them were written.
    assert len(fetched) <= len(set(fetched)) + 3 * 4


@pytest.mark.parametrize("damage", ["missing", "shorter", "changed"])
def test_a_damaged_object_is_named(folder: FakeFolder, database: Path, tmp_path: Path, damage: str) -> None:
    send(database, folder, "one")
    name = folder.sent()[7]
    data, time = folder.objects[name]
    if damage == "missing":
        del folder.objects[name]
    else:
        folder.objects[name] = (data[:-1] if damage == "shorter" else data[:-1] + b"?", time)
    with pytest.raises(CorruptionError, match=name) as caught:
        restore(folder, tmp_path / "again")
    assert caught.value.file == name
    # As the message says: without the object, the next backup sends it again.
    folder.objects.pop(name, None)
    assert send(database, folder, "two") == len(data)
    assert restore(folder, tmp_path / "again", "one") == contents(database)


def test_a_damaged_list_is_named_and_keeps_all_chunks(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    send(database, folder, "one")
    document, time = folder.objects["backups/one.json"]
    folder.objects["backups/one.json"] = (document.replace(b"WALs", b"WALz", 1), time)
    there = len(folder.objects)
    for work in (lambda: restore(folder, tmp_path / "again"), lambda: prune(folder, 1, [])):  # type: ignore[arg-type]
        with pytest.raises(CorruptionError, match=r"backups/one\.json"):
            work()
    assert len(folder.objects) == there


def test_paths_outside_of_the_directory_are_refused(folder: FakeFolder, tmp_path: Path) -> None:
    for number, path in enumerate(("../x", "/x", "a/../../x", "a\\x")):
        files = [lists.ListedFile(path, 0, []), lists.ListedFile("MANIFEST", 0, [])]
        lists.write_list(folder, lists.BackupList(f"b{number}", "id", files))
        with pytest.raises(CorruptionError, match="the path"):
            restore(folder, tmp_path / "again", f"b{number}")
    assert not (tmp_path / "x").exists()


def test_a_target_that_is_in_use_is_refused(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    send(database, folder, "one")
    with pytest.raises(InvalidArgument, match="not empty"):
        restore(folder, database)
    with pytest.raises(NotFoundError, match=r"no backup 'two' .*newest: one"):
        restore(folder, tmp_path / "again", "two")


def test_a_target_behind_a_link_is_filled(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    """Regression: the restore failed when all files were there, because a link is not removed like a directory."""
    send(database, folder, "one")
    (tmp_path / "disk" / "empty").mkdir(parents=True)
    (tmp_path / "link").symlink_to("disk/empty")
    restore(folder, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert rs.check(tmp_path / "disk" / "empty").is_clean
    assert [path.name for path in (tmp_path / "disk").iterdir()] == ["empty"]


def test_the_root_of_a_file_system_is_refused_before_the_restore(
    folder: FakeFolder, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: it was refused when all files were there, which cannot be renamed to it."""
    send(database, folder, "one")
    monkeypatch.setattr(Path, "is_mount", lambda path: path == tmp_path / "disk")
    (tmp_path / "disk").mkdir()
    with pytest.raises(InvalidArgument, match="root of a file system; pass a new directory in it"):
        restore(folder, tmp_path / "disk")
    assert not (tmp_path / "disk.restore").exists()


def test_staging_is_removed_even_after_a_kill(tmp_path: Path) -> None:
    database = tmp_path / "db"
    script = "import os, sys; from rowstone._base.remote.staging import staging\nwith staging(sys.argv[1]): os._exit(9)"
    assert subprocess.run([sys.executable, "-c", script, database], check=False).returncode == 9
    assert len(list(tmp_path.iterdir())) == 1
    with staging(str(database)) as own, staging(str(database)) as other:
        assert len(list(tmp_path.iterdir())) == 2
        assert own != other
    assert list(tmp_path.iterdir()) == []


def test_file_urls_are_paths(database: Path, tmp_path: Path) -> None:
    rs.backup(database, f"file://{tmp_path}/out")
    rs.restore(f"file://{tmp_path}/out", f"file://{tmp_path}/a%20b")
    with rs.connect(tmp_path / "a b") as db:
        db.admin.snapshot("s", "t")
        db.admin.snapshots.export("s", f"file://{tmp_path}/hbase")
        jobs.export_table(db, "t", f"file://{tmp_path}/t.csv", {"f:q": "q"})
    with rs.connect(":memory:") as db:
        db.create_table("u", ["f"])
        assert jobs.import_file(db, "u", f"file://{tmp_path}/t.csv", {"f:q": "q"}, key="row").rows == 200
        db.admin.snapshots.import_from("s", f"file://{tmp_path}/hbase")
    with pytest.raises(InvalidArgument, match="three slashes"):
        rs.backup(database, "file://host/x")


def test_options_of_object_stores_are_refused_for_directories(database: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="name is for object stores"):
        rs.backup(database, tmp_path / "x", name="one")
    with pytest.raises(InvalidArgument, match="storage_options is for object stores"):
        rs.restore(database, tmp_path / "x", storage_options={"aws_region": "x"})
