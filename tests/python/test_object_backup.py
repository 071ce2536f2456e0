"""Backups in object stores: chunks, lists, marks, interruptions. The store is in memory; tests/storage has a server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import jobs
from rowstone._base.remote import chunks, marks
from rowstone._base.remote.download import download
from rowstone._base.remote.lists import list_names
from rowstone._base.remote.prune import prune
from rowstone._base.remote.staging import staging
from rowstone._base.remote.upload import upload
from rowstone.errors import (
    CorruptionError,
    ExistsError,
    InvalidArgument,
    NotFoundError,
    RetryError,
    StorageError,
)
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


def contents(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


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


def test_of_two_writers_of_one_name_one_is_refused(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
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


def test_a_mark_is_renewed_while_its_owner_works(folder: FakeFolder) -> None:
    now = 0.0
    with marks.marked(folder, "backup-x", lambda: now) as mark:  # type: ignore[arg-type]
        mark.renew()
        assert len(folder.sent("marks/")) == 1
        now += marks.RENEW_AFTER_SECONDS + 1
        mark.renew()
        assert len(folder.sent("marks/")) == 2
        now += HOUR_MS / 1000
        with pytest.raises(RetryError, match="no progress for 3600 seconds"):
            mark.renew()


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
        files = [rs._base.remote.lists.ListedFile(path, 0, []), rs._base.remote.lists.ListedFile("MANIFEST", 0, [])]
        rs._base.remote.lists.write_list(folder, rs._base.remote.lists.BackupList(f"b{number}", "id", files))
        with pytest.raises(CorruptionError, match="the path"):
            restore(folder, tmp_path / "again", f"b{number}")
    assert not (tmp_path / "x").exists()


def test_a_target_that_is_in_use_is_refused(folder: FakeFolder, database: Path, tmp_path: Path) -> None:
    send(database, folder, "one")
    with pytest.raises(InvalidArgument, match="not empty"):
        restore(folder, database)
    with pytest.raises(NotFoundError, match=r"no backup 'two' .*newest: one"):
        restore(folder, tmp_path / "again", "two")


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
        db.admin.snapshots.import_from(f"file://{tmp_path}/hbase", "s")
    with pytest.raises(InvalidArgument, match="three slashes"):
        rs.backup(database, "file://host/x")


def test_options_of_object_stores_are_refused_for_directories(database: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="name is for object stores"):
        rs.backup(database, tmp_path / "x", name="one")
    with pytest.raises(InvalidArgument, match="storage_options is for object stores"):
        rs.restore(database, tmp_path / "x", storage_options={"aws_region": "x"})
