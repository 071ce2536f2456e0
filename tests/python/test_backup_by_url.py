"""Backup of a served database through its URL, while clients continue to write."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors, jobs
from rowstone.cli import main


def test_tables_come_with_all_that_they_have(tmp_path: Path) -> None:
    out = tmp_path / "copy"
    with rs.serve(":memory:", port=0, zk_port=None) as server, rs.connect(server.url) as db:
        db.admin.namespaces.create("shop", {"OWNER": "ada"})
        db.create_table("shop:orders", {"o": rs.Family(max_versions=3), "p": {}}, splits=["m"], attributes={"A": "b"})
        db.create_table("off", ["f"])
        orders = db.table("shop:orders")
        for number in range(3):
            orders.put("1", {"o:item": f"v{number}"}, timestamp=number + 1)
        orders.put("z", {"o:item": "lamp", "p:x": "y"}, timestamp=5)
        orders.delete("z", ["p:x"], timestamp=5)
        db.table("off").put("row", {"f:q": "value"})
        db.admin.alter_table("off", attributes={"READONLY": "true"})
        db.admin.disable_table("off")
        report = rs.backup(server.url, out)
        assert report.store_files >= 2
        assert db.tables() == ["off", "shop:orders"], "clones are dropped"
        assert db.admin.snapshots.list() == [], "and snapshots removed"
        with rs.connect(out) as copy:
            assert jobs.compare_tables(db, "shop:orders", copy, raw=True).are_equal
            assert copy.admin.describe("shop:orders").attributes["A"] == "b"
            assert [one.start_key for one in copy.admin.regions.list("shop:orders")] == [b"", b"m"]
            assert copy.admin.namespaces.describe("shop")["OWNER"] == "ada"
            assert not copy.admin.tables.is_enabled("off")
            copy.admin.enable_table("off")
            assert copy.table("off").get("row")["f:q"] == b"value"
    assert rs.check(out).is_clean


def test_rows_are_whole_while_clients_write(tmp_path: Path) -> None:
    """Two families of each row are written in one put: the copy has both or neither."""
    ended = threading.Event()
    with rs.serve(":memory:", port=0, zk_port=None) as server, rs.connect(server.url) as db:
        db.create_table("t", ["f", "g"], splits=[f"{number}" for number in range(1, 10)])
        first = threading.Event()

        def write() -> None:
            number = 0
            while not ended.is_set():
                db.table("t").put(f"{number % 100:02d}", {"f:q": str(number), "g:q": str(number)})
                number += 1
                if number == 200:
                    first.set()

        writer = threading.Thread(target=write)
        writer.start()
        try:
            assert first.wait(30)
            rs.backup(server.url, tmp_path / "copy")
        finally:
            ended.set()
            writer.join()
    with rs.connect(tmp_path / "copy") as copy:
        rows = list(copy.table("t").scan())
        assert len(rows) == 100
        assert not [row.key for row in rows if row["f:q"] != row["g:q"]]


def test_indexed_tables_come_with_their_indexes(tmp_path: Path) -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        db = server.database
        db.create_table("t", ["f"])
        db.table("t").put("row", {"f:q": "value"})
        db.create_index("t", "by_q", "f:q", strategy="coprocessor")
        rs.backup(server.url, tmp_path / "copy")
        assert db.tables() == ["t", "t_by_q"]
    with rs.connect(tmp_path / "copy") as copy:
        assert [row.key for row in copy.index("t", "by_q").query("value")] == [b"row"]
        copy.table("t").put("more", {"f:q": "value"})
        assert [row.key for row in copy.index("t", "by_q").query("value")] == [b"more", b"row"]


def test_a_backup_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise errors.StorageError("the disk is on fire")

    monkeypatch.setattr("rowstone.jobs.copies._backup.copy_table", fail)
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        server.database.create_table("t", ["f"])
        with pytest.raises(errors.StorageError, match="on fire"):
            rs.backup(server.url, tmp_path / "copy")
        assert server.database.tables() == ["t"]
        assert server.database.admin.snapshots.list() == []
    assert not list(tmp_path.iterdir())


def test_the_command_copies_a_served_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Regression: the command was refused because the directory is open in the server."""
    with rs.serve(tmp_path / "db", port=0, zk_port=None) as server:
        server.database.create_table("t", ["f"])
        server.database.table("t").put("row", {"f:q": "value"})
        with pytest.raises(SystemExit) as refused:
            main(["backup", str(tmp_path / "db"), str(tmp_path / "copy")])
        assert refused.value.code == 4
        assert "db.admin.backup" in capsys.readouterr().err
        with pytest.raises(SystemExit) as done:
            main(["backup", server.url, str(tmp_path / "copy"), "--json"])
        assert done.value.code == 0
    with rs.connect(tmp_path / "copy", read_only=True) as copy:
        assert copy.table("t").get("row")["f:q"] == b"value"


def test_refused_backups_change_no_files(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        with pytest.raises(errors.InvalidArgument, match="is not empty"):
            rs.backup(server.url, tmp_path / "full")
        with pytest.raises(errors.UnsupportedOperation, match="a directory has no such option"):
            rs.backup(tmp_path / "full", tmp_path / "out", user="ada")
    assert [one.name for one in tmp_path.iterdir()] == ["full"]


def test_a_target_behind_a_link_is_filled(tmp_path: Path) -> None:
    """Regression: the copy was thrown away at its end, because a link is not removed like a directory."""
    (tmp_path / "disk" / "empty").mkdir(parents=True)
    (tmp_path / "link").symlink_to("disk/empty")
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        server.database.create_table("t", ["f"])
        assert rs.backup(server.url, tmp_path / "link").path == str(tmp_path / "link")
        (tmp_path / "file").touch()
        with pytest.raises(errors.InvalidArgument, match="is not empty"):
            rs.backup(server.url, tmp_path / "file")
    assert (tmp_path / "link").is_symlink()
    with rs.connect(tmp_path / "disk" / "empty") as copy:
        assert copy.tables() == ["t"]
    assert [path.name for path in (tmp_path / "disk").iterdir()] == ["empty"]
