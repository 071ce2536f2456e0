"""Indexes of copied tables: their entries are in a table of their own, which a copy of the table lacks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors, jobs
from rowstone.indexes import Index
from tests.python.test_tools import rowstone


@pytest.fixture(name="db")
def _db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        for name, town in (("ann", "Oslo"), ("bob", "Bergen"), ("eva", "Oslo")):
            db.table("t").put(name, {"f:town": town})
        db.create_index("t", "ix", "f:town", strategy="coprocessor")
        yield db


def works(index: Index) -> None:
    """Queries use the index, writes maintain it, and it can be dropped."""
    db, table = index._database, index.definition.table
    assert [row.key for row in index.query(equals="Oslo")] == [b"ann", b"eva"]
    assert index.query().explain().path == f"entries of {table}_ix, rows of {table}"
    db.table(table).put("cid", {"f:town": "Oslo"})
    assert [row.key for row in db.index(table, "ix").query(equals="Oslo")] == [b"ann", b"cid", b"eva"]
    assert not index.verify()
    index.drop()
    assert f"{table}_ix" not in db.tables()
    db.table(table).put("dan", {"f:town": "Oslo"})


@pytest.mark.parametrize("name", ["t", "u", "ns:u"])
def test_a_copied_table_has_a_coprocessor_index_of_its_own(db: rs.Database, name: str) -> None:
    """Regression: writes and queries failed, because there was no table of entries."""
    with rs.connect(":memory:") as there:
        assert jobs.create_table_like(db, "t", there, name)
        jobs.copy_table(db, "t", there, name)
        works(there.index(name, "ix"))
    assert not db.index("t", "ix").verify()


@pytest.mark.parametrize("strategy", ["dual", "periodic"])
def test_other_indexes_of_a_copied_table_are_built_by_a_rebuild(db: rs.Database, strategy: str) -> None:
    db.create_index("t", "other", "f:town", strategy=strategy)  # type: ignore[arg-type]
    jobs.create_table_like(db, "t", db, "u")
    jobs.copy_table(db, "t", db, "u")
    index = db.index("u", "other")
    assert len(list(index.query())) == 3
    assert "not built" in index.query().explain().note
    assert index.rebuild() == 3
    assert not index.verify()


def test_a_cloned_or_imported_snapshot_is_repaired_by_a_rebuild(db: rs.Database, tmp_path: Path) -> None:
    """Regression: rebuild() and drop() raised an error for the missing table of entries."""
    db.admin.snapshot("s", "t")
    db.admin.snapshots.clone("s", "u")
    db.admin.snapshots.export("s", str(tmp_path / "out"))
    with rs.connect(":memory:") as there:
        there.admin.snapshots.import_from("s", str(tmp_path / "out"))
        there.admin.snapshots.clone("s", "t")
        with pytest.raises(errors.TableNotFound, match=r"db.index\('t', 'ix'\).rebuild\(\) creates it"):
            list(there.index("t", "ix").query())
        with pytest.raises(errors.CoprocessorError, match=r"db.index\('t', 'ix'\).rebuild\(\) creates it"):
            there.table("t").put("cid", {"f:town": "Oslo"})
        assert there.index("t", "ix").rebuild() == 3
        works(there.index("t", "ix"))
    assert db.index("u", "ix").rebuild() == 3
    works(db.index("u", "ix"))


def test_an_index_without_entries_can_be_dropped(db: rs.Database) -> None:
    db.admin.snapshot("s", "t")
    db.index("t", "ix").drop()
    db.drop_table("t", force=True)
    db.admin.snapshots.clone("s", "t")
    db.index("t", "ix").drop()
    db.table("t").put("cid", {"f:town": "Oslo"})


def test_a_copy_does_not_take_another_table_for_its_entries(db: rs.Database) -> None:
    db.create_table("u_ix", ["i"])
    with pytest.raises(errors.TableExists, match="entries in table 'u_ix', but another table"):
        jobs.create_table_like(db, "t", db, "u")
    assert "u" not in db.tables()
    db.admin.snapshot("s", "t")
    db.admin.snapshots.clone("s", "u")
    with pytest.raises(errors.TableExists):
        db.index("u", "ix").rebuild()
    db.index("u", "ix").drop()
    assert "u_ix" in db.tables()


def test_a_cluster_gets_a_copy_without_a_coprocessor_index(db: rs.Database, caplog: pytest.LogCaptureFixture) -> None:
    with rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url) as client:
        jobs.create_table_like(db, "t", client, "u")
        jobs.copy_table(db, "t", client, "u")
        assert client.indexes("u") == []
        assert len(list(client.table("u"))) == 3
    assert "cannot maintain index$ix of table 't'" in caplog.text


def test_rowstone_copy_builds_the_index(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "d1") as db:
        db.create_table("t", ["f"])
        db.table("t").put("ann", {"f:town": "Oslo"})
        db.create_index("t", "ix", "f:town", strategy="coprocessor")
        db.create_index("t", "old", "f:town", strategy="periodic")
    output = rowstone("copy", f"{tmp_path}/d1/t", f"{tmp_path}/d2/t")
    assert "index old is not built in the copy; build it with db.index('t', 'old').rebuild()" in output
    assert "index ix" not in output
    with rs.connect(tmp_path / "d2") as db:
        assert [row.key for row in db.index("t", "ix").query(equals="Oslo")] == [b"ann"]
        assert not db.index("t", "ix").verify()


@pytest.mark.parametrize("strategy", ["periodic", "summary"])
def test_a_rebuild_since_a_time_builds_an_index_that_is_not_built_from_all_rows(strategy: str) -> None:
    """Regression: it indexed the rows since then, marked the index as built, and queries missed the others."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        by = 10 if strategy == "summary" else None
        db.create_index("t", "ix", "f:n", strategy=strategy, codec="uint8", by=by)  # type: ignore[arg-type]
        db.table("t").put("old", {"f:n": b"\x01"}, timestamp=1_000)
        db.table("t").put("new", {"f:n": b"\x02"}, timestamp=2_000)
        jobs.create_table_like(db, "t", db, "u")
        jobs.copy_table(db, "t", db, "u")
        assert db.index("u", "ix").rebuild(since=2_000) == 2
        assert [row.key for row in db.index("u", "ix").query()] == [b"old", b"new"]


def test_a_dual_write_to_a_clone_does_not_write_into_another_table(db: rs.Database) -> None:
    """Regression: only the name of the table of entries was checked, not which index it belongs to."""
    db.create_index("t", "du", "f:town", strategy="dual")
    db.admin.snapshot("s", "t")
    db.admin.snapshots.clone("s", "w")
    db.index("w", "ix").drop()
    db.create_table("w_du", ["i"])
    with pytest.raises(errors.TableExists, match="entries in table 'w_du', but another table"):
        db.index("w", "du").put("cid", {"f:town": "Oslo"})
    assert not list(db.table("w_du"))
    assert not db.table("w").get("cid")


def test_a_restored_index_does_not_use_another_table_as_its_entries(db: rs.Database) -> None:
    """Regression: writes put entries into it, and queries found no rows."""
    db.admin.snapshot("s", "t")
    db.index("t", "ix").drop()
    db.drop_table("t", force=True)
    db.create_table("t_ix", ["i"])
    db.admin.snapshots.clone("s", "t")
    with pytest.raises(errors.CoprocessorError, match="entries in table 't_ix', but another table"):
        db.table("t").put("cid", {"f:town": "Oslo"})
    with pytest.raises(errors.TableExists):
        list(db.index("t", "ix").query())
    assert not list(db.table("t_ix"))
