"""Settings: rules left out, levels and thresholds changed; what is not understood is refused, naming it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.schema.advise import advise, load_settings, settings_of

SCHEMA = rs.schema.loads("[tables.t.families.contents]\n[tables.t.families.d]")


def run_rules(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(advice.code, advice.level) for advice in advise(SCHEMA, settings=settings)]


def test_as_they_are() -> None:
    assert run_rules({}) == [("L01", "info"), ("L02", "info")]


@pytest.mark.parametrize("name", ["L02", "long-family-name"])
def test_a_rule_is_left_out(name: str) -> None:
    assert run_rules({"rules": {name: {"off": True}}}) == [("L01", "info")]
    assert run_rules({"rules": {name: {"off": False}}}) == run_rules({})


def test_a_level_is_changed() -> None:
    assert run_rules({"rules": {"L02": {"level": "error"}}}) == [("L02", "error"), ("L01", "info")]


def test_a_threshold_is_changed() -> None:
    assert run_rules({"rules": {"L01": {"info": 2}, "L02": {"warning": 7}}}) == [("L02", "warning")]


def test_a_rule_that_is_off_is_not_said_to_be_silent() -> None:
    assert "L15" in advise(SCHEMA).silent
    assert "L15" not in advise(SCHEMA, settings={"rules": {"L15": {"off": True}}}).silent


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rule": {}}, "'rule', which is unknown"),
        ({"rules": {"L99": {}}}, "no rule 'L99'"),
        ({"rules": {"L01": {"level": "fatal"}}}, "level = 'fatal' is not one of"),
        ({"rules": {"L01": {"most": 3}}}, "most = 3 is not one of: off .*, level .*, info, warning, error"),
        ({"rules": {"L01": {"info": "many"}}}, "info = 'many'"),
        ({"rules": {"L01": 3}}, "L01 must be a table of TOML"),
        ({"tables": {"t": {"bucket": 3}}}, "table 't' can have planned_load_bytes, buckets"),
        ({"tables": {"t": {"buckets": "8"}}}, "buckets must be a number"),
        ({"tables": {"t": {"key": "a"}}}, "key = 'a' is no list of names"),
        ({"tables": {"t": {"key": ["a"], "queries": ["a"]}}}, "queries, each of them = 'a' is no list of names"),
        ({"tables": {"t": {"key": ["a"], "queries": 1}}}, "queries = 1 is no list of lists of names"),
        ({"tables": {"t": {"key": ["a"], "queries": [["a", "b"]]}}}, "a query has 'b', which is no part of its key"),
    ],
)
def test_invalid_settings_are_refused(settings: Mapping[str, Any], message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        settings_of(settings)


def test_settings_load_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "advise.toml"
    path.write_text('[rules.many-families]\noff = true\n[tables."default:t"]\nbuckets = 200\n')
    assert [advice.code for advice in advise(SCHEMA, settings=load_settings(path))] == ["L43", "L02"]
    path.write_text("rules = ")
    with pytest.raises(errors.InvalidArgument, match=r"advise\.toml' is no TOML"):
        load_settings(path)
