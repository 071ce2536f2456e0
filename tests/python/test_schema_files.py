"""Schema as code: files, differences and plans, in Python and on the command line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowstone as rs
from rowstone import errors, schema
from rowstone.schema._toml import to_toml
from tests.python.test_tools import rowstone

FILE = r"""
complete = true

[namespaces.shop]
"hbase.namespace.quota.maxtables" = 5
OWNER = "ada"

[tables."shop:orders"]
splits = ["m", "\\xFF"]
attributes = { DURABILITY = "ASYNC_WAL", MEMSTORE_FLUSHSIZE = 67108864 }
configuration = { "hbase.hstore.compaction.min" = 4 }

[tables."shop:orders".families.d]
max_versions = 3
ttl_seconds = 86400
compression = "ZSTD"
data_block_encoding = "FAST_DIFF"
attributes = { CACHE_INDEX_ON_WRITE = true }

[tables."shop:orders".families.p]
bloom_filter = "ROWPREFIX_FIXED_LENGTH"
configuration = { "RowPrefixBloomFilter.prefix_length" = 4 }

[tables.plain.families.f]
"""


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        yield database


def one_table(text: str) -> schema.Schema:
    return schema.loads(f"[tables.t.families.f]\n{text}")


def test_after_apply_there_is_no_difference(db: rs.Database) -> None:
    wanted = schema.loads(FILE)
    plan = schema.diff(db, wanted)
    assert [(step.kind, step.target) for step in plan] == [
        ("create", "namespace shop"),
        ("create", "table plain"),
        ("create", "table shop:orders"),
    ]
    assert schema.apply(db, wanted) == plan
    assert not schema.diff(db, wanted)
    assert str(schema.diff(db, wanted)) == "no difference"
    described = db.admin.describe("shop:orders")
    assert described.family("d") == rs.Family(
        max_versions=3,
        ttl_seconds=86400,
        compression="ZSTD",
        data_block_encoding="FAST_DIFF",
        attributes={"CACHE_INDEX_ON_WRITE": "true", "INDEX_BLOCK_ENCODING": "NONE"},
    )
    assert [region.start_key for region in db.admin.regions.list("shop:orders")] == [b"", b"m", b"\xff"]
    assert db.admin.namespaces.describe("shop")["OWNER"] == "ada"


def test_a_dumped_schema_creates_equal_tables_elsewhere(db: rs.Database, tmp_path: Path) -> None:
    schema.apply(db, schema.loads(FILE))
    dumped = schema.dump(db, tmp_path / "schema.toml", splits=True)
    assert schema.load(tmp_path / "schema.toml") == schema.loads(str(dumped))
    with rs.connect(":memory:") as other:
        schema.apply(other, schema.load(tmp_path / "schema.toml"))
        assert not schema.diff(other, dumped)
        assert schema.dump(other, splits=True) == dumped
    assert "INDEX_BLOCK_ENCODING" not in str(dumped)


def test_a_dump_keeps_splits_and_is_complete_only_where_nothing_is_left_out(tmp_path: Path) -> None:
    """Regression: splits were left out by default, and an incomplete dump still produced a file that drops other
    tables."""
    authorization = {"hbase.security.authorization": True}
    with rs.connect(tmp_path / "db", configuration=authorization) as db:
        db.create_table("seen", ["f"], splits=["m"])
        db.create_table("hidden", ["f"])
        db.admin.permissions.grant("ann", "RA", table="seen")
        dumped = schema.dump(db)
        assert (dumped.tables["seen"].splits, dumped.complete) == ((b"m",), True)
        assert schema.dump(db, splits=False).complete is False
        anns = schema.dump(db.as_user("ann"))
        assert anns.complete is False
        assert set(anns.tables) < {"seen", "hidden"}
        assert not schema.diff(db, anns), "it would have dropped the table that ann does not see"
    assert 'splits = ["m"]' in rowstone("schema", "dump", tmp_path / "db")
    without = rowstone("schema", "dump", tmp_path / "db", "--no-splits")
    assert "splits" not in without
    assert "complete" not in without


def test_a_dump_of_a_cluster_keeps_splits() -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server, rs.connect(server.url) as db:
        db.create_table("t", ["f"], splits=["m"])
        assert schema.dump(db).tables["t"].splits == (b"m",)
        assert schema.dump(db).complete


def test_changes_are_shown_and_done(db: rs.Database) -> None:
    db.create_table("t", {"f": {}}, attributes={"OWNER": "me"}, configuration={"a.b": "c"})
    wanted = schema.loads(
        "[tables.t]\nattributes = {READONLY = true}\n[tables.t.families.f]\ncompression = 'gz'\nmax_versions = 2\n"
        "[tables.t.families.g]\nin_memory = true"
    )
    [step] = schema.diff(db, wanted)
    assert step.changes == (
        "OWNER: me -> unset",
        "READONLY: unset -> true",
        "a.b: c -> unset",
        "family f: COMPRESSION: NONE -> GZ",
        "family f: VERSIONS: 1 -> 2",
        "+ family g VERSIONS => 'default', IN_MEMORY => 'true'",
    )
    assert not step.losses
    schema.apply(db, wanted)
    found = db.admin.describe("t")
    assert (dict(found.attributes), dict(found.configuration)) == ({"READONLY": "true"}, {})
    assert (found.family("f").compression, found.family("f").max_versions) == ("gz", 2)
    assert not schema.diff(db, wanted)


def test_versions_that_are_not_said_stay(db: rs.Database) -> None:
    db.create_table("t", {"f": {"max_versions": 7}})
    assert not schema.diff(db, one_table(""))
    schema.apply(db, one_table("compression = 'GZ'"))
    assert db.admin.describe("t").family("f").max_versions == 7


@pytest.mark.parametrize(
    ("before", "after", "loss"),
    [
        ("max_versions = 3", "max_versions = 2", "fewer versions are kept"),
        ("", "ttl_seconds = 60", "cells live shorter"),
        ("ttl_seconds = 60\nmin_versions = 1", "ttl_seconds = 60", "fewer versions outlive their time"),
        ("keep_deleted_cells = 'TRUE'", "keep_deleted_cells = 'TTL'", "deleted cells are removed"),
    ],
)
def test_changes_that_lose_cells_need_allow_destructive(db: rs.Database, before: str, after: str, loss: str) -> None:
    before, after = (text + ("" if "max_versions" in text else "\nmax_versions = 5") for text in (before, after))
    schema.apply(db, one_table(before))
    with pytest.raises(errors.ConstraintViolation, match=f"family f: {loss}"):
        schema.apply(db, one_table(after))
    assert not schema.diff(db, one_table(before))
    assert schema.diff(db, one_table(after)).destructive
    schema.apply(db, one_table(after), allow_destructive=True)
    assert not schema.diff(db, one_table(after))
    # The reverse change loses nothing.
    assert not schema.diff(db, one_table(before)).destructive


def test_families_tables_and_namespaces_go_only_when_allowed(db: rs.Database) -> None:
    db.admin.namespaces.create("old")
    for name in ("old:t", "t", "u"):
        db.create_table(name, ["f", "g"])
    partial = one_table("")
    complete = schema.Schema(partial.tables, {}, complete=True)
    assert [step.losses for step in schema.diff(db, partial)] == [("family g and all of its data are removed",)]
    targets = ["table t", "table old:t", "table u", "namespace old"]
    assert [step.target for step in schema.diff(db, complete)] == targets
    for wanted in (partial, complete):
        with pytest.raises(errors.ConstraintViolation, match="may lose data"):
            schema.apply(db, wanted)
    assert sorted(db.tables()) == ["old:t", "t", "u"]
    schema.apply(db, partial, allow_destructive=True)
    assert len(db.tables()) == 3
    schema.apply(db, complete, allow_destructive=True)
    assert db.tables() == ["t"]
    assert sorted(db.admin.namespaces.list()) == ["default", "hbase"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tables = 3", "must be a table of TOML"),
        ("[table.t]", "'table', which is unknown"),
        ("[tables.t]\nfamily = 1", "'family', which is unknown"),
        ("[tables.t.families.f]\nversions = 1", "'versions' is unknown"),
        ("[tables.t.families.f]\nmax_versions = [1]", "max_versions must be"),
        ("[tables.t]\nsplits = 'm'", "splits must be a list"),
        ("complete = 1", "neither true nor false"),
        ("[tables.t", "must be TOML"),
    ],
)
def test_a_wrong_file_names_the_place(text: str, message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        schema.loads(text)


def test_a_directory_as_schema_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.InvalidArgument, match="is a directory; the file with the schema comes before"):
        schema.load(tmp_path)


def test_lint_finds_what_hbase_refuses_and_what_is_misspelt() -> None:
    findings = schema.lint(
        schema.loads(
            "[tables.'a:t']\nattributes = {READ_ONLY = true}\n"
            "[tables.'a:t'.families.f]\nmin_versions = 2\nmax_versions = 1\n"
            "[tables.u.families.f]\nattributes = {COMPRESSION_COMPACTED = 'GZ'}\n"
        )
    )
    assert [finding.severity for finding in findings] == ["error", "warning", "warning", "warning"]
    text = "\n".join(map(str, findings))
    for part in (
        "Min versions for column family f",
        "mean 'READONLY'",
        "'COMPRESSION_COMPACT",
        "namespace 'a'",
    ):
        assert part in text
    assert not schema.lint(schema.loads(FILE))


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_VALUES = st.one_of(_TEXTS, st.booleans(), st.integers(-(2**63), 2**63 - 1), st.lists(_TEXTS, max_size=3))


@given(st.recursive(st.dictionaries(_TEXTS, _VALUES), lambda inner: st.dictionaries(_TEXTS, inner, max_size=3)))
def test_written_toml_is_read_back(document: dict[str, object]) -> None:
    def without_empty(value: object, depth: int = 0) -> object:
        if not isinstance(value, dict):
            return value
        kept = {key: without_empty(inner, depth + 1) for key, inner in value.items()}
        # Empty tables at the top level have no meaning.
        return {key: inner for key, inner in kept.items() if not (depth == 0 and inner == {})}

    assert without_empty(tomllib.loads(to_toml(document))) == without_empty(document)


def test_the_command_line(tmp_path: Path) -> None:
    file, folder = tmp_path / "schema.toml", tmp_path / "db"
    file.write_text(FILE)
    assert rowstone("schema", "lint", file).strip() == "no findings"
    shown = rowstone("schema", "apply", file, folder, status=1)
    assert "+ create table shop:orders" in shown
    assert "--yes applies it" in shown
    assert "3 step(s) done" in rowstone("schema", "apply", file, folder, "--yes")
    assert rowstone("schema", "diff", file, folder).strip() == "no difference"
    rowstone("schema", "dump", folder, tmp_path / "again.toml")
    assert (tmp_path / "again.toml").read_text() == rowstone("schema", "dump", folder)
    file.write_text(FILE.replace("max_versions = 3", "max_versions = 2"))
    assert "VERSIONS: 3 -> 2" in rowstone("schema", "diff", file, folder, status=1)
    assert "--allow-destructive" in rowstone("schema", "apply", file, folder, "--yes", status=1)
    assert "1 step(s) done" in rowstone("schema", "apply", file, folder, "--yes", "--allow-destructive")
    file.write_text(FILE.replace("max_versions = 3", "block_bytes = 1"))
    assert "error: table shop:orders: Block size" in rowstone("schema", "lint", file, status=1)
