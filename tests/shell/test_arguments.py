"""Arbitrary arguments: a command works or is refused with a message; no internal error occurs."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone.cli.shell import registry
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop

VALUES = (
    "'t'", "'nope'", "'r'", "'f:q'", "'f'", "5", "-1", "0", "nil", "true", "1.5", "[]", "['f:q', 'g']", "{}", "''",
    "[nil]", "'('", "'a,b,c'", "NAME", "PageFilter.new(1)", "99999999999999999999", "{NAME => 'f'}", "{NAME => 5}",
    "{LIMIT => 'x'}", "{COLUMNS => [5]}", "{COLUMN => {}}", "{TIMERANGE => 5}", "{TIMERANGE => ['a', 'b']}",
    "{TIMESTAMP => 'x'}", "{FILTER => 5}", "{VERSIONS => -1}", "{TTL => 'x'}", "{SPLITS => 5}", "{SPLITS => [nil]}",
    "{NUMREGIONS => 'a', SPLITALGO => 'HexStringSplit'}", "{METHOD => 'delete', NAME => 'f'}", "{METHOD => 5}",
    "{STARTROW => 5}", "{ROWPREFIXFILTER => nil}", "{ROWPREFIXFILTER => 5}", "{CONFIGURATION => 5}",
    "{METADATA => {'a' => nil}}", "{INTERVAL => 0}", "{MAXLENGTH => 'x'}", "{FORMATTER => 5}", "{METRICS => 5}",
    "{FORMATTER_CLASS => 'os', FORMATTER => 'getcwd'}", "{BATCH => 'x'}", "{TYPE => THROTTLE, LIMIT => 5}",
    "{MAX_FILESIZE => 'x'}", "{DURABILITY => 5}", "{'delete' => 5}", "{BLOCKSIZE => 'x'}",
    "{NAME => 'f', TTL => 'x'}", "{NAME => 'f', VERSIONS => 'x'}", "{NAME => 'f', IN_MEMORY => 'maybe'}",
)  # fmt: skip
KEPT = {"disable_all", "drop_all", "delete_all_snapshot", "delete_table_snapshots", "exit"}


@pytest.fixture(scope="module")
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        yield database


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(sorted({*registry.NAMES} - KEPT)),
    values=st.lists(st.sampled_from(VALUES), max_size=4),
    first=st.sampled_from([["'t'"], []]),
)
def test_no_arguments_break_a_command(db: rs.Database, name: str, values: list[str], first: list[str]) -> None:
    if not db.admin.tables.exists("t"):
        db.create_table("t", ["f", "g"])
    elif not db.admin.tables.is_enabled("t"):
        db.admin.enable_table("t")
    session = Session(db, io.StringIO(), ask=lambda: "n")
    session.debug = True
    assert loop.run_text(session, f"{name} {', '.join([*first, *values])}") == 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("set_peer_exclude_namespaces 't', '5'", "undefined method `each' for"),
        ("list_quotas LIMIT => 'x'", "LIMIT must be a number"),
        ("snapshot 't', 'r', {TTL => 'x'}", "TTL must be a number"),
    ],
)
def test_arguments_that_broke_a_command(db: rs.Database, line: str, words: str) -> None:
    if not db.admin.tables.exists("t"):
        db.create_table("t", ["f", "g"])
    told = io.StringIO()
    session = Session(db, told, ask=lambda: "n")
    session.debug = True
    assert loop.run_text(session, line) == 0
    assert words in told.getvalue()
