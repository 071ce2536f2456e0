"""Backups in an S3 server: equal after kills and faults, nothing sent twice, one writer of a name."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rowstone as rs
from rowstone._base.remote import chunks, lists
from rowstone.errors import ExistsError, RetryError, StorageError
from tests.folders import contents
from tests.storage import runs
from tests.storage.conftest import Backups
from tests.storage.proxy import random_faults

KILLS = 10
FAULTS = 500


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (chunks, lists):
        monkeypatch.setattr(module, "CHUNK_BYTES", runs.SMALL_CHUNK)


def add_rows(path: Path, prefix: str, count: int, numbers: random.Random) -> None:
    """Add rows of 10 kB to the database in ``path``."""
    with rs.connect(path) as db:
        db.create_table("t", ["f"], splits=["m"], if_not_exists=True)
        with db.table("t").batch() as batch:
            for number in range(count):
                batch.put(f"{prefix}{number:05}", {"f:q": numbers.randbytes(10_000)})
        db.admin.flush("t")


def rows_of(path: Path) -> list[tuple[bytes, bytes]]:
    with rs.connect(path, read_only=True) as db:
        return [(row.key, row["f:q"]) for row in db.table("t").scan()]


def test_a_backup_and_a_restore_survive_kills_and_repeat_nothing(backups: Backups, tmp_path: Path) -> None:
    proxy, options, url = backups.proxy, backups.options, backups.url
    add_rows(tmp_path / "db", "a", 2500, random.Random(1))
    proxy.delay_seconds = 0.05
    arguments = ("backup", str(tmp_path / "db"), url, "one", json.dumps(options))
    for _ in range(KILLS):
        assert runs.run(lambda: sum(proxy.put_chunks().values()), 1, *arguments).is_killed
        proxy.wait_until_idle()
        assert rs.list_backups(url, storage_options=options) == []
    assert list(tmp_path.glob("db.upload-*")) != []
    report = rs.backup(tmp_path / "db", url, name="one", storage_options=options)
    assert list(tmp_path.glob("db.upload-*")) == []
    assert max(proxy.put_chunks().values()) == 1
    assert report.linked_bytes > 0
    rs.backup(tmp_path / "db", tmp_path / "local")

    def fetched() -> int:
        return sum(request.method == "GET" and "/chunks/" in request.path for request in proxy.requests)

    for _ in range(KILLS):
        assert runs.run(fetched, 1, "restore", url, str(tmp_path / "again"), "one", json.dumps(options)).is_killed
        assert not (tmp_path / "again").exists()
    rs.restore(url, tmp_path / "again", storage_options=options)
    restored, local = contents(tmp_path / "again"), contents(tmp_path / "local")
    # Each copy has a manifest of its own.
    assert restored.pop("MANIFEST") != local.pop("MANIFEST")
    assert restored == local
    assert rs.check(tmp_path / "again")
    assert rows_of(tmp_path / "again") == rows_of(tmp_path / "db")


def test_an_incremental_backup_sends_little_more_than_what_changed(backups: Backups, tmp_path: Path) -> None:
    proxy, options, url = backups.proxy, backups.options, backups.url
    numbers = random.Random(2)
    add_rows(tmp_path / "db", "a", 1000, numbers)
    rs.backup(tmp_path / "db", url, name="one", storage_options=options)
    rs.backup(tmp_path / "db", tmp_path / "before")
    for name in ("two", "three"):
        add_rows(tmp_path / "db", name, 200, numbers)
        proxy.requests.clear()
        with rs.connect(tmp_path / "db") as db:
            db.admin.backup(url, name=name, storage_options=options)
            db.admin.backup(tmp_path / name)
        before, after = contents(tmp_path / "before"), contents(tmp_path / name)
        changed = sum(len(data) for path, data in after.items() if before.get(path) != data)
        assert 2_000_000 < proxy.sent_bytes() <= 1.05 * changed
        (tmp_path / "before").rename(tmp_path / f"before-{name}")
        (tmp_path / name).rename(tmp_path / "before")


def test_five_hundred_faults_give_right_backups_or_errors(backups: Backups, tmp_path: Path) -> None:
    proxy, options, url = backups.proxy, backups.options, backups.url
    patience = {"max_retries": "3", "retry_pause": "1ms", "attempt_timeout": "500ms"}
    numbers, round_number, done, failed = random.Random(3), 0, 0, 0
    while proxy.faults() < FAULTS:
        round_number += 1
        name, target = f"b{round_number}", tmp_path / f"restored{round_number}"
        add_rows(tmp_path / "db", name, 100, numbers)
        proxy.choose = random_faults(round_number, numbers.choice((0.2, 0.4, 0.6)))
        try:
            rs.backup(tmp_path / "db", url, name=name, storage_options={**options, **patience})
            rs.restore(url, target, name=name, storage_options={**options, **patience})
            assert rows_of(target) == rows_of(tmp_path / "db")
            done += 1
        except (StorageError, RetryError):
            assert not target.exists()
            failed += 1
    proxy.choose = lambda method, path: None
    rs.backup(tmp_path / "db", url, name="last", storage_options=options)
    for found in rs.list_backups(url, storage_options=options):
        rs.restore(url, tmp_path / f"again-{found.name}", name=found.name, storage_options=options)
    assert rows_of(tmp_path / "again-last") == rows_of(tmp_path / "db")
    assert done > 2
    assert failed > 2


def test_concurrent_backups_are_right_or_refused(backups: Backups, tmp_path: Path) -> None:
    proxy, options, url = backups.proxy, backups.options, backups.url
    proxy.delay_seconds = 0.02
    for number in range(2):
        add_rows(tmp_path / f"db{number}", "a", 300, random.Random(number))

    def back_up(number: int, name: str) -> bool:
        try:
            rs.backup(tmp_path / f"db{number}", url, name=name, storage_options=options)
        except ExistsError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(back_up, (0, 1), ("zero", "one"))) == [True, True]
        add_rows(tmp_path / "db0", "b", 300, random.Random(4))
        add_rows(tmp_path / "db1", "c", 300, random.Random(5))
        same = list(pool.map(back_up, (0, 1), ("same", "same")))
    assert sorted(same) == [False, True]
    winner = same.index(True)
    rs.restore(url, tmp_path / "again", name="same", storage_options=options)
    assert rows_of(tmp_path / "again") == rows_of(tmp_path / f"db{winner}")
    for number, name in enumerate(("zero", "one")):
        rs.restore(url, tmp_path / name, name=name, storage_options=options)
        assert [row for row in rows_of(tmp_path / f"db{number}") if row[0][:1] == b"a"] == rows_of(tmp_path / name)


def test_old_backups_are_removed_with_their_objects(backups: Backups, tmp_path: Path) -> None:
    options, url = backups.options, backups.url
    for name in ("one", "two", "three"):
        add_rows(tmp_path / "db", name, 100, random.Random(6))
        rs.backup(tmp_path / "db", url, name=name, storage_options=options)
        with rs.connect(tmp_path / "db") as db:
            db.admin.major_compact("t")
    report = rs.prune_backups(url, keep=1, storage_options=options)
    assert (report.removed, report.kept) == (("one", "two"), ("three",))
    assert report.size_bytes > 1_000_000
    assert [found.name for found in rs.list_backups(url, storage_options=options)] == ["three"]
    rs.restore(url, tmp_path / "again", storage_options=options)
    assert rows_of(tmp_path / "again") == rows_of(tmp_path / "db")


def test_a_database_in_memory_is_backed_up(backups: Backups, tmp_path: Path) -> None:
    options, url = backups.options, backups.url
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.table("t").put("row", {"f:q": "value"})
        db.admin.backup(url, storage_options=options)
    rs.restore(url, tmp_path / "again", storage_options=options)
    assert rows_of(tmp_path / "again") == [(b"row", b"value")]


def test_mistakes_are_named_without_secrets(backups: Backups, tmp_path: Path) -> None:
    options = backups.options
    add_rows(tmp_path / "db", "a", 1, random.Random(7))
    for target, message in (
        ("s3://missing-bucket/x", "missing-bucket"),
        ("https://example.org/x", "only read"),
        ("hbase://localhost/x", "scheme is unknown"),
    ):
        with pytest.raises((StorageError, rs.errors.UsageError), match=message) as caught:
            rs.backup(tmp_path / "db", target, storage_options=options if target.startswith("s3") else None)
        assert "secret" not in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["db"]
