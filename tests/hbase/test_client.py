"""The client against a real HBase: what comes back, in which order, and what is refused."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import rowstone as rs
from rowstone import errors

SPLITS = ["c", "m", "t"]
ROWS = [f"{letter}{number}".encode() for letter in "abcdmnstz" for number in range(3)]


@pytest.fixture(scope="module")
def regions(cluster: rs.Database) -> Iterator[rs.Table]:
    """A table of four regions with a few rows in each, not to be changed."""
    cluster.create_table("regions", {"f": rs.Family(max_versions=3), "g": {}}, splits=SPLITS)
    table = cluster.table("regions")
    for row in ROWS:
        table.put(row, {"f:a": row, "f:b": b"b", "g:c": b"c"}, timestamp=5)
    yield table
    cluster.drop_table("regions", force=True)


def test_a_put_comes_back(table: rs.Table) -> None:
    table.put("r", {"f:a": b"1", "g:b": b"2"})
    assert table.get("r").to_dict() == {b"f:a": b"1", b"g:b": b"2"}
    assert table.exists("r")
    assert not table.exists("s")
    assert not table.get("s")


def test_versions_and_time_ranges(table: rs.Table) -> None:
    for timestamp in (1, 2, 3, 4):
        table.put("r", {"f:a": str(timestamp)}, timestamp=timestamp)
    assert [cell.value for cell in table.get("r", versions=5).versions("f:a")] == [b"4", b"3", b"2"]
    assert table.get("r", time_range=(0, 4))["f:a"] == b"3"
    assert table.get("r", timestamp=2)["f:a"] == b"2"
    assert not table.get("r", family_time_ranges={"f": (10, 20)})


def test_deletes_hide_versions_columns_families_and_rows(table: rs.Table) -> None:
    table.put("r", {"f:a": "1", "f:b": "1", "g:c": "1"}, timestamp=1)
    table.put("r", {"f:a": "2"}, timestamp=2)
    table.delete("r", ["f:a"], version="latest")
    assert table.get("r")["f:a"] == b"1"
    table.delete("r", ["f:b"])
    assert set(table.get("r")) == {b"f:a", b"g:c"}
    table.delete("r", ["g"])
    assert set(table.get("r")) == {b"f:a"}
    table.delete("r")
    assert not table.get("r")
    markers = {cell.type for row in table.scan(raw=True, versions=10) for cell in row.cells}
    assert {"DeleteFamily", "DeleteColumn", "Delete", "Put"} <= markers


def test_increments_and_appends(table: rs.Table) -> None:
    assert table.increment("r", "f:n", 5) == 5
    assert table.increment("r", "f:n", -7) == -2
    assert table.append("r", "f:s", "ab") == b"ab"
    assert table.append("r", "f:s", "cd") == b"abcd"
    both = table.increment("r", {"f:n": 2, "g:n": 3})
    assert (both["f:n"], both["g:n"]) == ((0).to_bytes(8, "big"), (3).to_bytes(8, "big"))
    table.put("r", {"f:text": "x"})
    with pytest.raises(errors.NotALong):
        table.increment("r", "f:text")


def test_check_and_mutate(table: rs.Table) -> None:
    assert table.check_and_mutate("r", "f:a", "EQUAL", None, rs.Put("r", {"f:a": "1"}))
    assert not table.check_and_mutate("r", "f:a", "EQUAL", None, rs.Put("r", {"f:a": "2"}))
    assert table.check_and_mutate("r", "f:a", "LESS", "0", rs.Put("r", {"f:a": "2"}))
    several = [rs.Put("r", {"f:b": "3"}), rs.Delete("r", ["f:a"]), rs.Increment("r", {"f:n": 4})]
    done = table.check_and_mutate("r", "f:a", "EQUAL", "2", several)
    assert done
    assert done.row["f:n"] == (4).to_bytes(8, "big")
    assert set(table.get("r")) == {b"f:b", b"f:n"}
    assert not table.check_and_mutate("r", "f:b", "EQUAL", "no", several)


def test_mutate_row_happens_wholly_or_not_at_all(table: rs.Table) -> None:
    table.mutate_row("r", [rs.Put("r", {"f:a": "1"}), rs.Append("r", {"f:s": "x"})])
    with pytest.raises(errors.NoSuchColumnFamily):
        table.mutate_row("r", [rs.Put("r", {"f:a": "2"}), rs.Put("r", {"none:a": "2"})])
    assert table.get("r").to_dict() == {b"f:a": b"1", b"f:s": b"x"}


def test_multi_answers_each_action(regions: rs.Table, table: rs.Table) -> None:
    answers = table.multi(
        [
            rs.Put("r", {"f:a": "1"}),
            rs.Put("r", {"none:a": "1"}),
            rs.Increment("n", {"f:n": 4}),
            rs.RowMutations("m", [rs.Put("m", {"f:a": "1"}), rs.Put("m", {"f:b": "1"})]),
            rs.RowMutations("w", [rs.Put("w", {"none:a": "1"})]),
        ]
    )
    assert answers[0] is None
    assert isinstance(answers[1], errors.NoSuchColumnFamily)
    assert answers[1].remote_class == "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException"
    assert answers[2]["f:n"] == (4).to_bytes(8, "big")
    assert isinstance(answers[4], errors.NoSuchColumnFamily)
    assert [row.key for row in table.scan()] == [b"m", b"n", b"r"]
    found = regions.get_many([b"z1", b"none", b"a0", b"m2"])
    assert [row.key for row in found] == [b"z1", b"none", b"a0", b"m2"]
    assert [bool(row) for row in found] == [True, False, True, True]
    assert regions.exists_many([b"z1", b"none", b"a0"]) == [True, False, True]


def keys(table: rs.Table, **options: object) -> list[bytes]:
    return [row.key for row in table.scan(**options)]  # type: ignore[arg-type]


def test_scans_of_every_range(regions: rs.Table) -> None:
    assert keys(regions) == ROWS
    assert keys(regions, reverse=True) == ROWS[::-1]
    edges = [None, b"a", b"a1", b"c", b"c0", b"m", b"m0", b"n1", b"t", b"zz"]
    for start in edges:
        for stop in edges:
            for include in (False, True):
                inside = [
                    row
                    for row in ROWS
                    if (start is None or row > start or (row == start and not include))
                    and (stop is None or row < stop or (row == stop and include))
                ]
                found = keys(regions, start=start, stop=stop, include_start=not include, include_stop=include)
                assert found == inside, (start, stop, include)
                backward = [
                    row
                    for row in reversed(ROWS)
                    if (start is None or row < start or (row == start and not include))
                    and (stop is None or row > stop or (row == stop and include))
                ]
                found = keys(
                    regions, start=start, stop=stop, include_start=not include, include_stop=include, reverse=True
                )
                assert found == backward, (start, stop, include)


def test_limits_across_regions(regions: rs.Table) -> None:
    for limit in range(1, len(ROWS) + 2):
        assert keys(regions, limit=limit) == ROWS[:limit]
        assert keys(regions, limit=limit, reverse=True) == ROWS[::-1][:limit]


def test_pieces_of_rows(table: rs.Table) -> None:
    table.put("r", {f"f:{number:02}": "x" for number in range(10)})
    table.put("s", {"f:a": "x"})
    pieces = [(row.key, len(row.cells), row.is_partial) for row in table.scan(batch=4)]
    assert [piece[:2] for piece in pieces] == [(b"r", 4), (b"r", 4), (b"r", 2), (b"s", 1)]
    assert [piece[2] for piece in pieces] == [True, True, False, False]
    assert keys(table, batch=4, limit=1) == [b"r", b"r", b"r"]


def test_a_row_larger_than_an_answer_comes_whole(table: rs.Table) -> None:
    value = bytes(100_000)
    for start in range(0, 90, 30):
        table.put("big", {f"f:{number:03}": value for number in range(start, start + 30)})
    table.put("small", {"f:a": "x"})
    rows = {row.key: len(row.cells) for row in table.scan()}
    assert rows == {b"big": 90, b"small": 1}
    rows = {row.key: len(row.cells) for row in table.scan(reverse=True)}
    assert rows == {b"small": 1, b"big": 90}
    sizes = [len(row.cells) for row in table.scan(start="big", stop="bih", batch=40)]
    assert sizes == [40, 40, 10]


def test_a_scan_given_up_early_leaves_the_connection_usable(regions: rs.Table) -> None:
    for _ in range(20):
        with regions.scan() as rows:
            assert next(iter(rows)).key == ROWS[0]
    assert keys(regions) == ROWS


def test_cells_expire_after_their_ttl(table: rs.Table) -> None:
    table.put("r", {"f:short": "x"}, ttl_ms=300)
    table.put("r", {"f:long": "x"}, ttl_ms=3_600_000)
    end = time.monotonic() + 10
    while len(table.get("r")) == 2 and time.monotonic() < end:
        time.sleep(0.05)
    assert set(table.get("r")) == {b"f:long"}


def test_many_threads_share_a_connection(table: rs.Table) -> None:
    def work(thread: int) -> int:
        for number in range(50):
            table.increment("all", "f:n")
            table.put(f"{thread}-{number}", {"f:a": str(number)})
            assert table.get(f"{thread}-{number}")["f:a"] == str(number).encode()
        return thread

    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(work, range(16))) == list(range(16))
    assert table.increment("all", "f:n", 0) == 16 * 50
    assert len(keys(table)) == 16 * 50 + 1


def test_a_batch_of_many_rows(table: rs.Table) -> None:
    with table.batch() as batch:
        for number in range(30_000):
            batch.put(f"{number:06}", {"f:a": b"x" * 100})
    assert sum(1 for _ in table.scan()) == 30_000
    found = table.get_many([f"{number:06}" for number in range(0, 30_000, 3)])
    assert len(found) == 10_000
    assert all(row["f:a"] == b"x" * 100 for row in found)


def test_missing_and_disabled_tables_raise_their_errors(cluster: rs.Database, table: rs.Table) -> None:
    with pytest.raises(errors.TableNotFound) as missing:
        cluster.table("missing")
    assert missing.value.remote_class == "org.apache.hadoop.hbase.TableNotFoundException"
    with pytest.raises(errors.NoSuchColumnFamily):
        table.put("r", {"none:a": "x"})
    with pytest.raises(errors.NoSuchColumnFamily):
        table.get("r", columns=["none"])
    table.put("r", {"f:a": "x"})
    cluster.admin.disable_table(table.name)
    for call in (
        lambda: table.get("r"),
        lambda: table.put("r", {"f:a": "y"}),
        lambda: list(table.scan()),
        lambda: table.get_many(["r"]),
        lambda: table.increment("r", "f:n"),
    ):
        with pytest.raises(errors.TableNotEnabled):
            call()
    assert isinstance(table.multi([rs.Get("r")])[0], errors.TableNotEnabled)
    cluster.admin.enable_table(table.name)
    assert table.get("r")["f:a"] == b"x"
    cluster.drop_table(table.name, force=True)
    with pytest.raises(errors.TableNotFound):
        table.get("r")


def test_meta_is_a_table(cluster: rs.Database, regions: rs.Table) -> None:
    meta = cluster.table("hbase:meta")
    rows = [row for row in meta.scan(start="regions,,", stop="regions ,,") if b"info:regioninfo" in row]
    assert len(rows) == len(SPLITS) + 1
    host, _, port = meta.get(rows[0].key)["info:server"].partition(b":")
    assert host in (b"localhost", b"127.0.0.1")
    assert port.isdigit()
