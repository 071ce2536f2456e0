"""Indexes in schema files: they arrive without entries, and removing one loses them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import codecs, errors, schema
from rowstone.indexes._definition import STRATEGIES
from tests.python.test_tools import rowstone


@pytest.fixture(name="db")
def _db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as db:
        fill(db)
        db.create_index("t", "ix", "f:town", strategy="coprocessor")
        yield db


def fill(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    for name, town in (("ann", "Oslo"), ("bob", "Bergen"), ("eva", "Oslo")):
        db.table("t").put(name, {"f:town": town})


def query_town(db: rs.Database, town: str) -> list[bytes]:
    return [row.key for row in db.index("t", "ix").query(equals=town)]


def test_an_index_that_arrives_in_a_table_with_rows_is_not_built(db: rs.Database) -> None:
    """Regression: it was marked as built, and its queries were silently empty."""
    wanted = schema.loads(str(schema.dump(db)))
    with rs.connect(":memory:") as there:
        fill(there)
        plan = schema.apply(there, wanted)
        assert "index ix is not built: build it with db.index('t', 'ix').rebuild()" in str(plan)
        assert query_town(there, "Oslo") == [b"ann", b"eva"]
        assert "not built" in there.index("t", "ix").query().explain().note
        there.table("t").put("cid", {"f:town": "Oslo"})
        assert there.index("t", "ix").rebuild() == 3
        assert query_town(there, "Oslo") == [b"ann", b"cid", b"eva"]
        assert not there.index("t", "ix").verify()
        assert not schema.diff(there, wanted)


@pytest.mark.parametrize("name", ["t", "u"])
def test_an_index_that_arrives_in_a_new_table_is_complete(db: rs.Database, name: str) -> None:
    text = str(schema.dump(db)).replace("complete = true", "")
    wanted = schema.loads(text.replace("[tables.t.", f"[tables.{name}.").replace("[tables.t]", f"[tables.{name}]"))
    with rs.connect(":memory:") as there:
        assert "not built" not in str(schema.apply(there, wanted))
        there.table(name).put("cid", {"f:town": "Oslo"})
        query = there.index(name, "ix").query(equals="Oslo")
        assert [row.key for row in query] == [b"cid"]
        assert query.explain().path == f"entries of {name}_ix, rows of {name}"
        assert not schema.diff(there, wanted)


def test_a_schema_without_the_attributes_of_an_index_loses_it(db: rs.Database) -> None:
    """Regression: index, constraint and codecs were removed without allow_destructive, and the entries stayed."""
    db.constraints("t").add(rs.coprocessors.constraints.Regex("f:town", ".*"))
    codecs.declare(db, "t", {"f:town": "text"})
    wanted = schema.loads("[tables.t.families.f]\nmax_versions = 1")
    with pytest.raises(errors.ConstraintViolation, match="index ix and its entries are removed") as caught:
        schema.apply(db, wanted)
    assert "constraint " in str(caught.value)
    assert "the codecs of its columns are removed" in str(caught.value)
    assert query_town(db, "Oslo") == [b"ann", b"eva"]
    schema.apply(db, wanted, allow_destructive=True)
    assert db.tables() == ["t"]
    assert not schema.diff(db, wanted)
    db.table("t").put("cid", {"f:town": "Oslo"})


def test_a_complete_schema_may_leave_out_the_table_of_entries(db: rs.Database) -> None:
    whole = schema.dump(db)
    tables = {"t": whole.tables["t"]}
    assert not schema.diff(db, schema.Schema(tables, complete=True))
    bare = schema.TableDeclaration(whole.tables["t"].families)
    schema.apply(db, schema.Schema({"t": bare}, complete=True), allow_destructive=True)
    assert db.tables() == ["t"]


def test_a_dump_is_applied_by_the_command(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with rs.connect(tmp_path / name) as db:
            fill(db)
            if name == "a":
                db.create_index("t", "ix", "f:town", strategy="coprocessor")
    rowstone("schema", "dump", tmp_path / "a", tmp_path / "s.toml")
    assert "index ix is not built" in rowstone("schema", "apply", tmp_path / "s.toml", tmp_path / "b", "--yes")
    with rs.connect(tmp_path / "b") as db:
        assert query_town(db, "Oslo") == [b"ann", b"eva"]


@pytest.mark.parametrize("is_declared", [False, True])
@pytest.mark.parametrize("is_new", [False, True])
def test_a_schema_does_not_use_another_table_as_the_entries_of_an_index(
    db: rs.Database, is_new: bool, is_declared: bool
) -> None:
    """Regression: the table was created or altered before the error, and each put wrote into the other table."""
    tables = {"t": schema.dump(db).tables["t"]}
    with rs.connect(":memory:") as there:
        if not is_new:
            fill(there)
        if is_declared:
            tables["t_ix"] = schema.TableDeclaration({b"i": rs.Family()})
        else:
            there.create_table("t_ix", ["i"])
        before = str(schema.dump(there))
        with pytest.raises(errors.TableExists, match="stores its entries in table 't_ix', but another table"):
            schema.apply(there, schema.Schema(tables))
        assert str(schema.dump(there)) == before


@pytest.mark.parametrize("is_new", [False, True])
def test_a_schema_with_an_index_on_a_missing_family_changes_nothing(db: rs.Database, is_new: bool) -> None:
    """Regression: a KeyError after the table was created."""
    attributes = schema.dump(db).tables["t"].attributes
    wanted = schema.Schema({"t": schema.TableDeclaration({b"g": rs.Family()}, attributes)})
    with rs.connect(":memory:") as there:
        if not is_new:
            there.create_table("t", ["g"])
        before = str(schema.dump(there))
        with pytest.raises(errors.NoSuchColumnFamily, match="no family for 'f:town', which is to be indexed"):
            schema.apply(there, wanted)
        assert str(schema.dump(there)) == before


def test_a_table_with_an_index_is_created_in_a_new_namespace(db: rs.Database) -> None:
    attributes = schema.dump(db).tables["t"].attributes
    table = schema.TableDeclaration({b"f": rs.Family()}, attributes)
    with rs.connect(":memory:") as there:
        schema.apply(there, schema.Schema({"n:t": table}, {"n": {}}))
        assert there.index("n:t", "ix").definition.is_built


@pytest.mark.parametrize("is_complete", [False, True])
@pytest.mark.parametrize("before", STRATEGIES)
@pytest.mark.parametrize("after", STRATEGIES)
def test_another_strategy_of_an_index_replaces_its_entries(before: str, after: str, is_complete: bool) -> None:
    """Regression: the table of entries stayed, which failed for a summary, and was left behind by a filter."""

    def create(db: rs.Database, strategy: str) -> None:
        db.create_table("t", ["f"])
        db.table("t").put("old", {"f:n": bytes(8)})
        by = 10 if strategy == "summary" else None
        db.create_index("t", "ix", "f:n", strategy=strategy, codec="int64", by=by)  # type: ignore[arg-type]

    with rs.connect(":memory:") as there, rs.connect(":memory:") as db:
        create(there, after)
        wanted = schema.dump(there)
        if not is_complete:
            wanted = schema.Schema({"t": wanted.tables["t"]})
        create(db, before)
        if before == after:
            assert not schema.diff(db, wanted)
            return
        if before != "filter":
            with pytest.raises(errors.ConstraintViolation, match="index ix: its entries are removed, because"):
                schema.apply(db, wanted)
        schema.apply(db, wanted, allow_destructive=True)
        assert not schema.diff(db, wanted)
        assert db.tables() == (["t"] if after == "filter" else ["t", "t_ix"])
        db.index("t", "ix").rebuild()
        index = db.index("t", "ix")
        assert [row.key for row in index.query()] == [b"old"]
        assert not index.verify()


def test_an_interrupted_change_of_a_strategy_is_completed(db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with rs.connect(":memory:") as there:
        fill(there)
        there.create_index("t", "ix", "f:town", strategy="periodic")
        wanted = schema.dump(there)
    with monkeypatch.context() as patched:
        patched.setattr(type(db.admin), "drop_table", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            schema.apply(db, wanted, allow_destructive=True)
    db.table("t").put("cid", {"f:town": "Oslo"})
    assert query_town(db, "Oslo") == [b"ann", b"cid", b"eva"]
    schema.apply(db, wanted, allow_destructive=True)
    assert db.index("t", "ix").rebuild() == 4
    assert query_town(db, "Oslo") == [b"ann", b"cid", b"eva"]
    assert not schema.diff(db, wanted)


@pytest.mark.parametrize("ending", ["apply", "drop"])
def test_an_interrupted_change_to_a_filter_leaves_no_entries(
    db: rs.Database, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    """Regression: the second call saw nothing to do, and the table of entries stayed for good."""
    with rs.connect(":memory:") as there:
        fill(there)
        there.create_index("t", "ix", "f:town", strategy="filter")
        wanted = schema.dump(there)
    wanted = replace(wanted, complete=False)
    with monkeypatch.context() as patched:
        patched.setattr(type(db.admin), "drop_table", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            schema.apply(db, wanted, allow_destructive=True)
    assert db.tables() == ["t", "t_ix"]
    assert not schema.diff(db, schema.dump(db))
    db.table("t").put("cid", {"f:town": "Oslo"})
    assert not db.index("t", "ix").verify()
    if ending == "apply":
        with pytest.raises(errors.ConstraintViolation, match="its entries are removed"):
            schema.apply(db, wanted)
        schema.apply(db, wanted, allow_destructive=True)
        assert query_town(db, "Oslo") == [b"ann", b"cid", b"eva"]
        assert not schema.diff(db, wanted)
    else:
        db.index("t", "ix").drop()
    assert db.tables() == ["t"]
