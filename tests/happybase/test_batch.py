"""Sending of batches: sizes, blocks that raise, failures that can be retried."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone import happybase


@pytest.fixture
def table(rowstone_db: rs.Database) -> happybase.Table:
    connection = happybase.Connection(database=rowstone_db)
    connection.create_table("t", {"cf": {}, "cg": {}})
    return connection.table("t")


def keys(table: happybase.Table) -> list[bytes]:
    return [key for key, _ in table.scan()]


def test_nothing_is_written_before_send(table: happybase.Table) -> None:
    batch = table.batch()
    batch.put("r", {"cf:q": "v"})
    assert keys(table) == []
    batch.send()
    assert keys(table) == [b"r"]
    table.delete("r")
    batch.send()
    assert keys(table) == []


def test_a_size_counts_columns(table: happybase.Table) -> None:
    batch = table.batch(batch_size=3)
    batch.put("a", {"cf:1": "", "cf:2": ""})
    assert keys(table) == []
    batch.put("b", {"cf:1": "", "cf:2": ""})
    assert keys(table) == [b"a", b"b"]
    batch.delete("a", ["cf:1", "cf:2"])
    assert keys(table) == [b"a", b"b"]
    batch.delete("b")
    assert keys(table) == []


@pytest.mark.parametrize(("options", "left"), [({}, [b"r"]), ({"transaction": True}, []), ({"batch_size": 9}, [b"r"])])
def test_a_block_that_raises(table: happybase.Table, options: dict[str, object], left: list[bytes]) -> None:
    with pytest.raises(LookupError), table.batch(**options) as batch:  # type: ignore[arg-type]  # noqa: PT012
        batch.put("r", {"cf:q": "v"})
        raise LookupError
    assert keys(table) == left


def test_a_failed_batch_can_be_sent_again(table: happybase.Table) -> None:
    batch = table.batch()
    batch.put("r", {"cf:q": "v"})
    batch.delete("s")
    table.connection.disable_table("t")
    with pytest.raises(happybase.IOError):
        batch.send()
    table.connection.enable_table("t")
    batch.send()
    assert keys(table) == [b"r"]


def test_a_batch_of_many_rows(table: happybase.Table) -> None:
    with table.batch(batch_size=1000) as batch:
        for number in range(10_000):
            batch.put(f"{number:06}", {"cf:q": str(number), "cg:q": ""})
    assert len(keys(table)) == 10_000
    with table.batch() as batch:
        for number in range(10_000):
            batch.delete(f"{number:06}")
    assert keys(table) == []


def test_text_where_a_list_is_wanted_is_refused(table: happybase.Table) -> None:
    """happybase takes its letters for families."""
    with pytest.raises(TypeError):
        table.delete("r", "cf")
    with pytest.raises(TypeError):
        list(table.scan(columns="cf"))


def test_a_counter_is_not_set_without_a_qualifier(table: happybase.Table) -> None:
    with pytest.raises(happybase.IllegalArgument, match="needs a qualifier"):
        table.counter_set("c", "cf", 5)
    assert keys(table) == []
    table.counter_set("c", "cf:", 5)
    assert table.counter_get("c", "cf:") == 5


def test_writes_without_the_log_are_lost_with_the_process_only(table: happybase.Table) -> None:
    with table.batch(wal=False) as batch:
        batch.put("a", {"cf:q": "v"})
        batch.put("b", {"cf:q": "v"}, wal=True)
        batch.delete("c", wal=False)
    assert keys(table) == [b"a", b"b"]
