"""A directory that is moved, deleted or given to another owner while it is open: no loss, no files at its old path."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.errors import LogPoisoned, RowstoneError, StorageError
from tests.python.process import run

LATER = """
import sys
import rowstone as rs
with rs.connect(sys.argv[1]) as db:
    db.table("t").put("later", {"f:q": "2"})
    db.admin.flush("t")
"""


def opened(path: Path) -> rs.Database:
    db = rs.connect(path)
    db.create_table("t", ["f"])
    db.table("t").put("first", {"f:q": "1"})
    return db


def refuses_everything(db: rs.Database) -> None:
    """Every change fails and says why; reads continue."""
    table = db.table("t")
    changes: list[Callable[[], object]] = [
        lambda: db.admin.flush("t"),
        lambda: db.create_table("u", ["f"]),
        lambda: table.put("lost", {"f:q": "3"}, durability="FSYNC_WAL"),
    ]
    for change in changes:
        with pytest.raises(StorageError, match="moved, deleted or replaced while it was open; close it"):
            change()
    with pytest.raises(LogPoisoned, match="LOCK is no longer the file"):
        table.put("lost", {"f:q": "3"})
    assert table["first"]["f:q"] == b"1"
    with pytest.raises(RowstoneError, match="moved, deleted or replaced"):
        db.close()


def rows(path: Path) -> set[bytes]:
    with rs.connect(path) as db:
        return {row.key for row in db.table("t").scan()} - {b"lost"}


def test_a_moved_directory_has_all_rows_and_its_old_path_none(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    db = opened(old)
    old.rename(new)
    refuses_everything(db)
    assert not old.exists()
    assert rows(new) == {b"first"}
    assert rs.check(new)


def test_a_deleted_directory_is_not_made_again(tmp_path: Path) -> None:
    db = opened(tmp_path / "db")
    shutil.rmtree(tmp_path / "db")
    refuses_everything(db)
    assert not (tmp_path / "db").exists()


def test_an_owner_whose_lock_file_was_removed_leaves_the_next_ones_files_alone(tmp_path: Path) -> None:
    path = tmp_path / "db"
    db = opened(path)
    (path / "LOCK").unlink()
    run(LATER, path)
    refuses_everything(db)
    assert rows(path) == {b"first", b"later"}
    assert rs.check(path)


def open_below(path: Path) -> list[str]:
    links = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            links.append(str(entry.readlink()))
        except FileNotFoundError:
            continue
    return [link for link in links if link.startswith(f"{path}/")]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_closed_database_has_no_file_open_while_a_table_is_referenced(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "db"
    with opened(path) as db:
        db.admin.flush("t")
    db = rs.connect(path, read_only=read_only)
    table = db.table("t")
    assert table["first"]["f:q"] == b"1"
    assert open_below(path)
    db.close()
    assert open_below(path) == []
    with pytest.raises(rs.errors.DatabaseClosed):
        table.get("first")
