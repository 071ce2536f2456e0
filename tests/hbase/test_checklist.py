"""Statements of the checklist on a real HBase: the tests of the store, run on a cluster.

Tests that inspect files, move a clock, or need a setting that only the operator of HBase can change are left out. So is
the rule that the namespace `hbase` has no user tables (046), which HBase itself does not enforce
(`docs/explanation/differences.md`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import splits
from rowstone.cli.shell import execute
from tests.checklist import test_atomicity as atomicity
from tests.checklist import test_namespaces as namespaces
from tests.checklist import test_schema as schemas
from tests.checklist import test_versions as versions
from tests.hbase.cluster.server import StandaloneHBase
from tests.shell import test_checklist as shell

BUILT_IN = ("default", "hbase")


@pytest.fixture(scope="module")
def quotas() -> Iterator[rs.Database]:
    """A cluster that enforces limits of namespaces, which HBase does only if configured."""
    with StandaloneHBase(settings={"hbase.quota.enabled": "true"}) as server, rs.connect(server.url) as cluster:
        yield cluster


@pytest.fixture
def db(quotas: rs.Database, utc: None) -> rs.Database:
    """An empty database for each test."""
    for table in quotas.tables():
        quotas.drop_table(table, force=True)
    for name in quotas.admin.namespaces.list():
        if name not in BUILT_IN:
            quotas.admin.namespaces.drop(name)
    return quotas


STATEMENTS: list[Callable[[rs.Database], None]] = [
    namespaces.test_a_namespace_lists_its_own_tables,
    namespaces.test_properties_of_a_namespace,
    namespaces.test_a_namespace_with_tables_stays,
    namespaces.test_an_unknown_namespace_cannot_be_dropped,
    namespaces.test_a_table_is_made_in_its_namespace,
    namespaces.test_a_missing_namespace_is_an_error,
    namespaces.test_tables_land_in_default,
    namespaces.test_a_limit_of_tables,
    namespaces.test_a_limit_of_regions,
    namespaces.test_a_server_group_is_kept_and_shown,
    schemas.test_a_table_needs_a_family,
    schemas.test_disable_alter_enable,
    schemas.test_a_writer_goes_on_during_schema_changes,
    schemas.test_a_disabled_table_refuses_data_operations,
    schemas.test_families_are_added_and_changed,
    schemas.test_the_calls_of_the_source,
    versions.test_the_number_of_versions_is_the_familys,
    versions.test_alter_changes_the_number_of_versions,
    shell.test_shell_and_admin_make_equal_tables,
    shell.test_the_sources_alter,
    shell.test_the_old_sequence_works,
    shell.test_a_counter_in_the_shell,
    shell.test_keys_in_region_names,
    shell.test_a_disabled_table_says_so,
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.__name__.removeprefix("test_"))
def test_the_statement_holds_on_hbase(db: rs.Database, statement: Callable[[rs.Database], None]) -> None:
    """043 to 049, 051 to 054, 056, 057, 060, 073, 074, 139 and 140."""
    statement(db)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_first_namespaces_stay(db: rs.Database, name: str) -> None:
    """046."""
    namespaces.test_the_first_namespaces_stay(db, name)


@pytest.mark.parametrize("key", ["hbase.namespace.quota.maxtables", "hbase.namespace.quota.maxregions"])
def test_a_limit_of_zero_is_refused(db: rs.Database, key: str) -> None:
    """049. HBase refuses what is no number without an error that clients know."""
    with pytest.raises(rs.errors.ConstraintViolation, match="less than or equal to zero"):
        db.admin.namespaces.create("my_ns", {key: 0})
    db.admin.namespaces.create("my_ns", {key: 1})
    with pytest.raises(rs.errors.ConstraintViolation, match="less than or equal to zero"):
        db.admin.namespaces.alter("my_ns", set={key: 0})
    with pytest.raises(rs.errors.RemoteError, match="NumberFormatException"):
        db.admin.namespaces.alter("my_ns", set={key: "many"})
    assert db.admin.namespaces.describe("my_ns") == {key: "1"}


def test_creating_a_table_that_exists(db: rs.Database, caplog: pytest.LogCaptureFixture) -> None:
    """058."""
    schemas.test_creating_a_table_that_exists(db, caplog)


def test_counters_are_longs(db: rs.Database) -> None:
    """139."""
    for name, statement in (
        ("counter", atomicity.test_a_counter_is_a_long),
        ("other", atomicity.test_another_length_is_not_a_long),
    ):
        db.create_table(name, ["f"])
        statement(db.table(name))


def test_one_version_is_kept_by_default(db: rs.Database) -> None:
    """072: since 0.96."""
    db.create_table("t", ["f"])
    versions.test_one_version_is_kept_by_default(db.table("t"))


def test_tables_are_split_when_made(db: rs.Database, tmp_path: Path) -> None:
    """059, 175, 178, 179: HBase begins regions where we compute the keys, and where its shell does."""
    file = tmp_path / "splits"
    file.write_text("10\n20\n30\n")
    for name, keys in (
        ("computed", splits.table_range("0" * 16, "f" * 16, 10)),
        ("listed", ["30", "10", "20"]),
        ("read", file),
    ):
        db.create_table(name, ["f"], splits=keys)
        with rs.connect(":memory:") as memory:
            memory.create_table(name, ["f"], splits=keys)
            starts = [region.start_key for region in memory.admin.regions.list(name)]
        assert len(starts) > 3
        assert [region.start_key for region in db.admin.regions.list(name)] == starts
    # HBase computes these itself.
    for rule, keys in (("HexStringSplit", splits.hex_string(10)), ("UniformSplit", splits.uniform(10))):
        execute(db, f"create '{rule}', 'f', {{NUMREGIONS => 10, SPLITALGO => '{rule}'}}")
        assert [region.start_key for region in db.admin.regions.list(rule)] == [b"", *keys]


def test_a_removed_family_is_gone(db: rs.Database) -> None:
    """060, as far as a client sees it."""
    db.create_table("t", ["f", "g"])
    table = db.table("t")
    table.put("r", {"f:q": "v", "g:q": "v"})
    db.admin.tables.delete_family("t", "g")
    with pytest.raises(rs.errors.NoSuchColumnFamily):
        table.get("r", "g:q")
    db.admin.tables.add_family("t", "g")
    assert dict(table.get("r")) == {b"f:q": b"v"}


def test_numbers_of_regions(db: rs.Database) -> None:
    """200: a server reports whole regions, every few seconds; `rowstone top` shows the same."""
    from rowstone.cli.commands.top import By, read_report

    db.create_table("t", ["f"])
    with db.table("t").batch() as batch:
        for number in range(200):
            batch.put(f"{number:04}", {"f:q": "v" * 100})
    db.admin.flush("t")
    end = time.monotonic() + 60
    while not (found := db.admin.metrics.stores("t").sums(By.table.value)[0]).store_files:
        assert time.monotonic() < end, "no report came"
        time.sleep(0.2)
    assert (found.table, found.store_files) == ("t", 1)
    assert found.region_writes
    assert found.region_writes >= 200
    assert read_report(db.path, "t").sums("table")[0].store_files == 1
