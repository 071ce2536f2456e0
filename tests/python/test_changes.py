"""Increments, appends, conditional changes, and several mutations in one call."""

from __future__ import annotations

import struct
from typing import Any

import pytest

import rowstone as rs


def test_an_increment_gives_the_new_value(t: rs.Table) -> None:
    """checklist 139: a counter is 8 big-endian bytes."""
    assert t.increment("r", "f:n") == 1
    assert t.increment("r", "f:n", 41) == 42
    assert t.increment("r", ("f", "n"), -2) == 40
    assert t.get("r")["f:n"] == struct.pack(">q", 40)


def test_increments_of_several_counters_give_a_row(t: rs.Table) -> None:
    row = t.increment("r", {"f:a": 1, "g:b": -5})
    assert {column: struct.unpack(">q", value)[0] for column, value in row.items()} == {b"f:a": 1, b"g:b": -5}


def test_counters_wrap_around_as_in_java(t: rs.Table) -> None:
    t.increment("r", "f:n", 2**63 - 1)
    assert t.increment("r", "f:n", 1) == -(2**63)


def test_an_append_gives_the_new_value(t: rs.Table) -> None:
    assert t.append("r", "f:s", "ab") == b"ab"
    assert t.append("r", "f:s", b"cd") == b"abcd"
    assert t.append("r", {"f:s": "!", "g:s": "?"}).to_dict() == {b"f:s": b"abcd!", b"g:s": b"?"}


@pytest.mark.parametrize(
    ("operator", "holds"),
    [
        ("EQUAL", False),
        ("NOT_EQUAL", True),
        ("LESS", True),
        ("less_or_equal", True),
        ("GREATER", False),
        (">=", False),
    ],
)
def test_conditions_compare_in_hbases_direction(t: rs.Table, operator: str, holds: bool) -> None:
    """`value OP stored`: 4 is less than the stored 5."""
    t.put("r", {"f:n": "5"})
    result = t.check_and_mutate("r", "f:n", operator, "4", rs.Put("r", {"f:done": "yes"}))
    assert bool(result) is result.success is holds
    assert ("f:done" in t.get("r")) is holds


def test_a_condition_on_an_absent_column(t: rs.Table) -> None:
    """checklist 154: a put on condition that the column is absent."""
    put = rs.Put("r", {"f:a": "1"})
    assert t.check_and_mutate("r", "f:a", "EQUAL", None, put)
    assert not t.check_and_mutate("r", "f:a", "EQUAL", None, put)


def test_a_condition_may_guard_several_mutations(t: rs.Table) -> None:
    t.put("r", {"f:a": "1"})
    mutations = [rs.Put("r", {"f:b": "2"}), rs.Delete("r", "f:a"), rs.Increment("r", {"f:n": 3})]
    result = t.check_and_mutate("r", "f:a", "EQUAL", "1", mutations)
    assert result.success
    assert result.row.to_dict() == {b"f:n": struct.pack(">q", 3)}
    assert list(t.get("r")) == [b"f:b", b"f:n"]


def test_mutations_of_one_row_happen_together(t: rs.Table) -> None:
    t.put("r", {"f:old": "1"})
    row = t.mutate_row("r", [rs.Put("r", {"f:new": "2"}), rs.Delete("r", "f:old"), rs.Append("r", {"f:s": "x"})])
    assert row.to_dict() == {b"f:s": b"x"}
    assert list(t.get("r")) == [b"f:new", b"f:s"]
    with pytest.raises(rs.errors.NoSuchColumnFamily):
        t.mutate_row("r", [rs.Put("r", {"f:new": "3"}), rs.Put("r", {"zz:q": "3"})])
    assert t.get("r")["f:new"] == b"2", "nothing of it happened"


def test_a_column_without_a_family_is_refused(t: rs.Table) -> None:
    """Regression: puts and deletes of it were acknowledged, and lost."""
    for call in (
        lambda: t.put("r", {":q": "v"}),
        lambda: t.put("r", {"f:q": "v", ("", "q"): "v"}),
        lambda: t.delete("r", [":q"]),
        lambda: t.increment("r", {":n": 1}),
        lambda: t.multi([rs.Put("r", {":q": "v"})]),
        lambda: t.value("r", ":q"),
    ):
        with pytest.raises(rs.errors.NoSuchColumnFamily, match="no family before its colon"):
            call()
    assert not t.exists("r")


def test_a_multi_gives_a_result_or_error_per_action(t: rs.Table) -> None:
    """checklist 065, 153: a failed action does not stop the others."""
    results = t.multi(
        [
            rs.Put("a", {"f:q": "1"}),
            rs.Put("b", {"zz:q": "1"}),
            rs.Get("a"),
            rs.Get("none"),
            rs.Increment("c", {"f:n": 2}),
            rs.Delete("a"),
            rs.RowMutations("d", [rs.Put("d", {"f:q": "1"}), rs.Put("d", {"g:q": "2"})]),
        ]
    )
    assert results[0] is results[5] is None
    assert isinstance(results[1], rs.errors.NoSuchColumnFamily)
    assert results[2] == {b"f:q": b"1"}
    assert not results[3]
    assert results[4] == {b"f:n": struct.pack(">q", 2)}
    assert not t.exists("a")
    assert len(t.get("d")) == 2
    assert t.multi([]) == []


def test_mutations_tell_their_row(t: rs.Table) -> None:
    for mutation in (
        rs.Put("r", {"f:q": "1"}),
        rs.Delete("r", "f:q"),
        rs.Increment("r", {"f:q": 1}),
        rs.Append("r", [("f:q", "1"), ("f:q", "2")]),
        rs.Get("r"),
        rs.RowMutations("r", rs.Put("r", {"f:q": "1"})),
    ):
        assert mutation.row == b"r"
        assert repr(mutation).startswith(f"{type(mutation).__name__}(b'r'")


def test_a_buffered_writer_writes_when_full_flushed_or_closed(t: rs.Table) -> None:
    """checklist 065: invisible until flushed."""
    with t.batch(buffer_bytes=1_000) as batch:
        batch.put("a", {"f:q": "x"})
        assert not t.exists("a")
        batch.flush()
        assert t.exists("a")
        batch.put("b", {"f:q": "x" * 1_000})
        assert t.exists("b")
        batch.delete("a")
        batch.mutate(rs.Put("c", {"f:q": "1"}))
        assert len(batch) == 2
        assert t.exists("a")
    assert list(t) == [b"b", b"c"]
    batch.close()
    with pytest.raises(rs.errors.InvalidArgument, match="closed"):
        batch.put("d", {"f:q": "x"})


def test_a_buffered_writer_flushes_at_two_mebibytes(t: rs.Table) -> None:
    """checklist 065: HBase's default size."""
    batch = t.batch()
    for number in range(20):
        batch.put(f"{number:02}", {"f:q": b"x" * 100_000})
    assert not t.exists("00")
    batch.put("20", {"f:q": b"x" * 100_000})
    assert t.exists("20")
    assert len(batch) == 0


def test_a_buffered_writer_lists_what_failed(t: rs.Table) -> None:
    batch = t.batch()
    batch.put("a", {"f:q": "1"})
    batch.put("b", {"zz:q": "1"})
    batch.put("c", {"f:q": "1"})
    with pytest.raises(rs.errors.NoSuchColumnFamily) as raised:
        batch.flush()
    assert [(key, type(error)) for key, error in raised.value.failures] == [(b"b", rs.errors.NoSuchColumnFamily)]
    assert any("1 of 3" in note for note in raised.value.__notes__)
    assert list(t) == [b"a", b"c"]
    batch.close()


def fail_in_a_batch(t: rs.Table, rows: int, **options: Any) -> list[str]:
    """Return the notes of the exception."""

    def fail() -> None:
        with t.batch(**options) as batch:
            for number in range(rows):
                batch.put(f"{number:02}", {"f:q": b"x" * 100_000})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as raised:
        fail()
    return getattr(raised.value, "__notes__", [])


def test_a_batch_whose_block_raises_says_what_was_written(t: rs.Table) -> None:
    """Regression: the writes were made silently."""
    [note] = fail_in_a_batch(t, 30)
    assert len(list(t)) == 30
    assert note.startswith("30 mutations of the batch were written although its block raised")
    assert fail_in_a_batch(t, 0) == []


def test_a_batch_with_transaction_writes_all_or_nothing(t: rs.Table) -> None:
    """As in happybase."""
    assert fail_in_a_batch(t, 30, transaction=True) == ["30 mutations of the batch were dropped, as its block raised"]
    assert list(t) == []
    with t.batch(transaction=True) as batch:
        for number in range(30):
            batch.put(f"{number:02}", {"f:q": b"x" * 100_000})
        assert (len(batch), list(t)) == (30, [])
        assert repr(batch).endswith("bytes, transaction=True)")
    assert len(list(t)) == 30
    with pytest.raises(rs.errors.InvalidArgument, match="closed"):
        batch.put("d", {"f:q": "x"})
    with pytest.raises(rs.errors.InvalidArgument, match="pass no buffer_bytes"):
        t.batch(transaction=True, buffer_bytes=1)


def test_a_buffered_writer_flushes_after_an_exception(t: rs.Table) -> None:
    def fail() -> None:
        with t.batch() as batch:
            batch.put("a", {"f:q": "1"})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert t.exists("a")
