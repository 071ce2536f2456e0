"""Constraints: what breaks one changes nothing; stored with the table, ordered, switchable (checklist 212, 213)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.codecs import codec
from rowstone.coprocessors import constraints
from tests.checklist import checklist


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        database.create_table("films", ["f"])
        yield database


def number(value: int) -> bytes:
    return value.to_bytes(8, "big", signed=True)


@checklist("212", clause="10 passes, 11 is refused and nothing is written")
def test_values_outside_a_range_are_refused(db: rs.Database) -> None:
    db.constraints("films").add(constraints.Range("f:rating", min_value=1, max_value=10))
    films = db.table("films")
    films.put("a", {"f:rating": number(10), "f:title": "A"})
    for value, reason in [(number(11), "11 is above 10"), (number(0), "0 is below 1"), (b"x", "codec 'int64'")]:
        with pytest.raises(errors.ConstraintViolation, match=reason) as caught:
            films.put("b", {"f:title": "B", "f:rating": value})
        assert str(caught.value).startswith("Range of 'f:rating': ")
        assert caught.value.remote_class == "org.apache.hadoop.hbase.constraint.ConstraintException"
    assert list(films) == [b"a"]
    # Puts without the column are not checked.
    films.put("c", {"f:title": "C"})


@checklist("212", clause="10 passes, 11 is refused and nothing is written")
def test_every_way_of_a_put_is_asked(db: rs.Database) -> None:
    db.constraints("films").add(constraints.Range("f:rating", max_value=10))
    films = db.table("films")
    bad = rs.Put("bad", {"f:rating": number(11)})
    [result, done] = films.multi([bad, rs.Put("good", {"f:rating": number(1)})])
    assert isinstance(result, errors.ConstraintViolation)
    assert done is None
    with pytest.raises(errors.ConstraintViolation):
        films.mutate_row("bad", [bad])
    with pytest.raises(errors.ConstraintViolation):
        films.check_and_mutate("bad", "f:rating", "EQUAL", None, bad)
    with pytest.raises(errors.ConstraintViolation):
        db.mutate_together([("films", bad)])
    batch = films.batch()
    batch.mutate(bad)
    with pytest.raises(errors.ConstraintViolation):
        batch.close()
    assert list(films) == [b"good"]


@checklist("212", clause="stored with the table, and there when it is opened again")
def test_they_are_stored_with_the_table(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("films", ["f"])
        rules = db.constraints("films")
        rules.add(constraints.Range("f:rating", min_value=1, max_value=10))
        rules.add(constraints.Regex("f:id", "tt[0-9]{7}"))
        assert (
            '"class":"rowstone.coprocessors.constraints.Regex"' in db.admin.describe("films").attributes["constraint$2"]
        )
        assert db.admin.describe("films").attributes["OBSERVED"] == "true"
    with rs.connect(tmp_path / "db") as db:
        with pytest.raises(errors.ConstraintViolation, match="Regex of 'f:id': 'x' does not match"):
            db.table("films").put("a", {"f:id": "x"})
        with pytest.raises(errors.ConstraintViolation, match="is not UTF-8"):
            db.table("films").put("a", {"f:id": b"\xff"})
        [first, second] = db.constraints("films")
        assert first.arguments == {"column": "f:rating", "min_value": 1, "max_value": 10, "codec": "int64"}
        assert second.class_name == "rowstone.coprocessors.constraints.Regex"
        db.constraints("films").remove_all()
        db.table("films").put("a", {"f:id": "x"})
        assert dict(db.admin.describe("films").attributes) == {}


@checklist("212", clause="asked in their order, each switched on and off")
def test_order_and_switches(db: rs.Database) -> None:
    rules = db.constraints("films")
    assert rules.add(constraints.Regex("f:a", "never"), number=5) == 5
    assert rules.add(constraints.Range("f:a", min_value=0)) == 6
    assert rules.add(constraints.Regex("f:a", "first"), number=1, enabled=False) == 1

    def refusal() -> str:
        try:
            db.table("films").put("row", {"f:a": number(-1)})
        except errors.ConstraintViolation as error:
            return str(error).partition(":")[0] + str(error)[-12:]
        return "none"

    assert "Regex" in refusal()
    assert [(rule.number, rule.is_enabled) for rule in rules] == [(1, False), (5, True), (6, True)]
    rules.enable(1)
    rules.disable(5)
    assert "Regex" in refusal()
    rules.disable(1)
    assert "Range" in refusal()
    rules.disable_all()
    assert refusal() == "none"
    rules.enable_all()
    rules.remove(1)
    rules.remove(5)
    assert "Range" in refusal()
    for wrong in (1, 5):
        with pytest.raises(errors.InvalidArgument, match="no constraint of number"):
            rules.enable(wrong)
    with pytest.raises(errors.InvalidArgument, match="another constraint of number 6"):
        rules.add(constraints.Range("f:a", min_value=0), number=6)


@checklist("213", clause="ForeignKey exists and says what it costs")
def test_a_foreign_key(db: rs.Database, caplog: pytest.LogCaptureFixture) -> None:
    db.create_table("people", ["f", "g"])
    db.table("people").put("ann", {"f:q": "v"})
    with caplog.at_level(logging.INFO, "rowstone"):
        db.constraints("films").add(constraints.ForeignKey("f:director", "people", family="f"))
    assert "ForeignKey of 'f:director': every put reads a row of table 'people' first" in caplog.text
    db.table("films").put("a", {"f:director": "ann"})
    db.table("people").put("bob", {"g:q": "v"})
    for name in ("bob", "cid", ""):
        with pytest.raises(errors.ConstraintViolation, match="table 'people' has no row"):
            db.table("films").put("b", {"f:director": name})
    assert list(db.table("films")) == [b"a"]


class Palindrome(constraints.ColumnConstraint):
    """Reads the same from both ends."""

    def reason(self, value: bytes, context: Any) -> str | None:
        return None if value == value[::-1] else f"{value!r} is none"


class Whole(constraints.Constraint):
    """A rule about the whole put."""

    def __init__(self, most: int = 1) -> None:
        self.most = most

    @property
    def arguments(self) -> dict[str, Any]:
        return {"most": self.most}

    def check(self, put: rs.Put, context: Any) -> None:
        if len(put.cells) > self.most:
            raise self.broken(f"{len(put.cells)} cells in table {context.table}")


class Unwritable(Whole):
    """Made of what JSON does not know."""

    @property
    def arguments(self) -> dict[str, Any]:
        return {"most": {1}}


def test_own_classes_must_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rowstone.coprocessors._allowed._allowed", {})
    own = [Palindrome, f"{Whole.__module__}.Whole"]
    with rs.connect(tmp_path / "db", allow_coprocessors=own) as db:
        db.create_table("t", ["f"])
        rules = db.constraints("t")
        rules.add(Palindrome("f:p"))
        rules.add(Whole(2))
        with pytest.raises(errors.ConstraintViolation, match=r"Palindrome of 'f:p': b'ab' is none"):
            db.table("t").put("row", {"f:p": "ab"})
        with pytest.raises(errors.ConstraintViolation, match="Whole: 3 cells in table t"):
            db.table("t").put("row", {"f:p": "aba", "f:q": "1", "f:r": "2"})
        with pytest.raises(errors.InvalidArgument, match="cannot be written as JSON"):
            rules.add(Unwritable())
        db.table("t").put("row", {"f:p": "aba"})
    with rs.connect(tmp_path / "db") as db:
        assert db.table("t")["row"]["f:p"] == b"aba"
        with pytest.raises(errors.CoprocessorError, match="Palindrome is not allowed here"):
            db.table("t").put("row", {"f:p": "xyx"})
        with pytest.raises(errors.CoprocessorError, match="not allowed"):
            db.constraints("t").add(Palindrome("f:q"))
        assert db.table("t")["row"]["f:p"] == b"aba"


def test_invalid_constraints_are_refused() -> None:
    for make in (
        lambda: constraints.Range("f:a"),
        lambda: constraints.Range("f:a", min_value=2, max_value=1),
        lambda: constraints.Range("f", min_value=2),
        lambda: constraints.Range("f:a", min_value=2, codec="nonsense"),
        lambda: constraints.Range("f:a", min_value="a"),
        lambda: constraints.Range("f:a", min_value=1, max_value="z"),
        lambda: constraints.Range("f:a", max_value=5, codec="text"),
        lambda: constraints.Regex("f:a", "("),
    ):
        with pytest.raises(errors.InvalidArgument):
            make()


def test_a_column_of_no_family_is_refused(db: rs.Database) -> None:
    with pytest.raises(errors.NoSuchColumnFamily, match="Range of 'nof:x': table 'films' has no column family 'nof'"):
        db.constraints("films").add(constraints.Range("nof:x", min_value=1))
    assert len(db.constraints("films")) == 0


def test_bounds_may_be_any_number_and_documents_anything(db: rs.Database) -> None:
    """A bound of another type was accepted, and every put failed with a TypeError."""
    rules = db.constraints("films")
    rules.add(constraints.Range("f:half", max_value=0.5, codec="decimal"))
    rules.add(constraints.Range("f:json", max_value=5, codec="json"))
    films = db.table("films")
    films.put("a", {"f:half": codec("decimal").encode(Decimal("0.5")), "f:json": "4.5"})
    for column, value, reason in [("f:half", codec("decimal").encode(1), "above"), ("f:json", "[]", "be compared")]:
        with pytest.raises(errors.ConstraintViolation, match=reason):
            films.put("b", {column: value})


def test_past_constraints_nothing_is_loaded(db: rs.Database, tmp_path: Path) -> None:
    db.create_table("source", ["f"])
    db.table("source").put("a", {"f:rating": number(99)})
    db.admin.tables.export_hfiles("source", tmp_path / "files")
    [file] = (tmp_path / "files/f").iterdir()
    db.admin.tables.bulk_load("films", {"f": [file]})
    db.table("films").delete("a")
    db.constraints("films").add(constraints.Range("f:rating", max_value=10))
    with pytest.raises(errors.UnsupportedOperation, match="would bypass the indexes or constraints"):
        db.admin.tables.bulk_load("films", {"f": [file]})
    assert not list(db.table("films"))
