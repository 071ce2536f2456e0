"""Five index strategies answer one query alike; their guarantees on age, cost and checks (checklist 203-211)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

import rowstone as rs
from rowstone import codecs, errors
from rowstone.indexes import Index, KeyPart, _rebuild
from rowstone.testing import START_MS
from tests.checklist import checklist

STRATEGIES = ("filter", "periodic", "dual", "summary", "coprocessor")
QUARTER_MS = 900_000


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        rs.testing.user_activity(database)
        yield database


def create(db: rs.Database, strategy: str, on: Any = "f:at", **options: Any) -> Index:
    name = f"{strategy}_{on.start if isinstance(on, KeyPart) else 'at'}".replace("-", "")
    options = {"by": "day"} | options if strategy == "summary" else options
    return db.create_index("user_activity", name, on, strategy=strategy, codec="int64", **options)


def write(index: Index, row: str, at: int | None) -> None:
    """Writes as the strategy wants it."""
    target: Any = index if index.definition.strategy == "dual" else index._table
    if at is None:
        target.delete(row)
    else:
        target.put(row, {"f:at": at.to_bytes(8, "big", signed=True)})


@checklist("203", clause="five strategies answer ranges of time over users alike")
@checklist("211", clause="one call makes each of them")
@pytest.mark.parametrize("on", ["f:at", KeyPart(-8)])
def test_five_strategies_answer_alike(db: rs.Database, on: Any) -> None:
    table = db.table("user_activity")
    ranges = [(START_MS + 10 * QUARTER_MS, START_MS + 97 * QUARTER_MS), (None, START_MS), (START_MS + 1, None), (5, 9)]
    indexes = [create(db, strategy, on) for strategy in STRATEGIES]
    for low, high in ranges:
        wanted = sorted(
            (int.from_bytes(row["f:at"], "big"), row.key)
            for row in table.scan()
            if (low or 0) <= int.from_bytes(row["f:at"], "big") < (high or 2**62)
        )
        for index in indexes:
            found = [(int.from_bytes(row["f:at"], "big"), row.key) for row in index.query(low, high)]
            assert found == wanted, index
    for index in indexes:
        assert len(list(index.query(equals=START_MS))) == 1
        assert len(list(index.query(limit=7))) == 7
        assert not index.verify()


@checklist("206", clause="a filter scan in parallel")
def test_a_filter_query_in_parallel_and_its_warning(
    db: rs.Database, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    [region] = db.admin.regions.list("user_activity")
    db.admin.regions.split(region.encoded_name, b"cid")
    index = create(db, "filter")
    alone, together = index.query(START_MS + QUARTER_MS), index.query(START_MS + QUARTER_MS, threads=4)
    assert [row.key for row in alone] == [row.key for row in together]
    assert len(list(alone)) == 399
    assert "reads all" not in caplog.text
    monkeypatch.setattr("rowstone.indexes._query.LARGE_TABLE_CELLS", 100)
    with caplog.at_level(logging.WARNING, "rowstone"):
        list(alone)
    assert "this query reads all" in caplog.text
    assert "of table 'user_activity'" in alone.explain().note


@checklist("207", clause="rebuilt by a job, also since a time; its age shows")
@pytest.mark.parametrize("strategy", ["periodic", "summary"])
def test_a_periodic_index_is_as_old_as_its_last_rebuild(strategy: str) -> None:
    clock = rs.testing.ManualClock(1_000_000)
    with rs.connect(":memory:", clock=clock) as db:
        rs.testing.user_activity(db)
        index = create(db, strategy, build=False)
        assert index.lag() == rs.indexes.Lag(None, None)
        assert len(list(index.query())) == 400
        assert "not built" in index.query().explain().note
        clock.advance(10)
        assert index.rebuild() == 400
        assert index.lag() == rs.indexes.Lag(0, 1_000_010)
        clock.advance(10)
        first = next(iter(index.query()))
        table = db.table("user_activity")
        table.delete(first.key)
        table.put("new", {"f:at": (7).to_bytes(8, "big")})
        assert index.lag() == rs.indexes.Lag(2, 1_000_010)
        query = index.query()
        assert len(list(query)) == 399
        assert query.explain().dropped == 1
        assert set(index.verify().missing) == {b"new"}
        assert set(index.verify().extra) == {first.key}
        clock.advance(10)
        assert index.rebuild(since=index.lag().since) == 2
        assert not index.verify()
        assert [row.key for row in index.query(stop=8)] == [b"new"]
        assert index.lag() == rs.indexes.Lag(0, 1_000_030)


@checklist("208", clause="both are written; what was there comes in by a bootstrap; a check finds no difference")
def test_a_dual_index(db: rs.Database) -> None:
    index = create(db, "dual", build=False)
    write(index, "before", 5)
    assert index.verify().missing_count == 400
    assert index.bootstrap() == 400
    assert not index.verify()
    for row, at in [("a", 7), ("a", 9), ("a", 7), ("b", 7), ("b", None), ("before", None), ("a", 7)]:
        write(index, row, at)
        assert not index.verify(), (row, at)
    assert [row.key for row in index.query(stop=100)] == [b"a"]
    index.delete("a", ["f:at"])
    assert not index.verify()
    # A write that bypasses the index is found and repaired.
    db.table("user_activity").put("past", {"f:at": (1).to_bytes(8, "big")})
    assert index.verify().missing == (b"past",)
    index.rebuild()
    assert not index.verify()


def test_a_dual_put_of_several_versions_has_the_entry_of_the_newest(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    index = db.create_index("t", "by_at", "f:at", strategy="dual", codec="text")
    index.put("a", [("f:at", "old", 5), ("f:at", "new", 9)])
    index.put("b", [("f:at", "new", 9), ("f:at", "old", 5)])
    index.put("c", [("f:at", "first"), ("f:at", "new")])
    index.put("d", {("f", "at"): "new"})
    assert [row.key for row in index.query(equals="new")] == [b"a", b"b", b"c", b"d"]
    assert not index.verify()


@pytest.mark.parametrize(("data", "options"), [({}, {"durability": "NOPE"}), ({"g:x": b"1"}, {}), ({"f:x": 1}, {})])
def test_a_refused_put_writes_no_entry(db: rs.Database, data: dict[str, Any], options: dict[str, Any]) -> None:
    index = create(db, "dual")
    with pytest.raises(errors.UsageError):
        index.put("new", {"f:at": bytes(8), **data}, **options)
    assert not index.verify()


@checklist("209", clause="a summary kept step by step equals one made anew")
def test_a_summary_equals_recomputed_sums(db: rs.Database) -> None:
    index = create(db, "summary", sums="f:amount")

    def recomputed() -> dict[int, tuple[int, int]]:
        days: dict[int, tuple[int, int]] = {}
        for row in db.table("user_activity").scan():
            at = int.from_bytes(row["f:at"], "big", signed=True)
            count, total = days.get(at // 86_400_000 * 86_400_000, (0, 0))
            amount = int.from_bytes(row.get("f:amount", b""), "big", signed=True)
            days[at // 86_400_000 * 86_400_000] = count + 1, total + amount
        return days

    assert index.summary() == recomputed()
    table = db.table("user_activity")
    keys = list(table)
    for key in keys[:50]:
        table.delete(key)
    table.put(keys[60], {"f:amount": (-1_000_000).to_bytes(8, "big", signed=True)})
    table.put("early", {"f:at": (-5).to_bytes(8, "big", signed=True)})
    assert index.rebuild(since=0) > 0
    assert index.summary() == recomputed()
    assert min(index.summary()) == -86_400_000
    some = index.summary(START_MS, START_MS + 1)
    assert some == {start: both for start, both in recomputed().items() if start <= START_MS < start + 86_400_000}
    assert not index.verify()
    bucket = index._entries.get(b"b" + (19675 + 2**63).to_bytes(8, "big"))
    index._entries.put(bucket.key, {"i:count": (3).to_bytes(8, "big")})
    assert index.verify().extra == (b"bucket 19675",)


def test_summaries_find_negative_and_very_large_values() -> None:
    """Regression: equals found nothing below 0 and overflowed above 2**55, and summary counted the bucket at stop."""
    values = (-(2**63), -5, -1, 0, 3, 2**62, 2**63 - 1)
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        for value in values:
            db.table("t").put(str(value), {"f:q": value.to_bytes(8, "big", signed=True)})
        for by in (1, 10):
            index = db.create_index("t", f"by_{by}", "f:q", strategy="summary", codec="int64", by=by)
            for value in values:
                assert [row.key for row in index.query(equals=value)] == [str(value).encode()]
            assert [row.key for row in index.query(-5, 0)] == [b"-5", b"-1"]
            assert sum(count for count, _ in index.summary(-5, 0).values()) == 2
            assert index.summary(0, 1) == {0: (2 if by == 10 else 1, 0)}
            assert sum(count for count, _ in index.summary(stop=2**63 - 1).values()) == 6 + (by == 10)
            assert index.summary(3, 3) == index.summary(3, -5) == {}


def test_summaries_find_dates_before_1970() -> None:
    """Regression: equals found none."""
    birthday = datetime(1969, 7, 20, tzinfo=UTC)
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.table("t").put("moon", {"f:q": codecs.codec("datetime").encode(birthday)})
        index = db.create_index("t", "by_day", "f:q", strategy="summary", codec="datetime", by="day")
        assert [row.key for row in index.query(equals=birthday)] == [b"moon"]


@checklist("205", clause="an index tells its bytes and what it adds to each write")
def test_the_cost_counts_entries_and_write_amplification(db: rs.Database) -> None:
    nothing = create(db, "filter").cost()
    assert (nothing.entries, nothing.index_bytes, nothing.write_amplification) == (0, 0, 1.0)
    for strategy in STRATEGIES[1:]:
        index = create(db, strategy)
        for _ in range(2):
            cost = index.cost()
            assert cost.entries == 400
            assert cost.write_amplification == (cost.index_bytes + cost.table_bytes) / cost.table_bytes > 1
            db.admin.flush()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_query_returns_the_whole_family_of_the_indexed_column(db: rs.Database, strategy: str) -> None:
    index = create(db, strategy)
    every = [dict(row) for row in index.query(limit=5)]
    assert len(every[0]) > 1
    for columns in ("f", ["f"], ["f:"], ["f:at", "f"], [b"f"]):
        assert [dict(row) for row in index.query(limit=5, columns=columns)] == every
    for narrow in (["f", "f:action"], ["f", ("f", "action")], ["f:action"]):
        assert {frozenset(row) for row in index.query(limit=5, columns=narrow)} == {frozenset({b"f:action", b"f:at"})}


@checklist("211", clause="a query says which path it took and what it cost")
def test_queries_explain_the_rows_they_read(db: rs.Database) -> None:
    index = create(db, "coprocessor")
    query = index.query(START_MS, START_MS + 10 * QUARTER_MS, columns=["f:action"])
    assert {frozenset(row) for row in query} == {frozenset({b"f:action", b"f:at"})}
    told = query.explain()
    assert (told.index_rows, told.table_rows, told.returned, told.dropped) == (10, 10, 10, 0)
    assert told.path == "entries of user_activity_coprocessor_at, rows of user_activity"
    assert "read 10 rows of the index and 10 of the table, returned 10" in str(told)
    told = create(db, "filter").query(START_MS, START_MS + 10 * QUARTER_MS).explain()
    assert (told.path, told.table_rows) == ("filter scan of user_activity", 0)


@pytest.mark.parametrize("strategy", STRATEGIES[1:])
def test_a_planted_difference_is_found(db: rs.Database, strategy: str) -> None:
    index = create(db, strategy)
    entries = index._entries
    [row] = index.query(equals=START_MS)
    kind = b"b" if strategy == "summary" else b"v"
    [found] = list(entries.scan(prefix=kind, limit=1))
    gone = [cell for cell in found.cells if cell.family in (b"m", b"i")]
    if strategy == "summary":
        members = [cell for cell in gone if cell.family == b"m"]
        entries.delete(found.key, [members[0].column])
        entries.put(found.key, {b"m:" + members[1].qualifier.replace(b"\x00\x00", b"\x01\x00\x00", 1): b""})
    else:
        entries.delete(found.key)
        entries.put(found.key.replace(row.key, b"nobody"), {"i:": b""})
    differences = index.verify()
    assert differences
    assert row.key in differences.missing
    assert differences.extra_count == (1 if strategy != "summary" else differences.extra_count) > 0
    index.rebuild() if strategy != "periodic" else index.drop()
    if strategy in ("dual", "coprocessor"):
        assert not index.verify()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": 2.5}, "by must be an int, or one of minute, hour, day, not float"),
        ({"by": True}, "by must be an int"),
        ({"by": 10, "sums": "f"}, "sums='f' is a family"),
        ({"by": 10, "sums": "f:action"}, "column 'f:action' is int64: .*; sums= must be a column of int64"),
        ({"by": 10, "sums": 5}, "sums must be bytes or str, not int"),
        ({"by": 1, "codec": "uint64"}, "give 2 or more"),
        ({"by": 10, "build": "yes"}, "build must be a bool"),
        ({"by": 10, "codec": ["int64"]}, "codec of an index must be a str"),
    ],
)
def test_wrong_arguments_of_an_index_create_nothing(db: rs.Database, options: dict[str, Any], message: str) -> None:
    """Regression: an index with a table of entries was left behind, or the argument was accepted."""
    with pytest.raises(errors.InvalidArgument, match=message):
        db.create_index("user_activity", "x", "f:at", **{"strategy": "summary", "codec": "int64"} | options)
    assert db.tables() == ["user_activity"]
    assert db.indexes() == []


@pytest.mark.parametrize("strategy", ["filter", "coprocessor"])
def test_wrong_arguments_of_a_query_are_refused_as_by_a_scan(db: rs.Database, strategy: str) -> None:
    """Regression: limit=0 returned every row, and a column was split into letters."""
    index = create(db, strategy)
    for wrong, message in [
        ({"limit": 0}, "limit 0 is outside 1"),
        ({"limit": -1}, "limit -1 is outside 1"),
        ({"limit": "1"}, "limit must be an int, not str"),
        ({"columns": []}, "columns is empty"),
        ({"columns": 5}, "columns must be a column"),
        ({"columns": [5]}, "column must be bytes or str"),
        ({"threads": 0}, "threads is 0: at least 1"),
    ]:
        with pytest.raises(errors.InvalidArgument, match=message):
            index.query(**wrong)  # type: ignore[arg-type]
    [row] = index.query(limit=1, columns="f:action")
    assert set(row) == {b"f:at", b"f:action"}
    for since, message in (("x", "since must be an int, not str"), (-1, "since is -1: at least 0")):
        with pytest.raises(errors.InvalidArgument, match=message):
            index.rebuild(since=since)  # type: ignore[arg-type]


def test_names_and_refusals(db: rs.Database) -> None:
    index = create(db, "coprocessor")
    assert [one.name for one in db.indexes()] == ["coprocessor_at"]
    assert db.index("user_activity", "coprocessor_at").definition == index.definition
    for wrong, options in [
        ("twice", {"name": "coprocessor_at"}),
        ("strategy", {"strategy": "magic"}),
        ("codec", {"codec": "json"}),
        ("a family", {"on": "f"}),
        ("name", {"name": "a b"}),
        ("by", {"strategy": "summary"}),
        ("by", {"by": "day"}),
        ("by", {"strategy": "summary", "by": "moon"}),
        ("by", {"strategy": "summary", "by": 5, "codec": "text"}),
        ("sums", {"sums": "f:amount"}),
    ]:
        given = {"name": "x", "on": "f:at", "strategy": "dual", "codec": "int64"} | options
        with pytest.raises(errors.InvalidArgument):
            db.create_index("user_activity", given.pop("name"), given.pop("on"), **given), wrong  # type: ignore[arg-type]
    with pytest.raises(errors.NoSuchColumnFamily):
        db.create_index("user_activity", "x", "g:at", strategy="dual")
    with pytest.raises(errors.TableNotFound):
        db.create_index("missing", "x", "f:at", strategy="dual")
    with pytest.raises(errors.IndexNotFound, match="it has: coprocessor_at"):
        db.index("user_activity", "x")
    with pytest.raises(errors.InvalidArgument, match="either equals"):
        index.query(5, equals=5)
    with pytest.raises(errors.UnsupportedOperation, match="write to the table"):
        index.put("row", {"f:at": b""})
    with pytest.raises(errors.UnsupportedOperation, match="no buckets"):
        index.summary()
    assert db.tables() == ["user_activity", "user_activity_coprocessor_at"]
    index.drop()
    assert db.tables() == ["user_activity"]
    assert dict(db.admin.describe("user_activity").attributes) == {}


@checklist("210", clause="on a cluster it is refused, and what holds there is written down")
def test_on_a_server_what_needs_no_record_of_two_tables(db: rs.Database) -> None:
    with rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url) as client:
        with pytest.raises(errors.UnsupportedOperation, match="strategy 'dual' or 'periodic' works there"):
            create(client, "coprocessor")
        assert "user_activity_coprocessor_at" not in client.tables()
        wanted = [row.key for row in create(client, "filter").query(START_MS, START_MS + 20 * QUARTER_MS)]
        assert len(wanted) == 20
        for strategy in ("periodic", "dual", "summary"):
            index = create(client, strategy)
            assert [row.key for row in index.query(START_MS, START_MS + 20 * QUARTER_MS)] == wanted
            write(index, "row", 17)
            if strategy != "dual":
                index.rebuild(since=index.lag().since)
            assert not index.verify()
            assert [row.key for row in index.query(stop=100)] == [b"row"]
            write(index, "row", None)
            index.drop()


def test_buckets_that_a_rebuild_left_uncounted_are_counted_by_the_next(
    db: rs.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state after a kill between entries and their count: rows that are already right are not rebuilt again."""
    index = create(db, "summary")
    day = 86_400_000
    for row in list(index.query(stop=(START_MS // day + 1) * day)):
        db.table("user_activity").delete(row.key)
    with monkeypatch.context() as patch:
        patch.setattr("rowstone.indexes._rebuild.count_marked", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            index.rebuild()
    assert index.verify().extra_count
    assert index.rebuild() == 0
    assert not index.verify()
    assert not list(db.table(index.definition.index_table or "").scan(columns=["i:dirty"]))


def test_a_bucket_marked_in_the_millisecond_in_which_it_was_counted_is_counted_again() -> None:
    with rs.connect(":memory:", clock=rs.testing.ManualClock(1_000_000)) as db:
        rs.testing.user_activity(db)
        index = create(db, "summary")
        at = START_MS - 10 * 86_400_000
        for count in range(1, 4):
            write(index, f"row{count}", at)
            index.rebuild()
            assert [found for found, _ in index.summary(stop=at).values()] == [count]
        assert not index.verify()


def test_a_bucket_marked_while_it_is_counted_stays_marked(db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    index = create(db, "summary")
    entries = db.table(index.definition.index_table or "")

    def marks_meanwhile(row: Any) -> tuple[int, int]:
        if row:
            entries.put(row.key, {"i:dirty": b"another"})
        return counted(row)

    counted = _rebuild.totals
    write(index, "row", START_MS)
    with monkeypatch.context() as patch:
        patch.setattr(_rebuild, "totals", marks_meanwhile)
        index.rebuild()
    assert b"another" in {row["i:dirty"] for row in entries.scan(columns=["i:dirty"])}
    index.rebuild()
    assert not list(entries.scan(columns=["i:dirty"]))


def _interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("strategy", STRATEGIES[1:])
def test_threads_rebuild_the_same(db: rs.Database, strategy: str) -> None:
    [region] = db.admin.regions.list("user_activity")
    db.admin.regions.split(region.encoded_name, b"cid")
    index = create(db, strategy, build=False)
    # The rows from before the index, in both regions.
    entries = index._table.scan(limit=1), index._table.scan(reverse=True, limit=1)
    assert index.rebuild(workers=3) == 400
    assert not index.verify()
    for [row] in entries:
        index._table.delete(row.key)
    if strategy != "coprocessor":
        assert index.verify().extra_count
    assert index.rebuild(workers=3) == (0 if strategy == "coprocessor" else 2)
    assert not index.verify()
    assert len(list(index.query())) == 398


@pytest.mark.parametrize("strategy", ["periodic", "dual", "summary", "coprocessor"])
def test_values_that_the_codec_cannot_read_are_counted(db: rs.Database, strategy: str) -> None:
    """Such rows have no entry, and verify said that all was well."""
    index = create(db, strategy)
    assert index.verify().unreadable_count == 0
    for number in range(3):
        index._table.put(f"text{number}", {"f:at": "noon"})
    index._table.put("none", {"f:else": "noon"})
    index.rebuild()
    found = index.verify()
    assert (found.missing_count, found.extra_count, found.unreadable_count) == (0, 0, 3)
    assert not found
    assert "unreadable_count=3" in repr(found)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("length", [4, 8])
def test_an_index_with_the_wrong_codec_is_refused(strategy: str, length: int) -> None:
    """Regression: it was created silently, and no query found anything."""
    options: dict[str, Any] = {"by": 10} if strategy == "summary" else {}
    with rs.connect(":memory:") as own:
        own.create_table("t", ["f"])
        for number in range(50):
            own.table("t").put(f"row{number:02}", {"f:q": f"{number:0{length}}"})
        with pytest.raises(
            errors.InvalidArgument, match=r"none of 50 sampled values of column 'f:q' is int64: row 'row00'"
        ):
            own.create_index("t", "i", "f:q", strategy=strategy, codec="int64", **options)
        assert own.tables() == ["t"]
        assert own.indexes() == []


@pytest.mark.parametrize("strategy", ["periodic", "summary", "coprocessor"])
def test_a_rebuild_with_the_wrong_codec_is_refused(strategy: str, caplog: pytest.LogCaptureFixture) -> None:
    options: dict[str, Any] = {"by": 10} if strategy == "summary" else {}
    with rs.connect(":memory:") as own:
        own.create_table("t", ["f"])
        index = own.create_index("t", f"wrong_{strategy}", "f:q", strategy=strategy, codec="int64", **options)
        own.table("t").put("row", {"f:q": "noon"})
        with pytest.raises(errors.InvalidArgument, match="row 'row' has 'noon' "):
            index.rebuild()
        own.table("t").put("number", {"f:q": (7).to_bytes(8, "big")})
        index.rebuild()
        assert [row.key for row in index.query()] == [b"number"]
    assert "1 of 2 sampled values are not int64" in caplog.text


def test_a_write_that_the_codec_cannot_read_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with rs.connect(":memory:") as own:
        own.create_table("t", ["f"])
        own.create_index("t", "logged", "f:q", strategy="coprocessor", codec="int64")
        for number in range(3):
            own.table("t").put(f"row{number}", {"f:q": "noon"})
    assert caplog.text.count("row 'row0' has 'noon', which is not int64: no query finds such rows") == 1
    assert "row1" not in caplog.text


def test_a_query_that_was_not_read_does_not_say_what_it_returned(db: rs.Database) -> None:
    """Regression: it said that the query had returned 0 rows."""
    query = create(db, "coprocessor").query()
    assert not query.explain().is_read
    assert "not read yet" in str(query.explain())
    assert "returned" not in str(query.explain())
    count = len(list(query))
    assert query.explain().is_read
    assert f"returned {count:,}" in str(query.explain())


@pytest.mark.parametrize("codec", ["float32", "float64"])
@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "summary"])
def test_negative_zero_equals_zero(strategy: str, codec: str) -> None:
    encode = codecs.codec(codec).encode
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        index = db.create_index("t", "by_x", "f:x", strategy=strategy, codec=codec)
        target: Any = index if strategy == "dual" else db.table("t")
        for row, number in (("a", -0.0), ("b", 0.0), ("c", -1.0), ("d", 1.0)):
            target.put(row, {"f:x": encode(number)})
        index.rebuild()
        for zero in (0.0, -0.0):
            assert [row.key for row in index.query(equals=zero)] == [b"a", b"b"]
            assert [row.key for row in index.query(None, zero)] == [b"c"]
            assert [row.key for row in index.query(zero)] == [b"a", b"b", b"d"]
        assert not index.verify()
        # From one zero to the other, the entry stays.
        target.put("a", {"f:x": encode(0.0)})
        assert not index.verify()
        target.delete("a")
        assert [row.key for row in index.query(equals=0.0)] == [b"b"]
        assert not index.verify() or strategy == "periodic"
