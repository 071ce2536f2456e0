"""Behavior of HBase 2.6's shell that differs from the recorded shell of 2.4.

The expected output comes from the Ruby code of HBase 2.6.1 on the jars of 2.6.4, with `rowstone serve` as the server.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.cli.shell.output.converters import METHODS
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.table_reference import CONVERTER
from rowstone.cli.shell.terminal import loop
from tests.shell.transcript import normal

COLONS = r"""
put 't', 'r', 'f:a', "\x00\x00\x00\x07", 1
put 't', 'r', 'f:a:b', 'x', 1
put 't', 'r', 'f:a:toInt', "\x00\x00\x00\x05", 1
append 't', 'r', 'f:s:t', 'y'
incr 't', 'r', 'f:c:d', 2
delete 't', 'r', 'f:s:t'
deleteall 't', 'r', 'f:s'
"""


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        database.create_table("t", ["f"])
        yield database


def answer(db: rs.Database, lines: str) -> list[str]:
    """The printed lines, without times and empty lines."""
    told = io.StringIO()
    assert loop.run_text(Session(db, told), lines.strip("\n")) == 0
    return [line for line in normal(told.getvalue()).splitlines() if line and not line.startswith("Took")]


def test_qualifiers_contain_colons(db: rs.Database) -> None:
    """HBASE-28549; before, a put to 'f:a:b' wrote to 'f:a', and a delete deleted it."""
    answer(db, COLONS)
    assert set(db.table("t").get("r")) == {b"f:a", b"f:a:b", b"f:a:toInt", b"f:c:d"}
    assert answer(db, "get_counter 't', 'r', 'f:c:d'") == ["COUNTER VALUE = 2"]


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        ("f:a:b", "f:a:b timestamp=1970-01-01T00:00:00.001, value=x"),
        ("f:a:b:toString", "f:a:b timestamp=1970-01-01T00:00:00.001, value=x"),
        ("f:a:toInt", "f:a timestamp=1970-01-01T00:00:00.001, value=7"),
        ("f:a:toInt:toInt", "f:a:toInt timestamp=1970-01-01T00:00:00.001, value=5"),
        ("f:a:c(org.apache.hadoop.hbase.util.Bytes).toInt", "f:a timestamp=1970-01-01T00:00:00.001, value=7"),
    ],
)
def test_only_a_converter_is_cut_off_a_column(db: rs.Database, column: str, shown: str) -> None:
    answer(db, COLONS)
    assert answer(db, f"get 't', 'r', '{column}'") == ["COLUMN  CELL", f" {shown}", "1 row(s)"]


def test_every_converter_is_cut_off() -> None:
    assert all(map(CONVERTER.fullmatch, METHODS))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("get 't', 'r', {FILTER => ''}", "ERROR: Incorrect Filter String"),
        ("get 't', 'r', {COLUMN => []}", "1 row(s)"),
        ("get 't', 'r', {COLUMN => nil}", 'ERROR: Failed parse of {"COLUMN"=>nil}, Hash'),
        ("scan 't', {STARTROW => 'r', STOPROW => 'r'}", "1 row(s)"),
        ("scan 't', {STARTROW => '', STOPROW => 'r'}", "0 row(s)"),
        ("count 't', {STARTROW => 'r', STOPROW => 'r'}", "1 row(s)"),
        ("scan 't', {BATCH => 1, FILTER => \"PrefixFilter('r')\"}", "4 row(s)"),
        ("scan 't', {BATCH => 1, FILTER => 'PageFilter(1)'}", "ERROR: batch 1 would cut rows into pieces,"),
        ("exists 'missing:t'", "Table missing:t does not exist"),
        ("balancer", "Moves calculated: 0, moves executed: 0"),
        ("balancer 'dry_run', 'ignore_rit'", "Balancer ran"),
        ("balance_switch false; balancer", "Balancer did not run. See logs for details."),
        (
            "balancer 'dry_run', 'x'",
            "ERROR: Illegal argument in index 1: x. Unknown option x, expected 'force', 'ignore_rit', or 'dry_run'.",
        ),
        ("snapshot 't', 's', {TTL => 90}; list_snapshots", "SNAPSHOT  TABLE + CREATION TIME + TTL(Sec)"),
        ("snapshot 't', 's', {TTL => 90}; list_snapshots", " s t (MOMENT) 90"),
        ("snapshot 't', 's'; list_snapshots", " s t (MOMENT) FOREVER"),
        ("snapshot 't', 's'; clone_snapshot 's', 'u', {CLONE_SFT => 'FILE'}; exists 'u'", "Table u does exist"),
        (
            "alter 't', REOPEN_REGIONS => 'no', MAX_FILESIZE => '1GB'",
            "ERROR: Invalid 'REOPEN_REGIONS' for non-boolean value.",
        ),
    ],
)  # fmt: skip
def test_a_line_of_the_answer_begins_like_hbases(db: rs.Database, line: str, shown: str) -> None:
    answer(db, COLONS)
    assert any(printed.startswith(shown) for printed in answer(db, line))


def test_alter_removes_coprocessors_by_class(db: rs.Database) -> None:
    name = "org.apache.hadoop.hbase.coprocessor.AggregateImplementation"
    answer(db, f"alter 't', 'coprocessor' => '|{name}|1001|'")
    answer(db, "alter 't', METHOD => 'table_remove_coprocessor', CLASSNAME => ['other']")
    assert "coprocessor$1" in db.admin.describe("t").attributes
    answer(db, f"alter 't', METHOD => 'table_remove_coprocessor', CLASSNAME => '{name}'")
    assert "coprocessor$1" not in db.admin.describe("t").attributes
    refused = answer(db, "alter 't', METHOD => 'table_remove_coprocessor'")
    assert "ERROR: CLASSNAME parameter missing for table_remove_coprocessor method" in refused


def test_alter_takes_reopen_regions_and_the_old_name_of_the_normalizers_size(db: rs.Database) -> None:
    answer(db, "alter 't', REOPEN_REGIONS => 'false', NORMALIZER_TARGET_REGION_SIZE => '5'")
    attributes = db.admin.describe("t").attributes
    assert attributes["NORMALIZER_TARGET_REGION_SIZE_MB"] == "5"
    assert "NORMALIZER_TARGET_REGION_SIZE" not in attributes
