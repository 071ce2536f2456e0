"""Advisor findings: rules of thumb of the sources, on a table each (checklist 005-236)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors, splits
from rowstone.schema.advise import Access, Advice, Read, advise
from tests.advise.case import DAY_MS, NOW_MS, Case, Put, report_on
from tests.advise.examples import access, families, keys, regions, values, versions
from tests.checklist import checklist


def levels(case: Case, code: str) -> list[str]:
    """The level of each of the rule's findings on the table."""
    return [advice.level for advice in findings(case, code)]


def findings(case: Case, code: str) -> list[Advice]:
    return [advice for advice in report_on(case, code) if advice.code == code]


def one_row(key: str = "r", **columns: str | bytes) -> list[Put]:
    return [(key, {f"f:{name}": value for name, value in columns.items()}, NOW_MS)]


@checklist("005", clause="long keys are pointed out")
def test_long_keys_are_reported() -> None:
    found = {size: levels(Case(puts=one_row("k" * size, q="v")), "L05") for size in (100, 101, 401)}
    assert found == {100: [], 101: ["info"], 401: ["warning"]}


@checklist("024", clause="families of mixed sizes are pointed out")
def test_mixed_value_sizes_are_reported() -> None:
    assert levels(values.mixed_value_sizes(True), "L14") == ["warning"]
    assert levels(values.mixed_value_sizes(False), "L14") == []


@checklist("085", clause="a timestamp older than the TTL is warned about")
def test_timestamps_beyond_the_ttl() -> None:
    [found] = findings(versions.explicit_timestamps_with_ttl(True), "L21")
    assert found.level == "warning"
    assert "never seen" in found.message
    assert levels(versions.explicit_timestamps_with_ttl(False), "L21") == []


def of_versions(most: int) -> Case:
    return Case(families={"f": rs.Family(max_versions=most)})


@checklist("087", clause="such families are pointed out")
def test_many_versions_are_reported() -> None:
    found = {most: levels(of_versions(most), "L12") for most in (100, 101, 999, 1000)}
    assert found == {100: [], 101: ["warning"], 999: ["warning"], 1000: ["error"]}


@checklist("235", clause="over a hundred versions, rows are proposed")
def test_rows_rather_than_versions() -> None:
    [found] = findings(of_versions(101), "L12")
    assert "prefer rows" in found.remedy


@checklist("123", clause="equal numbers are pointed out")
def test_equal_numbers_of_versions() -> None:
    assert levels(versions.min_versions_not_below_versions(True), "L20") == ["warning"]
    assert levels(versions.min_versions_not_below_versions(False), "L20") == []


@checklist("124", clause="that is pointed out")
def test_a_minimum_without_ttl() -> None:
    assert levels(versions.min_versions_without_ttl(True), "L19") == ["warning"]
    assert levels(versions.min_versions_without_ttl(False), "L19") == []


@checklist("134", clause="values from a megabyte are pointed out")
def test_large_values_are_reported() -> None:
    found = {size: levels(Case(puts=one_row(q=b"v" * size)), "L15") for size in (1_000_000, 1_000_001, 10_000_001)}
    assert found == {1_000_000: [], 1_000_001: ["info"], 10_000_001: ["error"]}


@checklist("136", clause="that is pointed out")
def test_values_larger_than_a_block() -> None:
    assert levels(Case(puts=one_row(q=b"v" * 65_537)), "L35") == ["info"]
    assert levels(Case(puts=one_row(q=b"v" * 65_536)), "L35") == []


@checklist("159", clause="coordinates longer than values are pointed out")
def test_long_coordinates_are_reported() -> None:
    assert levels(Case(puts=one_row("1234567", q="12345678")), "L06") == ["warning"]
    assert levels(Case(puts=one_row("123456", q="12345678")), "L06") == []


@checklist("164", clause="rows written in the order of their keys are pointed out")
def test_keys_in_order() -> None:
    assert levels(keys.counted_keys(True), "L07") == ["error"]
    assert levels(keys.counted_keys(False), "L07") == []


def written(lead: Iterable[object]) -> Case:
    """A row a millisecond."""
    rows = [(f"{part:0>20}", {"f:q": "v"}, NOW_MS + time) for time, part in enumerate(map(str, lead))]
    return Case(puts=rows)


@checklist("180", clause="both are pointed out")
def test_numbers_and_times_as_keys() -> None:
    assert levels(written(range(40)), "L07") == ["error"]
    assert levels(written(NOW_MS + number for number in range(40)), "L07") == ["error"]
    assert levels(written(2**63 - 1 - number for number in range(40)), "L07") == ["error"]
    assert levels(written(number * 7 % 40 for number in range(40)), "L07") == []


@checklist("168", clause="longer names are pointed out, long ones with more weight")
def test_long_family_names_are_reported() -> None:
    found = {name: levels(Case(families={name: {}}), "L02") for name in ("d", "dd", "contents", "contents1")}
    assert found == {"d": [], "dd": ["info"], "contents": ["info"], "contents1": ["warning"]}


@checklist("169", clause="long qualifiers are pointed out")
def test_long_qualifiers_are_reported() -> None:
    assert levels(Case(puts=one_row(myVeryImportantAttribute="v")), "L04") == ["warning"]
    assert levels(Case(puts=one_row(via="v")), "L04") == []
    assert levels(Case(puts=[("r", {"f:" + "q" * 1601: "v"}, NOW_MS)]), "L04") == ["error"]


@checklist("177", clause="a sample that leaves a region poor is refused")
def test_splits_are_checked_against_a_sample() -> None:
    hex_keys = [f"{number:02x}" for number in range(256)]
    with pytest.raises(errors.InvalidArgument, match="1 of 2 regions"):
        splits.check_splits(["g"], hex_keys)
    assert splits.check_splits(["8"], hex_keys) == [0.5, 0.5]


@checklist("177", clause="the same is pointed out for a table's own keys")
def test_regions_without_keys() -> None:
    [found] = findings(regions.unreachable_splits(True), "L10")
    assert found.level == "error"
    assert found.message.startswith("7 of 10 regions")
    assert levels(regions.unreachable_splits(False), "L10") == []


@checklist("177", clause="and for keys to come")
def test_splits_of_a_schema() -> None:
    schema = rs.schema.loads('[tables.t]\nsplits = ["g"]\n[tables.t.families.f]')
    [found] = advise(schema, keys=[f"{number:02x}" for number in range(256)]).at_least("error")
    assert found.code == "L10"


def of_families(count: int) -> Case:
    return Case(families={f"{number:02}": {} for number in range(count)})


@checklist("184", clause="one is fine, two are noted, four warned about, eleven an error")
def test_numbers_of_families() -> None:
    found = [levels(of_families(count), "L01") for count in (1, 2, 3, 4, 10, 11)]
    assert found == [[], ["info"], ["info"], ["warning"], ["warning"], ["error"]]


@checklist("195", clause="more are warned about")
def test_more_than_three_families() -> None:
    [found] = findings(of_families(4), "L01")
    assert found.level == "warning"
    assert found.message == "4 families; info above 1, warning above 3, error above 10"


@checklist("195", clause="a table for each entity, joined by ids, is pointed out")
def test_tables_joined_by_ids() -> None:
    [found] = findings(access.a_table_for_each_entity(True), "L46")
    assert found.level == "info"
    assert "f:product_id, f:user_id (of product, users)" in found.message
    assert levels(access.a_table_for_each_entity(False), "L46") == []
    # Without the other tables a column is only called so.
    assert levels(replace(access.a_table_for_each_entity(True), others=()), "L46") == []


@checklist("170", clause="it is pointed out where declared queries do not need it")
def test_parts_of_keys_that_no_query_needs() -> None:
    [found] = findings(keys.parts_that_no_query_needs(True), "L45")
    assert found.level == "info"
    assert found.message == "key of tenant, session, time: none of the 2 declared queries needs session"
    assert levels(keys.parts_that_no_query_needs(False), "L45") == []
    # Only where queries are declared.
    for plans in ({}, {"key": ["tenant", "session"]}):
        assert "L45" in report_on(replace(keys.parts_that_no_query_needs(True), plans=plans), "L45").silent


@checklist("185", clause="reads of several families are pointed out")
def test_families_read_together() -> None:
    assert levels(families.families_read_together(True), "L27") == ["warning"]


@checklist("189", clause="a family for each operation is not pointed out")
def test_families_read_apart() -> None:
    reads = (Read(families=(b"a",), count=9), Read(kind="scan", families=(b"b",)))
    assert levels(Case(families={"a": {}, "b": {}}, access=Access(reads=reads)), "L27") == []


@checklist("190", clause="they are pointed out")
def test_rows_of_families() -> None:
    assert levels(families.family_row_ratio(True), "L25") == ["warning"]
    assert levels(families.family_row_ratio(False), "L25") == []


@checklist("191", clause="others are pointed out")
def test_bytes_of_families() -> None:
    assert levels(families.family_byte_ratio(True), "L26") == ["warning"]
    assert levels(families.family_byte_ratio(False), "L26") == []


@checklist("192", clause="a large family of both is pointed out")
def test_hot_and_cold_columns() -> None:
    assert levels(families.hot_and_cold_columns(True), "L28") == ["info"]
    assert levels(families.hot_and_cold_columns(False), "L28") == []


@checklist("194", clause="the size at which they split is 10 GB")
def test_the_size_of_regions(db: rs.Database) -> None:
    assert db.configuration["hbase.hregion.max.filesize"] == 10 << 30


def sized(**limits: float) -> Case:
    """A table of some kilobytes in one region, against limits as small."""
    whole = {"table_bytes": 1000, "min_bytes": 1000, "max_bytes": 50_000, **limits}
    return Case(puts=one_row(q=b"v" * 5000), flushes=1, limits=whole)


@checklist("194", clause="others are pointed out in large tables")
def test_regions_of_other_sizes() -> None:
    assert levels(sized(), "L29") == []
    assert levels(sized(min_bytes=40_000), "L29") == ["info"]
    assert levels(sized(max_bytes=2000), "L29") == ["info"]
    assert levels(sized(max_bytes=2000, table_bytes=100_000), "L29") == []


def of_regions(count: int, written: int, limits: Mapping[str, float]) -> Case:
    """A table of many regions, some of them written to today, the others two days ago."""
    starts = [f"{number:03}" for number in range(count)]
    rows = [
        (f"{start}-row", {"f:q": "v"}, NOW_MS - (0 if number < written else 2 * DAY_MS))
        for number, start in enumerate(starts)
    ]
    return Case(puts=rows, splits=starts[1:], limits=limits)


@checklist("196", clause="more are pointed out")
def test_many_regions_are_reported() -> None:
    assert levels(of_regions(101, 101, {}), "L30") == ["warning"]
    assert levels(of_regions(100, 100, {}), "L30") == []


@checklist("199", clause="only those written in the last day count")
def test_idle_regions_do_not_count() -> None:
    assert levels(of_regions(12, 5, {"regions": 5}), "L30") == []
    assert levels(of_regions(12, 6, {"regions": 5}), "L30") == ["warning"]
    counted: dict[str, Any] = {"splits": ["a", "b"], "limits": {"regions": 1}}
    idle, busy = ({b"": 5, b"a": 0, b"b": writes} for writes in (0, 1))
    assert levels(Case(access=Access(region_writes=idle), **counted), "L30") == []
    assert levels(Case(access=Access(region_writes=busy), **counted), "L30") == ["warning"]


@checklist("206", clause="full scans over many rows are pointed out")
def test_full_scans_are_reported() -> None:
    assert levels(access.full_scans(True), "L31") == ["warning"]
    assert levels(access.full_scans(False), "L31") == []


@checklist("236", clause="very wide and very large rows are pointed out, hundreds of columns are not")
def test_wide_rows_are_reported() -> None:
    hundreds = {f"f:{number}": "v" for number in range(900)}
    assert levels(Case(puts=[("r", hundreds, NOW_MS)]), "L18") == []
    many = {f"f:{number}": "v" for number in range(100_001)}
    assert levels(Case(puts=[("r", many, NOW_MS)]), "L18") == ["warning"]
    assert levels(values.large_rows(True), "L17") == ["info"]


def brute_force(table: rs.Table) -> set[bytes]:
    with table.scan() as rows:
        return set(itertools.chain.from_iterable(rows))


@checklist("146", clause="column statistics equal it")
def test_the_catalogue_has_all_columns(db: rs.Database) -> None:
    db.create_table("t", ["f", "g"])
    t = db.table("t")
    with t.batch() as batch:
        for number in range(300):
            batch.put(f"{number:04}", {f"f:{number % 70}": "v", "g:rare" if number == 222 else "g:q": "v"})
    found = t.column_catalogue(full=True)
    assert found.is_complete
    assert found.names == brute_force(t) == t.columns("f") | t.columns("g")
    assert t.column_catalogue("f", full=True).names == t.columns("f")
    with t.scan(columns=["f:5"]) as rows:
        assert found["f:5"].rows == len(list(rows))


@checklist("087", clause="a histogram of versions per cell")
def test_the_catalogue_counts_versions(db: rs.Database) -> None:
    db.create_table("t", {"f": rs.Family(max_versions=5)})
    t = db.table("t")
    for row, count in (("a", 1), ("b", 3), ("c", 3), ("d", 9)):
        for timestamp in range(1, count + 1):
            t.put(row, {"f:q": "v"}, timestamp=timestamp)
    assert t.column_catalogue()["f:q"].versions == {1: 1, 3: 2, 5: 1}
    assert t.column_catalogue(full=True)["f:q"].versions == {1: 1, 3: 2, 5: 1}
