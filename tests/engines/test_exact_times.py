"""Times with a finer resolution than columns and row keys have: nothing is rounded without notice."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

import rowstone as rs
from rowstone.codecs import codec
from rowstone.engines import Compare, In, IsNull, Predicate, RowSchema, Sink, Source, StartsWith
from rowstone.engines._condition_text import condition_text
from rowstone.engines.reading.mask import keep
from rowstone.errors import InvalidArgument
from rowstone.keys import Key, time
from tests.engines.test_sources import read

pa: Any = pytest.importorskip("pyarrow")
pd: Any = pytest.importorskip("pandas")

MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
LATER = pd.Timestamp("2026-01-01T00:00:00.000000001Z")
BATCH = pa.record_batch({"at": pa.array([MOMENT], pa.timestamp("ms", "UTC")), "name": ["a"]})


@pytest.mark.parametrize(
    ("predicate", "count"),
    [
        (Compare("at", "==", LATER), 0),
        (Compare("at", "<", LATER), 1),
        (In("at", (LATER,)), 0),
        (Compare("at", "==", pd.Timestamp(MOMENT)), 1),
    ],
)
def test_nanoseconds_count_in_what_is_left_to_check(predicate: Predicate, count: int) -> None:
    assert keep(BATCH, predicate).num_rows == count


def test_nanoseconds_have_no_text() -> None:
    with pytest.raises(InvalidArgument, match="has no literal"):
        condition_text(Compare("at", "<", LATER))
    assert condition_text(Compare("at", "<", MOMENT)) == "`at` < timestamp '2026-01-01T00:00:00+00:00'"


def test_a_surrogate_equals_no_text() -> None:
    assert keep(BATCH, Compare("name", "==", "\ud800")).num_rows == 0
    assert keep(BATCH, StartsWith("name", "\ud800") | IsNull("at")).num_rows == 0


@pytest.mark.parametrize("key", ["datetime", Key(time("row"))], ids=["codec", "part"])
@pytest.mark.parametrize(("unit", "moment"), [("us", MOMENT.replace(microsecond=1)), ("ns", LATER)])
def test_row_keys_do_not_join_times(db: rs.Database, key: Any, unit: str, moment: Any) -> None:
    db.create_table("t", ["f"])
    sink = Sink(db, "t", RowSchema(key, {"c": ("f:c", "text")}))
    times = pa.array([MOMENT, moment], pa.timestamp(unit, "UTC"))
    with pytest.raises(InvalidArgument, match=r"row row=2026-01-01T00:00:00.00000.* is no whole millisecond"):
        sink.write([pa.record_batch({"row": times, "c": ["a", "b"]})])
    assert sink.write([pa.record_batch({"row": times[:1], "c": ["a"]})]) == 1


def test_a_row_key_of_a_whole_millisecond(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    schema = RowSchema("datetime", {"c": ("f:c", "text")})
    moment = MOMENT.replace(microsecond=5000)
    Sink(db, "t", schema).write([pa.record_batch({"row": pa.array([moment]), "c": ["a"]})])
    assert [row.key for row in db.table("t").scan()] == [codec("datetime").encode(moment)]
    assert read(Source(db, "t", schema)) == [{"row": moment, "c": "a"}]
