"""Columns and values: families, qualifiers, sparseness, bytes (checklist 013-018, 025, 133, 134, 136, 141, 145-149)."""

from __future__ import annotations

import json
import pickle
import random
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone import hfile
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, START_MS, file_paths, keys, make, raw

TEN_MEGABYTES = 10_000_000


@checklist("013", clause="a family selects all its columns")
def test_a_family_selects_its_columns(db: rs.Database) -> None:
    t = make(db, courses={}, other={})
    t.put("r", {"courses:history": "h", "courses:math": "m", "other:x": "x"})
    expected = {b"courses:history": b"h", b"courses:math": b"m"}
    assert dict(t.get("r", "courses:")) == dict(t.get("r", "courses")) == expected


@checklist("013", clause="a column selects one")
def test_a_column_selects_itself(db: rs.Database) -> None:
    t = make(db, courses={})
    t.put("r", {"courses:history": "h", "courses:math": "m"})
    assert dict(t.get("r", "courses:math")) == {b"courses:math": b"m"}


@checklist("014", clause="later colons belong to the qualifier")
def test_the_first_colon_separates(t: rs.Table) -> None:
    t.put("r", {"f:a:b": "v"})
    [cell] = t.get("r").cells
    assert (cell.family, cell.qualifier, cell.column) == (b"f", b"a:b", b"f:a:b")
    assert t.get("r")["f:a:b"] == b"v"


@checklist("014", clause="an empty qualifier is a column of its own")
def test_the_empty_qualifier(t: rs.Table) -> None:
    t.put("r", {"f:": "empty", "f:a": "a"})
    assert dict(t.get("r")) == {b"f:": b"empty", b"f:a": b"a"}
    assert dict(t.get("r", [("f", "")])) == {b"f:": b"empty"}
    t.delete("r", [("f", "")])
    assert dict(t.get("r")) == {b"f:a": b"a"}


@checklist("014", clause="any bytes come back")
def test_qualifiers_are_bytes(t: rs.Table) -> None:
    qualifiers = [b"\x00\xff", b"\x00", b"\xff\xff", bytes(range(256))]
    t.put("r", {b"f:" + qualifier: qualifier for qualifier in qualifiers})
    assert [cell.qualifier for cell in t.get("r").cells] == sorted(qualifiers)
    assert all(cell.value == cell.qualifier for cell in t.get("r").cells)


@checklist("015", clause="other names are refused with the reason")
@pytest.mark.parametrize("name", [b"a\x07b", b"a:b", b"a/b", b"a\\b", b".a", b"", b"recovered.edits"])
def test_family_names_that_hbase_refuses(db: rs.Database, name: bytes) -> None:
    with pytest.raises(rs.errors.UsageError) as refused:
        db.create_table("t", [name])
    assert isinstance(refused.value, ValueError)
    assert "famil" in str(refused.value)
    assert len(str(refused.value)) > 25
    assert db.tables() == []


@checklist("016", clause="an undeclared family is refused")
def test_an_undeclared_family_is_refused(t: rs.Table) -> None:
    with pytest.raises(rs.errors.NoSuchColumnFamily, match="g"):
        t.put("r", {"f:q": "v", "g:q": "v"})
    assert not t.exists("r")


@checklist("016", clause="a new qualifier needs no schema change")
def test_a_new_qualifier_is_conjured(t: rs.Table) -> None:
    before = str(t.schema)
    t.put("r", {"f:never seen before": "v"})
    assert t.get("r")["f:never seen before"] == b"v"
    assert str(t.schema) == before


@checklist("017", clause="the empty family reads empty")
def test_a_family_without_cells_reads_empty(db: rs.Database) -> None:
    t = make(db, contents={}, anchor={})
    t.put("r", {"anchor:a": "v"})
    assert not t.get("r", "contents:")
    assert keys(t, columns=["contents"]) == []


@checklist("017", clause="it has no cell and no file")
def test_a_family_without_cells_has_no_file(disk: rs.Database) -> None:
    t = make(disk, contents={}, anchor={})
    t.put("r", {"anchor:a": "v"})
    disk.admin.flush("t")
    assert [file.family for file in disk.admin.tables.store_files("t")] == [b"anchor"]
    assert [column for column, _, _ in raw(t)] == ["anchor:a"]


@checklist("018", clause="as many cells are stored as were put")
def test_only_what_was_put_is_stored(disk: rs.Database) -> None:
    t = make(disk, f={}, g={})
    chance = random.Random(18)
    written = {(chance.randrange(50), chance.choice("fg"), chance.randrange(1000)) for _ in range(500)}
    for row, family, qualifier in written:
        t.put(str(row), {f"{family}:{qualifier}": "v"})
    assert disk.admin.metrics.stats("t")["memstore_cells"] == len(written)
    disk.admin.flush("t")
    assert disk.admin.metrics.stats("t")["store_file_cells"] == len(written)


@checklist("018", clause="columns of one row cost another row nothing")
def test_another_rows_columns_cost_nothing(t: rs.Table) -> None:
    def bytes_of_row(key: str) -> int:
        return sum(len(cell.row + cell.column + cell.value) for cell in t.get(key).cells)

    t.put("b", {"f:q": "v"})
    before = bytes_of_row("b")
    t.put("a", {f"f:{number}": "v" for number in range(1_000)})
    assert bytes_of_row("b") == before
    assert len(t.get("a")) == 1_000
    assert len(raw(t)) == 1_001


@checklist("025", clause="nothing, a byte and ten megabytes come back as they went in")
def test_values_are_bytes(db: rs.Database, t: rs.Table) -> None:
    values = [b"", b"\x00", random.Random(25).randbytes(TEN_MEGABYTES)]
    t.put("r", {f"f:{number}": value for number, value in enumerate(values)})
    assert list(t.get("r").values()) == values
    db.admin.flush("t")
    assert list(t.get("r").values()) == values


@checklist("133", clause="any object's bytes are storable")
def test_any_objects_bytes_are_storable(t: rs.Table) -> None:
    objects: dict[str, bytes] = {
        "text": "naïve 王".encode(),
        "float": (1.5).hex().encode(),
        "json": json.dumps({"a": [1, None]}).encode(),
        "uuid": uuid.UUID(int=7).bytes,
        "pickle": pickle.dumps({1: (2, 3)}),
        "image": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    }
    t.put("r", {f"f:{name}": value for name, value in objects.items()})
    row = t.get("r")
    assert {name: row[f"f:{name}"] for name in objects} == objects


@checklist("134", clause="a value over the limit is refused, naming it")
def test_a_value_over_the_limit_is_refused(t: rs.Table) -> None:
    with pytest.raises(rs.errors.CellTooLarge, match=r"10,?485,?760"):
        t.put("r", {"f:q": b"v" * 10_485_761})
    assert not t.exists("r")


@checklist("136", clause="a value of ten megabytes is one block")
def test_a_large_value_is_one_block(disk: rs.Database) -> None:
    t = make(disk, f={})
    t.put("r", {"f:q": random.Random(136).randbytes(TEN_MEGABYTES)})
    disk.admin.flush("t")
    [path] = file_paths(disk, "t")
    [data] = [blocks for kind, blocks in hfile.describe(path).blocks.items() if kind.startswith("DATABLK")]
    assert data.count == 1
    assert data.content_bytes > TEN_MEGABYTES


@checklist("141", clause="8 bytes against 10 and 20")
def test_numbers_are_shorter_as_bytes(t: rs.Table) -> None:
    t.increment("r", "f:long", 1_234_567_890)
    t.put("r", {"f:text": "1234567890", "f:unsigned": str(2**64 - 1)})
    row = t.get("r")
    assert [len(row[f"f:{name}"]) for name in ("long", "text", "unsigned")] == [8, 10, 20]


CELLS = st.lists(
    st.tuples(
        st.sampled_from([b"a", b"a\x00", b"ab", b"\xff"]),
        st.sampled_from([b"e", b"f", b"g"]),
        st.sampled_from([b"", b"\x00", b"q", b"q\x00"]),
        st.integers(1, 4),
    ),
    min_size=1,
    max_size=40,
)


@checklist("145", clause="scans of several families")
@given(cells=CELLS, flush_after=st.integers(0, 40), split=st.booleans())
@settings(max_examples=60)
def test_results_are_sorted(cells: list[tuple[bytes, bytes, bytes, int]], flush_after: int, split: bool) -> None:
    with rs.connect(":memory:", clock=ManualClock(START_MS), configuration=QUIET) as db:
        family = rs.Family(max_versions=10)
        db.create_table("t", {"f": family, "g": family, "e": family}, splits=["ab"] if split else None)
        t = db.table("t")
        for number, (row, name, qualifier, timestamp) in enumerate(cells):
            t.put(row, [((name, qualifier), b"v", timestamp)])
            if number == flush_after:
                db.admin.flush("t")
        with t.scan(versions=None) as rows:
            read = [(c.row, c.family, c.qualifier, -c.timestamp) for row in rows for c in row.cells]
        assert read == sorted({(row, name, qualifier, -timestamp) for row, name, qualifier, timestamp in cells})


@checklist("146", clause="columns equals a search by hand")
@checklist("147", clause="a thousand rows of a thousand columns")
def test_columns_are_found_by_reading_all_rows(db: rs.Database) -> None:
    t = make(db, f={}, g={})
    for number in range(1_000):
        t.put(f"row {number}", {f"f:column {number}": "v"})
    t.put("row 0", {"g:elsewhere": "v"})
    t.put("deleted", {"f:deleted": "v"})
    t.delete("deleted")
    with t.scan() as rows:
        by_hand = {column for row in rows for column in row if column.startswith(b"f:")}
    assert t.columns("f") == by_hand
    assert len(by_hand) == 1_000


@checklist("148", clause="a table has none")
def test_a_table_has_no_joins() -> None:
    assert [name for name in dir(rs.Table) if "join" in name.lower()] == []


@checklist("149", clause="two entities in one put")
def test_two_entities_in_one_put(db: rs.Database) -> None:
    t = make(db, order={}, customer={})
    t.put("order-1", {"order:total": "9.50", "customer:name": "Ada", "customer:city": "London"})
    row = t.get("order-1")
    assert row.families() == {
        b"customer": {b"city": b"London", b"name": b"Ada"},
        b"order": {b"total": b"9.50"},
    }
