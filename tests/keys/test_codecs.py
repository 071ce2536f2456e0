"""Codecs of values: what is written comes back, what does not fit is refused; declared with the table."""

from __future__ import annotations

import hashlib
import io
import json
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import fastavro
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone import codecs, errors
from rowstone.cli.shell import execute
from tests.checklist import checklist

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
DATETIMES = st.datetimes(timezones=st.just(UTC)).map(
    lambda one: one.replace(microsecond=one.microsecond // 1000 * 1000)
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    **{f"int{bits}": st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": st.integers(0, 2**bits - 1) for bits in (8, 16, 32, 64)},
    "float32": st.floats(width=32, allow_nan=False),
    "float64": st.floats(allow_nan=False),
    "bool": st.booleans(),
    "decimal": st.decimals(allow_nan=False, allow_infinity=False),
    "text": st.text(st.characters(exclude_categories=["Cs"])),
    "datetime": DATETIMES,
    "bytes": st.binary(),
    "json": JSON,
}


@checklist("133", clause="codecs round-trip")
@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=40)
@given(data=st.data())
def test_encoded_values_round_trip(name: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[name])
    codec = codecs.codec(name)
    assert codec.decode(codec.encode(value)) == value
    assert "\n" not in codec.show(codec.encode(value))


@pytest.mark.parametrize("name", codecs.CODECS)
@settings(max_examples=40)
@given(data=st.binary(max_size=12))
def test_any_bytes_are_read_or_refused(name: str, data: bytes) -> None:
    try:
        codecs.codec(name).decode(data)
    except errors.InvalidArgument as error:
        refusal = str(error)
        assert name in refusal or "datetime of Python" in refusal


def test_numbers_are_those_of_bytes() -> None:
    for name, form, value in [
        ("int16", ">h", -2),
        ("int32", ">i", -2),
        ("int64", ">q", -2),
        ("float32", ">f", 1.5),
        ("float64", ">d", -1.5),
    ]:
        assert codecs.codec(name).encode(value) == struct.pack(form, value)
    assert (codecs.codec("bool").encode(True), codecs.codec("bool").encode(False)) == (b"\xff", b"\0")
    assert codecs.codec("bool").decode(b"\x01") is True


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("int8", 128, "128 does not fit codec 'int8': -128 to 127"),
        ("uint64", -1, "does not fit"),
        ("int64", True, "not bool"),
        ("int64", "5", "takes int, not str"),
        ("float32", 1e300, "does not fit"),
        pytest.param("float64", 10**400, "an int of 1329 bits does not fit", id="float64-10**400"),
        pytest.param("int64", 10**5000, "an int of 16610 bits does not fit", id="int64-10**5000"),
        pytest.param("decimal", 10**5000, "at most 4300 digits", id="decimal-10**5000"),
        ("text", b"a", "takes str"),
        ("text", "\ud800", "surrogate"),
        ("bool", 1, "takes bool"),
        ("decimal", Decimal("NaN"), "has no NaN"),
        ("decimal", 1.5, "takes Decimal or int"),
        ("datetime", datetime(2020, 1, 1), "no time zone"),
        ("json", {1, 2}, "not JSON serializable"),
        ("json", float("nan"), "codec 'json'"),
    ],
)
def test_values_that_do_not_fit_are_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        codecs.codec(name).encode(value)


def test_a_decimal_of_too_many_digits_is_not_read() -> None:
    """Regression: Python's ValueError."""
    with pytest.raises(errors.InvalidArgument, match="codec 'decimal' converts at most 4300 digits"):
        codecs.codec("decimal").decode(bytes(4) + b"\x7f" * 2000)


@checklist("234", clause="codecs are read by other languages, pickle is refused with the reason")
def test_pickle_is_refused_with_the_reason() -> None:
    with pytest.raises(errors.InvalidArgument, match=r"executes arbitrary code.*use 'json'"):
        codecs.codec("pickle")
    with pytest.raises(errors.InvalidArgument, match="there are: int8"):
        codecs.codec("int128")
    with pytest.raises(errors.InvalidType):
        codecs.codec(5)  # type: ignore[arg-type]
    with pytest.raises(errors.InvalidArgument, match="declared as"):
        codecs.codec({"thrift": 1})
    assert codecs.codec("json").encode({"ä": [1, None]}) == '{"ä":[1,null]}'.encode()


def test_msgpack_values_round_trip() -> None:
    codec = codecs.codec("msgpack")
    for value in ({"a": [1, b"\xff", None]}, {5: "x"}, datetime(2020, 1, 1, tzinfo=UTC), 2**64 - 1):
        assert codec.decode(codec.encode(value)) == value
    for wrong in (object(), 2**64):
        with pytest.raises(errors.InvalidArgument):
            codec.encode(wrong)


OLD = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
NEW = {**OLD, "fields": [*OLD["fields"], {"name": "note", "type": "string", "default": "none"}]}


@checklist("233", clause="what an old schema wrote is readable")
def test_avro_reads_what_an_older_schema_wrote() -> None:
    old = codecs.avro(OLD).encode({"id": 7})
    assert codecs.avro(NEW, older=[OLD]).decode(old) == {"id": 7, "note": "none"}
    with pytest.raises(errors.InvalidArgument, match="none of the schemas"):
        codecs.avro(NEW).decode(old)
    with pytest.raises(errors.InvalidArgument, match="does not fit the schema"):
        codecs.avro(OLD).encode({"id": "seven"})
    with pytest.raises(errors.InvalidArgument, match="no schema"):
        codecs.avro({"type": "nonsense"})
    # Single-object encoding, readable by any Avro reader: the marker, the fingerprint of Avro's specification, the
    # datum.
    assert codecs.avro("int").encode(1)[:10].hex() == "c301" + bytes.fromhex("7275d51a3f395c8f")[::-1].hex()
    assert fastavro.schemaless_reader(io.BytesIO(old[10:]), OLD, None) == {"id": 7}
    for broken in (b"", old[:5], old[:10], b"\xc3\x02" + old[2:]):
        with pytest.raises(errors.InvalidArgument, match="avro"):
            codecs.avro(OLD).decode(broken)


@checklist("135", clause="a reference to an object store")
def test_a_reference_says_where_how_long_and_what(tmp_path: Path) -> None:
    film = bytes(range(256)) * 100
    (tmp_path / "films").mkdir()
    (tmp_path / "films/é").write_bytes(film)
    reference = codecs.blobref("films/é", folder=tmp_path)
    assert reference == codecs.BlobRef("films/é", hashlib.sha256(film).hexdigest(), len(film))
    assert codecs.blobref(tmp_path / "films/é").read() == reference.read(tmp_path) == reference.verify(film) == film
    codec = codecs.codec("blobref")
    said = json.loads(codec.encode(reference))
    assert said == {"path": "films/é", "sha256": reference.sha256, "length": 25_600}
    assert codec.decode(codec.encode(reference)) == reference
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        codecs.declare(db, "t", {"f:film": "blobref"})
        codecs.typed(db.table("t")).put("r", {"f:film": reference})
        assert codecs.typed(db.table("t")).get("r")["f:film"].read(tmp_path) == film
        assert f"sha256='{reference.sha256}'" in execute(db, "get 't', 'r'")


def test_a_changed_object_is_detected(tmp_path: Path) -> None:
    (tmp_path / "film").write_bytes(b"one")
    reference = codecs.blobref("film", folder=tmp_path)
    for other, found in ((b"two", hashlib.sha256(b"two").hexdigest()), (b"four", "4")):
        (tmp_path / "film").write_bytes(other)
        with pytest.raises(errors.CorruptionError, match="object 'film' is not what was referred to") as told:
            reference.read(tmp_path)
        assert (told.value.file, told.value.found) == ("film", found)
    (tmp_path / "film").unlink()
    with pytest.raises(FileNotFoundError):
        reference.read(tmp_path)
    good = {"path": "p", "sha256": "a" * 64, "length": 1}
    codec = codecs.codec("blobref")
    assert codec.decode(json.dumps(good).encode()) == codecs.BlobRef("p", "a" * 64, 1)
    for wrong in ({"length": -1}, {"length": True}, {"length": "1"}, {"sha256": "A" * 64}, {"path": 1}, {"more": 1}):
        with pytest.raises(errors.InvalidArgument, match="codec 'blobref'"):
            codec.decode(json.dumps({**good, **wrong}).encode())
    with pytest.raises(errors.InvalidArgument, match="takes BlobRef, not str"):
        codec.encode("film")


def test_codecs_name_their_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("msgpack", "fastavro"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(ImportError, match=r"pip install 'rowstone\[msgpack\]'"):
        codecs.codec("msgpack").encode(1)
    with pytest.raises(ImportError, match=r"pip install 'rowstone\[avro\]'"):
        codecs.avro("int")


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        database.create_table("people", {"f": rs.Family(max_versions=3), "j": {}})
        yield database


PEOPLE = {
    "f:age": "int64",
    "f:born": "datetime",
    "f:height": "float64",
    "f:alive": "bool",
    "f:name": "text",
    "j": "json",
}
ADA = {
    b"f:age": 36,
    b"f:alive": False,
    b"f:born": datetime(1815, 12, 10, tzinfo=UTC),
    b"f:height": 1.65,
    b"f:name": "Ada",
    b"j:tags": ["countess"],
}


@checklist("143", clause="values of a column with a codec are shown decoded")
@checklist("143", clause="all others as bytes")
def test_the_shell_and_python_show_values_decoded(db: rs.Database) -> None:
    codecs.declare(db, "people", PEOPLE)
    people = codecs.typed(db.table("people"))
    people.put("ada", ADA)
    db.table("people").put("ada", {"f:raw": b"\x00\x01"})
    assert repr(people.get("ada")).startswith("ada {f:age: 36, f:alive: False, f:born: datetime.datetime(1815")
    assert repr(people.get("ada")).endswith(r"f:name: 'Ada', f:raw: b'\x00\x01', j:tags: ['countess']}")
    for command in ("get 'people', 'ada'", "scan 'people'"):
        shown = [line.partition("value=")[2] for line in execute(db, command).splitlines() if "value=" in line]
        assert shown == ["36", "False", "1815-12-10T00:00:00+00:00", "1.65", "Ada", r"\x00\x01", '["countess"]']
    # An explicit format is used.
    assert r"value=\x00\x00\x00\x00\x00\x00\x00$" in execute(db, "get 'people', 'ada', 'f:age:toStringBinary'")
    assert "value=36" not in execute(db, "get 'people', 'ada', {COLUMN => 'f:age', FORMATTER => 'toStringBinary'}")


def test_the_shell_shows_other_bytes_as_they_are(db: rs.Database) -> None:
    codecs.declare(db, "people", {"f:age": "int64"})
    db.table("people").put("ada", {"f:age": "thirty-six", "f:name": "Ada"})
    assert "value=thirty-six" in execute(db, "get 'people', 'ada'")
    with pytest.raises(errors.InvalidArgument, match="column 'f:age': codec 'int64' reads 8 bytes, not 10"):
        dict(codecs.typed(db.table("people")).get("ada"))
    for attribute in ("nonsense", "[" * 100_000, '{"f:age": 5}', '{"f:age": "pickle"}', '{"€": "int64"}'):
        db.admin.alter_table("people", attributes={codecs._declared.ATTRIBUTE: attribute})
        assert "value=thirty-six" in execute(db, "get 'people', 'ada'")
        with pytest.raises(errors.InvalidArgument, match=r"the table's attribute rowstone\.codecs"):
            codecs.typed(db.table("people"))


@checklist("147", clause="a registry of columns is optional")
def test_typed_tables_encode_and_decode_values(db: rs.Database) -> None:
    plain = codecs.typed(db.table("people"))
    plain.put("a", {"f:any": b"bytes"})
    assert plain.get("a")["f:any"] == b"bytes"
    people = codecs.typed(db.table("people"), PEOPLE)
    for age, timestamp in ((1, 10), (2, 20)):
        people.put("ada", {"f:age": age}, timestamp=timestamp)
    people.put("ada", [(("j", "x"), {"a": 1}), ("f:age", 3, 30)])
    row = people.get("ada", versions=None)
    assert row.versions("f:age") == [(30, 3), (20, 2), (10, 1)]
    assert (row["f:age"], row["j", "x"], row.key, len(row)) == (3, {"a": 1}, b"ada", 2)
    assert [bool(one) for one in people.get_many(["ada", "nobody"])] == [True, False]
    with people.scan(columns=["f:age"]) as rows:
        assert [(one.key, dict(one)) for one in rows] == [(b"ada", {b"f:age": 3})]
    with pytest.raises(errors.InvalidArgument, match="column 'f:age': codec 'int64' takes int, not str"):
        people.put("ada", {"f:name": "Ada", "f:age": "3"})
    assert "f:name" not in db.table("people").get("ada")
    db.table("people").increment("ada", "f:age", 4)
    assert people.get("ada")["f:age"] == 7


def test_codecs_are_declared_with_the_table(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"], attributes={"READONLY": False})
        assert codecs.typed(db.table("t")).codecs == {}
        codecs.declare(db, "t", {"f:a": "int64", "f:b": "text", "f": "json"})
        found = codecs.declare(db, "t", {"f:b": None, "f:c": "decimal"})
        assert {name: codec.name for name, codec in found.items()} == {b"f:a": "int64", b"f": "json", b"f:c": "decimal"}
        for wrong, kind in [({"g:a": "int64"}, errors.NoSuchColumnFamily), ({"f:a": "int"}, errors.InvalidArgument)]:
            with pytest.raises(kind):
                codecs.declare(db, "t", wrong)
        with pytest.raises(errors.InvalidArgument, match="no family"):
            codecs.declare(db, "t", {":a": "int64"})
    with rs.connect(tmp_path / "db") as db:
        typed = codecs.typed(db.table("t"))
        assert typed.codecs == found
        typed.put("r", {"f:a": 1, "f:c": Decimal("1.50"), "f:other": [1]})
        assert dict(typed.get("r")) == {b"f:a": 1, b"f:c": Decimal("1.50"), b"f:other": [1]}
        codecs.declare(db, "t", dict.fromkeys(("f:a", "f", "f:c")))
        assert codecs._declared.ATTRIBUTE not in db.table("t").schema.attributes


def test_frames_have_typed_columns(db: rs.Database) -> None:
    people = codecs.typed(db.table("people"), PEOPLE)
    people.put("ada", ADA)
    people.put("bob", {"f:name": "Bob", "f:age": 2**62})
    with people.scan() as rows:
        frame = rows.pandas()
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        "f:age": "Int64",
        "f:alive": "boolean",
        "f:born": "datetime64[ms, UTC]",
        "f:height": "float64",
        "f:name": "object",
        "j:tags": "object",
    }
    assert frame.loc[b"bob", "f:age"] == 2**62
    assert frame.loc[b"ada", "f:born"] == ADA[b"f:born"]
    assert pandas.isna(frame.loc[b"bob", "f:born"])
    assert frame.loc[b"bob", "f:born"] is pandas.NaT
    assert frame["f:age"].sum() == 2**62 + 36
    assert frame.loc[b"ada", "j:tags"] == ["countess"]
    assert frame.loc[b"ada", "f:born"] + timedelta(days=1) == datetime(1815, 12, 11, tzinfo=UTC)
