"""Switches of background work, in a directory and through a server."""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from rowstone.errors import InvalidArgument, RowstoneError

NAMES = ["balancer", "catalog_janitor", "cleaner_chore", "merge", "normalizer", "snapshot_cleanup", "split"]
SERVER = "localhost,1,1"
"""Name of a server; a directory accepts any."""


@pytest.mark.parametrize("name", NAMES)
def test_a_switch_is_on_at_first_and_says_what_it_was(db: rs.Database, name: str) -> None:
    assert db.admin.switches.get(name) is True
    assert db.admin.switches.set(name, False) is True
    assert db.admin.switches.get(name) is False
    assert [other for other in NAMES if not db.admin.switches.get(other)] == [name]
    assert db.admin.switches.set(name, True) is False
    assert db.admin.switches.get(name) is True


def test_a_directory_keeps_its_switches_as_hbase_keeps_them(tmp_path: Path) -> None:
    """A restart of HBase's master turns its running chores on again, and nothing else."""
    names = [*NAMES, "peer_modification"]
    with rs.connect(tmp_path) as db:
        for name in names:
            db.admin.switches.set(name, False)
        assert db.admin.switches.set_compactions(False, [SERVER]) == {SERVER: True}
    with rs.connect(tmp_path, read_only=True) as db:
        assert not db.admin.switches.get("split")
    with rs.connect(tmp_path) as db:
        assert [name for name in names if db.admin.switches.get(name)] == ["catalog_janitor", "cleaner_chore"]
        assert db.admin.switches.set_compactions(True, [SERVER]) == {SERVER: True}
        assert db.admin.switches.set("split", True) is False
    with rs.connect(tmp_path) as db:
        assert db.admin.switches.get("split")
        assert not db.admin.switches.get("merge")


def test_unknown_switches_are_refused(db: rs.Database) -> None:
    with pytest.raises(InvalidArgument, match="there is no switch 'lights'; there are: balancer"):
        db.admin.switches.get("lights")


def test_regions_are_not_split_while_that_is_off(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    (region,) = db.admin.regions.list("t")
    db.admin.switches.set("split", False)
    with pytest.raises(RowstoneError, match=r"Split region t,.* failed due to split switch off"):
        db.admin.regions.split(region, "m")
    assert len(db.admin.regions.list("t")) == 1
    db.admin.switches.set("split", True)
    db.admin.regions.split(region, "m")
    assert len(db.admin.regions.list("t")) == 2


def test_regions_are_not_merged_while_that_is_off(db: rs.Database) -> None:
    db.create_table("t", ["f"], splits=["m"])
    regions = db.admin.regions.list("t")
    db.admin.switches.set("merge", False)
    with pytest.raises(RowstoneError, match="failed because merge switch is off"):
        db.admin.regions.merge(regions)
    assert len(db.admin.regions.list("t")) == 2
    db.admin.switches.set("merge", True)
    db.admin.regions.merge(regions)
    assert len(db.admin.regions.list("t")) == 1


def test_nothing_is_normalized_while_that_is_off(db: rs.Database) -> None:
    settings = {"NORMALIZATION_ENABLED": "true", "NORMALIZER_TARGET_REGION_COUNT": "1"}
    db.create_table("t", ["f"], splits=["m"], attributes=settings)
    db.admin.switches.set("normalizer", False)
    assert db.admin.regions.normalize(["t"]) is False
    db.admin.switches.set("normalizer", True)
    assert db.admin.regions.normalize(["t"]) is True


def test_files_are_not_merged_while_that_is_off(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    server = _server(db)
    assert db.admin.switches.set_compactions(False, [server]) == {server: True}
    for row in "ab":
        db.table("t").put(row, {"f:q": "v"})
        db.admin.flush("t")
    db.admin.major_compact("t")
    assert len(list(db.table("t").scan())) == 2
    assert _files(db) == 2
    assert db.admin.switches.set_compactions(True, [server]) == {server: False}
    db.admin.major_compact("t")
    assert _files(db) == 1


def _server(db: rs.Database) -> str:
    """The server to connect to."""
    (place,) = db.admin.regions.locations("t")
    return place.server or SERVER


def _files(db: rs.Database) -> int:
    return sum(store.store_files for store in db.admin.metrics.stores("t"))
