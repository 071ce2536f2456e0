"""Row keys in frames: the parts of a `Key` are the first columns, with types."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars
import pytest

import rowstone as rs
from rowstone.errors import InvalidArgument
from rowstone.keys import (
    Digest,
    Key,
    KeyedTable,
    blob,
    descending,
    fixed,
    float32,
    float64,
    int8,
    int64,
    java_int16,
    md5,
    ordered,
    padded,
    random_bytes,
    reversed_fixed,
    salt,
    text,
    time,
    uint32,
    uint64,
)

KEY = Key(salt(4), text("host"), uint32("at"))
ROWS = [("a", 1, "x"), ("b", 2, "y")]


@pytest.fixture
def stored() -> Iterator[rs.Table]:
    frame = polars.DataFrame(ROWS, schema=["host", "at", "f:q"], orient="row")
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        KeyedTable(db.table("t"), KEY).put_frame(frame)
        yield db.table("t")


@pytest.mark.parametrize("kind", ["polars", "arrow", "duckdb", "parquet", "pandas"])
def test_frames_of_every_kind_have_the_parts_of_the_key_as_columns(stored: rs.Table, kind: str, tmp_path: Path) -> None:
    """Row keys were one column of bytes, in all but polars."""
    options = {"key": KEY, "codecs": {"f:q": "text"}}

    def written() -> Any:
        assert stored.scan().to_parquet(tmp_path / "t.parquet", **options) == 2  # type: ignore[arg-type]
        return polars.read_parquet(tmp_path / "t.parquet")

    read = {
        "polars": lambda: stored.scan().polars(**options),
        "arrow": lambda: polars.DataFrame(stored.scan().arrow(**options)),
        "duckdb": lambda: stored.scan().duckdb(**options).filter('"at" < 10').pl(),
        "parquet": written,
        "pandas": lambda: polars.from_pandas(stored.scan().pandas(**options)),
    }
    frame = read[kind]()
    assert frame.columns == ["host", "at", "f:q"]
    assert frame.dtypes == [polars.String, polars.UInt32, polars.String]
    assert frame.sort("host").rows() == ROWS


def test_frames_refuse_wrong_keys(stored: rs.Table) -> None:
    assert stored.scan(prefix="none").polars(key=KEY).columns[:2] == ["host", "at"]
    assert list(stored.scan(prefix="none").pandas(key=KEY).columns) == ["host", "at"]
    with pytest.raises(InvalidArgument, match="already"):
        stored.scan().polars("cells", key=Key(salt(4), text("family"), uint32("at")))
    with pytest.raises(InvalidArgument, match="already"):
        stored.scan().pandas(versions=True, key=Key(salt(4), text("timestamp"), uint32("at")))
    for read in (stored.scan().polars, stored.scan().pandas, stored.scan().arrow, stored.scan().duckdb):
        with pytest.raises(rs.errors.InvalidType, match=r"rowstone\.keys\.Key"):
            read(key=7)  # type: ignore[operator]
    with pytest.raises(InvalidArgument, match="is left behind"):
        stored.scan().arrow(key=Key(uint32("at"))).read_all()


def test_the_index_of_a_pandas_frame_has_a_codec(stored: rs.Table) -> None:
    stored.delete(next(iter(stored.scan())).key)
    [row] = stored.scan()
    stored.delete(row.key)
    stored.put((7).to_bytes(8, "big"), {"f:q": "z"})
    assert stored.scan().pandas(key="int64").index.tolist() == [7]


def test_pandas_does_not_round_uint64_beside_larger_numbers(stored: rs.Table) -> None:
    for row in stored:
        stored.delete(row)
    numbers = [2**53 + 1, 2**63]
    for number in numbers:
        stored.put(number.to_bytes(8), {"f:n": number.to_bytes(8)})
    frame = stored.scan().pandas(key="uint64", codecs={"f": "uint64"})
    assert (frame.index.tolist(), frame["f:n"].tolist()) == (numbers, numbers)
    assert stored.scan().pandas(key=Key(uint64("part")))["part"].tolist() == numbers


def test_columns_of_pandas_have_the_names_of_other_frames(stored: rs.Table) -> None:
    data = {"f:é": "x", b"f:\xff": "y", "f:a\\b": "z"}
    stored.put("é", data)
    frame = stored.scan("é").pandas(decode="utf-8")
    assert list(frame.columns) == stored.scan("é").polars().columns[1:] == ["f:a\\b", "f:é", "f:\\xff"]
    stored.put_frame(frame.reset_index()[["row", "f:é"]].assign(row="copy"))
    assert stored.get("copy").to_dict() == {"f:é".encode(): b"x"}
    stored.put("é", {"f:\\xff": "the bytes of that name"})
    with pytest.raises(InvalidArgument, match="have the same name in a frame"):
        stored.scan("é").pandas()


PARTS = {
    "int8": (int8("p"), -1),
    "int64": (int64("p"), 2**62),
    "uint64": (uint64("p"), 2**64 - 1),
    "java_int16": (java_int16("p"), -5),
    "padded": (padded("p", 4), 42),
    "padded, long": (padded("p", 30), 42),
    "float32": (float32("p"), 0.5),
    "float64": (float64("p"), -0.1),
    "text": (text("p"), "é"),
    "fixed": (fixed("p", 3), "FRA"),
    "blob": (blob("p"), b"\0\xff"),
    "random_bytes": (random_bytes("p", 2), b"\0\xff"),
    "md5": (md5("p"), Digest(bytes(16))),
    "time": (time("p"), 1_700_000_000_000),
    "descending": (descending(uint32("p")), 7),
    "reversed_fixed": (reversed_fixed(padded("p", 4)), 42),
    "ordered int32": (ordered("p", "int32"), -7),
    "ordered text": (ordered("p", "text"), None),
    "ordered number": (ordered("p", "number"), Decimal("1.5")),
    "ordered blob": (ordered("p", "blob"), b"\0"),
}


@pytest.mark.parametrize("name", PARTS)
def test_parts_of_every_kind_have_a_type_in_frames(name: str) -> None:
    part, value = PARTS[name]
    key = Key(part)
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.table("t").put(key.encode(p=value), {"f:q": "x"})
        [found] = db.table("t").scan().arrow(key=key).read_all()["p"].to_pylist()
        [shown] = db.table("t").scan().pandas(key=key)["p"].tolist()
    assert found == (str(value) if name in ("padded, long", "ordered number") else value)
    assert shown == value
