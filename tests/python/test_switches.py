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
    assert db.admin.switch(name) is True
    assert db.admin.set_switch(name, False) is True
    assert db.admin.switch(name) is False
    assert [other for other in NAMES if not db.admin.switch(other)] == [name]
    assert db.admin.set_switch(name, True) is False
    assert db.admin.switch(name) is True


def test_a_directory_keeps_its_switches_as_hbase_keeps_them(tmp_path: Path) -> None:
    """A restart of HBase's master turns its running chores on again, and nothing else."""
    names = [*NAMES, "peer_modification"]
    with rs.connect(tmp_path) as db:
        for name in names:
            db.admin.set_switch(name, False)
        assert db.admin.set_compactions(False, [SERVER]) == {SERVER: True}
    with rs.connect(tmp_path, read_only=True) as db:
        assert not db.admin.switch("split")
    with rs.connect(tmp_path) as db:
        assert [name for name in names if db.admin.switch(name)] == ["catalog_janitor", "cleaner_chore"]
        assert db.admin.set_compactions(True, [SERVER]) == {SERVER: True}
        assert db.admin.set_switch("split", True) is False
    with rs.connect(tmp_path) as db:
        assert db.admin.switch("split")
        assert not db.admin.switch("merge")


def test_what_is_no_switch_is_refused(db: rs.Database) -> None:
    with pytest.raises(InvalidArgument, match="there is no switch 'lights'; there are: balancer"):
        db.admin.switch("lights")


def test_regions_are_not_split_while_that_is_off(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    (region,) = db.admin.regions("t")
    db.admin.set_switch("split", False)
    with pytest.raises(RowstoneError, match=r"Split region t,.* failed due to split switch off"):
        db.admin.split_region(region, "m")
    assert len(db.admin.regions("t")) == 1
    db.admin.set_switch("split", True)
    db.admin.split_region(region, "m")
    assert len(db.admin.regions("t")) == 2


def test_regions_are_not_merged_while_that_is_off(db: rs.Database) -> None:
    db.create_table("t", ["f"], splits=["m"])
    regions = db.admin.regions("t")
    db.admin.set_switch("merge", False)
    with pytest.raises(RowstoneError, match="failed because merge switch is off"):
        db.admin.merge_regions(regions)
    assert len(db.admin.regions("t")) == 2
    db.admin.set_switch("merge", True)
    db.admin.merge_regions(regions)
    assert len(db.admin.regions("t")) == 1


def test_nothing_is_normalized_while_that_is_off(db: rs.Database) -> None:
    settings = {"NORMALIZATION_ENABLED": "true", "NORMALIZER_TARGET_REGION_COUNT": "1"}
    db.create_table("t", ["f"], splits=["m"], attributes=settings)
    db.admin.set_switch("normalizer", False)
    assert db.admin.normalize(["t"]) is False
    db.admin.set_switch("normalizer", True)
    assert db.admin.normalize(["t"]) is True


def test_files_are_not_merged_while_that_is_off(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    server = _server(db)
    assert db.admin.set_compactions(False, [server]) == {server: True}
    for row in "ab":
        db.table("t").put(row, {"f:q": "v"})
        db.admin.flush("t")
    db.admin.major_compact("t")
    assert len(list(db.table("t").scan())) == 2
    assert _files(db) == 2
    assert db.admin.set_compactions(True, [server]) == {server: False}
    db.admin.major_compact("t")
    assert _files(db) == 1


def _server(db: rs.Database) -> str:
    """The server to connect to."""
    (place,) = db.admin.region_places("t")
    return place.server or SERVER


def _files(db: rs.Database) -> int:
    return sum(store.store_files for store in db.admin.store_stats("t"))
