"""A typed table has every verb of `Table`."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone import codecs
from rowstone.codecs._typed import TypedTable
from rowstone.errors import InvalidArgument

CODECS = {"f:age": "int64", "f:tags": "json"}


def test_no_verb_is_missing() -> None:
    """Regression: it only had put, put_frame, get, get_many and scan."""
    assert not {name for name in dir(rs.Table) if not name.startswith("_")} - set(dir(TypedTable))


def test_verbs_take_and_give_typed_values() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("people", {"f": rs.Family(max_versions=3)})
        people = codecs.typed(db.table("people"), CODECS)
        with people.batch() as batch:
            batch.put("ada", {"f:age": 36, "f:tags": ["countess"]}, timestamp=1)
            batch.put("bob", {"f:age": 27}, timestamp=1)
        assert dict(people.items())[b"ada"]["f:tags"] == ["countess"]
        assert list(people.keys()) == [b"ada", b"bob"]
        assert people.increment("ada", "f:age", 2) == 38
        assert (people.value("ada", "f:age"), people.value("ada", "f:none", 0)) == (38, 0)
        assert people.check_and_mutate("ada", "f:age", "=", 38, rs.Put("ada", {"f:raw": b"x"}))
        assert not people.check_and_mutate("ada", "f:age", "=", 1, rs.Put("ada", {"f:raw": b"y"}))
        assert people.append("ada", "f:raw", b"yz") == b"xyz"
        assert people.as_of(1).get("ada")["f:age"] == 36
        [row, nothing] = people.multi([rs.Get("ada"), rs.Delete("bob")])
        assert (row["f:age"], nothing) == (38, None)
        assert people.exists_many(["ada", "bob"]) == [True, False]
        assert people.rename_row("ada", "eve") > 0
        assert people.exists("eve")
        people.delete("eve", ["f:tags"])
        assert people.get("eve").get("f:tags") is None
        assert (people.name, people.columns("f")) == ("people", {b"f:age", b"f:raw"})
        with pytest.raises(InvalidArgument, match="f:age"), people.batch() as batch:
            batch.put("bad", {"f:age": "no number"})


def test_calls_are_refused_and_accepted_as_by_a_table() -> None:
    """Regression: value() of a family was None, and several columns were not incremented."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = codecs.typed(db.table("t"), {"f:a": "int64", "f:b": "int64"})
        with pytest.raises(InvalidArgument, match="column 'f' has no colon"):
            table.value("r", "f")
        assert dict(table.increment("r", {"f:a": 1, "f:b": 2})) == {b"f:a": 1, b"f:b": 2}
        assert (table.increment("r", "f:a"), table.value("r", ("f", "b"))) == (2, 2)


def test_appending_to_a_number_is_refused_before_it_is_written() -> None:
    """Regression: the append was written, and the value could not be read any more."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = codecs.typed(db.table("t"), {"f:i": "int32", "f:text": "text"})
        table.put("a", {"f:i": 5, "f:text": "x"})
        for change in (lambda: table.append("a", "f:i", 1), lambda: table.append("a", {"f:text": "y", "f:i": 1})):
            with pytest.raises(InvalidArgument, match="'int32'"):
                change()
        assert table.append("a", "f:text", "y") == "xy"
        assert dict(table.get("a")) == {b"f:i": 5, b"f:text": "xy"}


@pytest.mark.parametrize("codec", ["int32", "int64", "float64", "decimal", "datetime", "json"])
def test_an_order_that_bytes_do_not_have_is_refused(codec: str) -> None:
    """Regression: -5 was not below 3, because signed numbers were compared as bytes."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = codecs.typed(db.table("t"), {"f:i": codec, "f:u": "uint32"})
        with pytest.raises(InvalidArgument, match="do not sort"):
            table.check_and_mutate("a", "f:i", "GREATER", 3, rs.Put("a", {"f:x": "1"}))
        table.put("a", {"f:u": 2})
        assert table.check_and_mutate("a", "f:u", "GREATER", 3, rs.Put("a", {"f:x": "1"}))
