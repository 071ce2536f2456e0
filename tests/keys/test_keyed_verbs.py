"""A keyed table has every verb of `Table`, by the values of its keys."""

from __future__ import annotations

import polars
import pytest

import rowstone as rs
from rowstone.errors import InvalidArgument, InvalidType
from rowstone.keys import Key, KeyedTable, round_robin, salt, text, uint32

KEY = Key(salt(4), text("host"), uint32("at"))


def test_no_verb_is_missing() -> None:
    """Regression: it only had put, get, get_many, exists, delete, scan and rename."""
    assert not {name for name in dir(rs.Table) if not name.startswith("_")} - set(dir(KeyedTable))


@pytest.mark.parametrize("key", [KEY, Key(round_robin(4), text("host"), uint32("at"))])
def test_verbs_take_values_of_the_key(key: Key) -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = KeyedTable(db.table("t"), key)
        one, two, none = {"host": "a", "at": 1}, {"host": "b", "at": 2}, {"host": "c", "at": 3}
        with table.batch() as batch:
            batch.put(one, {"f:q": "x"}, timestamp=1)
            batch.put(two, {"f:q": "y"}, timestamp=1)
        assert table.exists_many([one, none, two]) == [True, False, True]
        assert (table.value(one, "f:q"), table.value(none, "f:q", b"")) == (b"x", b"")
        assert table.append(one, "f:q", b"yz") == b"xyz"
        assert table.increment(one, "f:n", 3) == 3
        assert table.increment(one, "f:n", 1) == 4
        row = table.get(one).key
        assert table.check_and_mutate(one, "f:q", "=", b"xyz", rs.Put(row, {"f:q": "new"}))
        table.mutate_row(one, [rs.Put(row, {"f:m": "m"})])
        assert table.get(one)["f:m"] == b"m"
        assert [tuple(values) for values, _ in table.items()] == [("a", 1), ("b", 2)]
        assert [(values.host, found["f:q"]) for values, found in table.items()] == [("a", b"new"), ("b", b"y")]
        assert [found.key for found in table.multi([rs.Get(row)]) if isinstance(found, rs.Row)] == [row]
        assert (table.name, table.columns("f")) == ("t", {b"f:q", b"f:n", b"f:m"})
        past = table.as_of(1)
        assert (past.get(one)["f:q"], past.exists(one), past.exists(none)) == (b"x", True, False)
        with table.batch() as batch:
            batch.delete(two)
        assert table.rename_row(one, none) > 0
        assert list(map(tuple, table.keys())) == [("c", 3)]


def test_frames_have_the_parts_of_the_key_as_columns() -> None:
    frame = polars.DataFrame({"host": ["a", "b"], "at": [1, 2], "f:q": ["x", "y"]})
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = KeyedTable(db.table("t"), KEY)
        assert table.put_frame(frame) == 2
        assert table.get({"host": "b", "at": 2})["f:q"] == b"y"
        with pytest.raises(InvalidArgument, match="no column 'at'"):
            table.put_frame(frame.drop("at"))


def test_a_frame_is_written_up_to_the_row_that_does_not_fit() -> None:
    """Regression: the error had a traceback as its text, and did not name the row."""
    frame = polars.DataFrame({"host": ["a", "b", "c"], "at": [1, 2, -1], "f:q": ["x", "y", "z"]})
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = KeyedTable(db.table("t"), KEY)
        with pytest.raises(InvalidArgument, match=r"^row 2: .*-1.* \(rows are counted from 0\)$") as raised:
            table.put_frame(frame)
        assert vars(raised.value) == {"rows_written": 2}
        assert [values.host for values, _ in table.scan()] == ["a", "b"]


@pytest.mark.parametrize("key", [KEY, Key(round_robin(4), text("host"), uint32("at"))])
def test_calls_are_refused_and_accepted_as_by_a_table(key: Key) -> None:
    """Regression: value() of a family was None, several columns were not incremented, a limit of text was compared."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table, one = KeyedTable(db.table("t"), key), {"host": "a", "at": 1}
        with pytest.raises(InvalidArgument, match="column 'f' has no colon"):
            table.value(one, "f")
        assert dict(table.increment(one, {"f:a": 1, "f:b": 2})) == {
            b"f:a": b"%b\1" % bytes(7),
            b"f:b": b"%b\2" % bytes(7),
        }
        assert table.increment(one, "f:a") == 2
        with pytest.raises(InvalidType, match="limit must be an int, not str"):
            table.scan(limit="1")  # type: ignore[arg-type]
