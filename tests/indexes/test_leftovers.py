"""Orphaned tables of entries: the process ended while their index was created or dropped."""

from __future__ import annotations

import threading

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.coprocessors._observers import change
from tests.checklist import checklist

COLUMN = "f:q"


@pytest.fixture(name="db")
def _db() -> rs.Database:
    db = rs.connect(":memory:")
    db.create_table("t", ["f"])
    db.table("t").put("row", {COLUMN: "value"})
    return db


def leave(db: rs.Database, strategy: str) -> None:
    """The state after a kill while an index is dropped: its definition is removed, the entries are not."""
    index = db.create_index("t", "by_q", COLUMN, strategy=strategy)
    change(db, "t", {index.definition.key: None})
    assert "t_by_q" in db.tables()
    assert not db.indexes("t")


@checklist("210", clause="never apart under kill -9")
@pytest.mark.parametrize("strategy", ["coprocessor", "dual", "periodic"])
def test_an_index_whose_making_did_not_end_is_made_again(db: rs.Database, strategy: str) -> None:
    leave(db, strategy)
    db.table("t").put("row", {COLUMN: "other"})
    index = db.create_index("t", "by_q", COLUMN, strategy=strategy)
    assert [row.key for row in index.query(equals="other")] == [b"row"]
    assert [row.key for row in index.query()] == [b"row"]
    assert not index.verify()


def test_a_leftover_may_be_dropped_by_hand_and_the_table_of_an_index_may_not(db: rs.Database) -> None:
    leave(db, "coprocessor")
    db.admin.drop_table("t_by_q", force=True)
    db.create_index("t", "by_q", COLUMN, strategy="coprocessor")
    with pytest.raises(errors.ConstraintViolation, match="drop the index"):
        db.admin.drop_table("t_by_q", force=True)
    db.index("t", "by_q").drop()
    assert "t_by_q" not in db.tables()


@pytest.mark.parametrize("attributes", [{}, {"INDEX_OF": "another"}])
def test_a_table_that_only_has_the_name_stays(db: rs.Database, attributes: dict[str, str]) -> None:
    db.admin.create_table("t_by_q", ["i"], attributes=attributes)
    db.table("t_by_q").put("mine", {"i:q": "1"})
    with pytest.raises(errors.TableExists):
        db.create_index("t", "by_q", COLUMN, strategy="coprocessor")
    assert db.table("t_by_q").get("mine")
    assert not db.indexes("t")


def test_concurrent_creations_of_one_index_succeed_once(db: rs.Database) -> None:
    outcomes: list[object] = []
    start = threading.Barrier(2)

    def make() -> None:
        start.wait()
        try:
            outcomes.append(db.create_index("t", "by_q", COLUMN, strategy="coprocessor"))
        except errors.RowstoneError as error:
            outcomes.append(error)

    threads = [threading.Thread(target=make) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    refused = [one for one in outcomes if isinstance(one, errors.InvalidArgument)]
    assert len(outcomes) == 2
    assert [str(one) for one in refused] == ["table 't' has an index 'by_q' already"]
    assert [row.key for row in db.index("t", "by_q").query()] == [b"row"]
