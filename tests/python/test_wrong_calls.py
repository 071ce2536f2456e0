"""Wrong calls: each raises a clear error of the right class, and the data stays unchanged.

Damaged files, full disks and second processes are in test_trouble.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.indexes import KeyPart
from rowstone.testing import ManualClock

Call = Callable[[rs.Database, rs.Table], Any]


@dataclass(frozen=True)
class Wrong:
    """A call, its error, and the names in the message."""

    name: str
    call: Call
    error: type[Exception]
    says: str


def closed_scanner(db: rs.Database, t: rs.Table) -> None:
    scanner = t.scan()
    scanner.close()
    next(scanner)


def disabled(action: Call) -> Call:
    """Run `action` while the table is disabled."""

    def call(db: rs.Database, t: rs.Table) -> None:
        db.admin.disable_table("t")
        try:
            action(db, t)
        finally:
            db.admin.enable_table("t")

    return call


def drop_full_namespace(db: rs.Database, t: rs.Table) -> None:
    db.admin.namespaces.create("full")
    db.create_table("full:t", ["f"])
    try:
        db.admin.namespaces.drop("full")
    finally:
        db.drop_table("full:t", force=True)


def quota(db: rs.Database, t: rs.Table) -> None:
    db.admin.namespaces.create("small", {"hbase.namespace.quota.maxtables": 1})
    db.create_table("small:one", ["f"])
    try:
        db.create_table("small:two", ["f"])
    finally:
        db.drop_table("small:one", force=True)


def two_columns_to_one(db: rs.Database, t: rs.Table) -> None:
    import pyarrow

    t.put_frame(pyarrow.table({"row": ["r"], "q": ["1"], "f:q": ["2"]}), family="f")


CALLS = [
    # Rows, columns, values
    Wrong("empty row", lambda db, t: t.put("", {"f:q": "v"}), errors.InvalidArgument, "row key is empty"),
    Wrong("empty row read", lambda db, t: t.get(b""), errors.InvalidArgument, "row key is empty"),
    Wrong("long row", lambda db, t: t.put("x" * 32_768, {"f:q": "v"}), errors.CellTooLarge, "32767"),
    Wrong("number as row", lambda db, t: t.get(5), errors.InvalidType, "row key must be bytes or str, not int"),
    Wrong("row of bad Unicode", lambda db, t: t.get("\ud800"), errors.InvalidArgument, "not valid Unicode"),
    Wrong("unknown family", lambda db, t: t.put("r", {"zz:q": "v"}), errors.NoSuchColumnFamily, "zz"),
    Wrong("unknown family read", lambda db, t: t.get("r", "zz"), errors.NoSuchColumnFamily, "zz"),
    Wrong("unknown family scan", lambda db, t: list(t.scan(columns=["zz:q"])), errors.NoSuchColumnFamily, "zz"),
    Wrong("unknown family delete", lambda db, t: t.delete("r", "zz"), errors.NoSuchColumnFamily, "zz"),
    Wrong("long family", lambda db, t: t.put("r", {"x" * 128 + ":q": "v"}), errors.NoSuchColumnFamily, "127"),
    Wrong("no colon", lambda db, t: t.put("r", {"q": "v"}), errors.InvalidArgument, "family:qualifier"),
    Wrong("no columns", lambda db, t: t.put("r", {}), errors.InvalidArgument, "empty"),
    Wrong(
        "number as value",
        lambda db, t: t.put("r", {"f:q": 5}),
        errors.InvalidType,
        "value of 'f:q' must be bytes or str, not int; convert it, or use rowstone.codecs",
    ),
    Wrong("None as value", lambda db, t: t.put("r", {"f:q": None}), errors.InvalidType, "leave the column out"),
    Wrong(
        "columns in families", lambda db, t: t.put("r", {"f": {"q": "v"}}), errors.InvalidArgument, "'f' has no colon"
    ),
    Wrong("columns by family", lambda db, t: t.put("r", {"f:q": {}}), errors.InvalidType, "each 'family:qualifier'"),
    Wrong(
        "two columns of a frame to one",
        two_columns_to_one,
        errors.InvalidArgument,
        "columns 'q' and 'f:q' are both written to 'f:q'",
    ),
    Wrong("text as data", lambda db, t: t.put("r", "f:q"), errors.InvalidType, "data must be"),
    Wrong("11 MB value", lambda db, t: t.put("r", {"f:q": b"x" * 11_000_000}), errors.UsageError, "10485760"),
    Wrong(
        "long tags", lambda db, t: t.put("r", {"f:q": "v"}, tags=[(1, b"x" * 65_535)]), errors.InvalidArgument, "65535"
    ),
    # Times
    Wrong("negative timestamp", lambda db, t: t.put("r", {"f:q": "v"}, timestamp=-1), errors.InvalidArgument, "-1"),
    Wrong("timestamp of 65 bits", lambda db, t: t.put("r", {"f:q": "v"}, timestamp=2**63), OverflowError, "64 bits"),
    Wrong(
        "naive datetime",
        lambda db, t: t.put("r", {"f:q": "v"}, timestamp=datetime(2024, 1, 1)),
        errors.InvalidArgument,
        "no time zone",
    ),
    Wrong("text as timestamp", lambda db, t: t.get("r", timestamp="now"), TypeError, "an int or a datetime, not str"),
    Wrong("seconds", lambda db, t: t.put("r", {"f:q": "v"}, timestamp=1.5), TypeError, "or a datetime, not float"),
    Wrong("text as ttl", lambda db, t: t.put("r", {"f:q": "v"}, ttl_ms="1d"), TypeError, "an int or a timedelta"),
    Wrong(
        "range and timestamp",
        lambda db, t: t.get("r", timestamp=1, time_range=(0, 2)),
        errors.InvalidArgument,
        "not both",
    ),
    Wrong("backward range", lambda db, t: t.get("r", time_range=(5, 1)), errors.InvalidArgument, "ends before"),
    Wrong("ttl of 0", lambda db, t: t.put("r", {"f:q": "v"}, ttl_ms=timedelta()), errors.InvalidArgument, "ttl_ms 0"),
    Wrong(
        "family ttl without a unit",
        lambda db, t: db.create_table("new", {"f": {"ttl": 60}}),
        errors.InvalidArgument,
        "did you mean 'ttl_seconds'",
    ),
    Wrong("view as of a text", lambda db, t: t.as_of("x"), errors.InvalidType, "timestamp must be an int"),
    Wrong("view as of a fraction", lambda db, t: t.as_of(1.5), errors.InvalidType, "not float"),
    Wrong(
        "snapshot with a fraction of a second as ttl",
        lambda db, t: db.admin.snapshot("s", "t", ttl_seconds=1.5),
        errors.InvalidType,
        "ttl_seconds must be an int or a timedelta, not float",
    ),
    # Options
    Wrong("no versions", lambda db, t: t.get("r", versions=0), errors.InvalidArgument, "versions 0"),
    Wrong("unknown option", lambda db, t: t.get_many(["r"], version=3), errors.InvalidType, "did you mean 'versions'"),
    Wrong("negative limit", lambda db, t: t.scan(limit=-1), errors.InvalidArgument, "limit -1"),
    Wrong("prefix and start", lambda db, t: t.scan("a", prefix="b"), errors.InvalidArgument, "prefix"),
    Wrong(
        "unknown durability",
        lambda db, t: t.put("r", {"f:q": "v"}, durability="maybe"),
        errors.InvalidArgument,
        "SYNC_WAL",
    ),
    Wrong(
        "unknown isolation", lambda db, t: t.scan(isolation="SERIALIZABLE"), errors.InvalidArgument, "READ_COMMITTED"
    ),
    Wrong(
        "timestamp and version",
        lambda db, t: t.delete("r", "f:q", timestamp=1, version=1),
        errors.InvalidArgument,
        "either",
    ),
    # Counters, conditions, batches
    Wrong("increment of text", lambda db, t: t.increment("r", "f:q"), errors.NotALong, "not a long"),
    Wrong("increment by text", lambda db, t: t.increment("r", "f:n", "1"), errors.InvalidType, "amount must be an int"),
    Wrong("append of nothing", lambda db, t: t.append("r", "f:q"), errors.InvalidType, "value must be bytes or str"),
    Wrong(
        "unknown operator",
        lambda db, t: t.check_and_mutate("r", "f:q", "ABOUT", "v", rs.Put("r", {"f:q": "w"})),
        errors.InvalidArgument,
        "NOT_EQUAL",
    ),
    Wrong(
        "condition on another row",
        lambda db, t: t.check_and_mutate("r", "f:q", "EQUAL", "v", rs.Put("s", {"f:q": "w"})),
        errors.InvalidArgument,
        "row 's'",
    ),
    Wrong("not a mutation", lambda db, t: t.multi(["r"]), errors.InvalidType, "Put, Delete, Increment or Append"),
    Wrong(
        "increment in a buffer",
        lambda db, t: t.batch().mutate(rs.Increment("r", {"f:n": 1})),
        errors.UsageError,
        "multi",
    ),
    Wrong("closed scanner", closed_scanner, errors.ScannerClosed, "closed"),
    # Tables and namespaces
    Wrong("no such table", lambda db, t: db.table("none"), errors.TableNotFound, "none"),
    Wrong("table twice", lambda db, t: db.create_table("t", ["f"]), errors.TableExists, "'t'"),
    Wrong(
        "table without family",
        lambda db, t: db.create_table("u", {}),
        errors.InvalidArgument,
        "at least one column family",
    ),
    Wrong("None as families", lambda db, t: db.create_table("u", None), errors.InvalidType, "not NoneType"),
    Wrong("one name as families", lambda db, t: db.admin.alter_table("t", families="new"), errors.InvalidType, "names"),
    Wrong("misspelt option", lambda db, t: t.scan(revers=True), errors.InvalidType, "did you mean 'reverse'?"),
    Wrong("one name to remove", lambda db, t: db.admin.alter_table("t", remove="fg"), errors.InvalidType, "['fg']"),
    Wrong("bad family name", lambda db, t: db.create_table("u", ["a/b"]), errors.InvalidName, "a/b"),
    Wrong("hidden family name", lambda db, t: db.create_table("u", [".f"]), errors.InvalidName, "starts with a dot"),
    Wrong("bad table name", lambda db, t: db.create_table("a b", ["f"]), errors.InvalidName, "a b"),
    Wrong(
        "unknown attribute",
        lambda db, t: db.create_table("u", {"f": {"VERSION": 3}}),
        errors.InvalidArgument,
        "VERSION",
    ),
    Wrong(
        "unknown setting", lambda db, t: db.create_table("u", {"f": {"version": 3}}), errors.InvalidArgument, "version"
    ),
    Wrong(
        "more minimum than maximum versions",
        lambda db, t: db.create_table("u", {"f": rs.Family(max_versions=1, min_versions=2)}),
        errors.InvalidArgument,
        "Min versions for column family f must be less than the Max versions",
    ),
    Wrong("splits twice", lambda db, t: db.create_table("u", ["f"], splits=["m", "m"]), errors.InvalidArgument, "m"),
    Wrong("text as splits", lambda db, t: db.create_table("u", ["f"], splits="abc"), errors.InvalidType, "splits"),
    Wrong("number as table name", lambda db, t: db.table(5), errors.InvalidType, "name must be bytes or str"),
    Wrong("missing namespace", lambda db, t: db.create_table("none:u", ["f"]), errors.NamespaceNotFound, "none"),
    Wrong("drop of an enabled table", lambda db, t: db.admin.drop_table("t"), errors.TableNotDisabled, "'t'"),
    Wrong("truncate of an enabled table", lambda db, t: db.admin.truncate_table("t"), errors.TableNotDisabled, "'t'"),
    Wrong("get from a disabled table", disabled(lambda db, t: t.get("r")), errors.TableNotEnabled, "'t'"),
    Wrong("put into a disabled table", disabled(lambda db, t: t.put("r", {"f:q": "w"})), errors.TableNotEnabled, "'t'"),
    Wrong("scan of a disabled table", disabled(lambda db, t: list(t.scan())), errors.TableNotEnabled, "'t'"),
    Wrong(
        "remove an unknown family",
        lambda db, t: db.admin.alter_table("t", remove=["zz"]),
        errors.NoSuchColumnFamily,
        "zz",
    ),
    Wrong("namespace twice", lambda db, t: db.admin.namespaces.create("default"), errors.NamespaceExists, "default"),
    Wrong("built-in namespace", lambda db, t: db.admin.namespaces.drop("hbase"), errors.ConstraintViolation, "hbase"),
    Wrong("full namespace", drop_full_namespace, errors.NamespaceNotEmpty, "full"),
    Wrong("no such namespace", lambda db, t: db.tables("none"), errors.NamespaceNotFound, "none"),
    Wrong(
        "one property to unset",
        lambda db, t: db.admin.namespaces.alter("default", unset="ab"),
        errors.InvalidType,
        "unset must be a list, not 'ab'; write ['ab']",
    ),
    Wrong("one group of a user", lambda db, t: db.as_user("ann", "ab"), errors.InvalidType, "groups must be a list"),
    Wrong("one region to merge", lambda db, t: db.admin.regions.merge("ab"), errors.InvalidType, "regions must be"),
    Wrong("one sampled key", lambda db, t: rs.splits.check_splits(["m"], "abz"), errors.InvalidType, "['abz']"),
    Wrong("one value of several", lambda db, t: rs.column("f:q").isin("vw"), errors.InvalidType, "values must be"),
    Wrong("more tables than allowed", quota, errors.QuotaExceeded, "small"),
    # Opening
    Wrong(
        "no such kind of URL",
        lambda db, t: rs.connect("http://host:16000"),
        errors.InvalidArgument,
        "hbase://host:port",
    ),
    Wrong(
        "an option of directories for a cluster",
        lambda db, t: rs.connect("hbase://host:16000", cache_bytes=1),
        errors.UnsupportedOperation,
        "cache_bytes",
    ),
    Wrong(
        "an option of clusters for a directory",
        lambda db, t: rs.connect(":memory:", user="me"),
        errors.UnsupportedOperation,
        "user",
    ),
    Wrong(
        "a database in memory, read-only",
        lambda db, t: rs.connect(":memory:", read_only=True),
        errors.InvalidArgument,
        "a database in memory cannot be opened read-only",
    ),
    Wrong("no target", lambda db, t: rs.connect(""), errors.UnsupportedOperation, ":memory:"),
    Wrong("number as target", lambda db, t: rs.connect(5), errors.InvalidType, "target"),
    Wrong(
        "unknown configuration",
        lambda db, t: rs.connect(":memory:", configuration={"hbase.hstore.compaction.mni": 3}),
        errors.InvalidArgument,
        "did you mean 'hbase.hstore.compaction",
    ),
    Wrong(
        "almost a setting of access",
        lambda db, t: rs.connect(":memory:", configuration={"hbase.superusers": "ada"}),
        errors.InvalidArgument,
        "did you mean 'hbase.superuser'?",
    ),
    Wrong(
        "a misspelt option of a server",
        lambda db, t: rs.serve(db, thrift_prt=0),
        errors.InvalidType,
        "'thrift_prt'; did you mean 'thrift_port'?",
    ),
    # Constraints and indexes
    Wrong("number as constraint", lambda db, t: db.constraints("t").add(5), errors.InvalidType, "not int"),
    Wrong("text as a part of a key", lambda db, t: KeyPart("a"), errors.InvalidType, "start"),  # type: ignore[arg-type]
    Wrong("a part of a key of no bytes", lambda db, t: KeyPart(3, 0), errors.InvalidArgument, "1 or more, not 0"),
    Wrong("a part of a key behind it", lambda db, t: KeyPart(-4, 8), errors.InvalidArgument, "8 bytes from -4"),
    Wrong("a part of a key of less", lambda db, t: KeyPart(3, -1), errors.InvalidArgument, "1 or more, not -1"),
    Wrong("clock of another kind", lambda db, t: rs.connect(":memory:", clock=5), errors.InvalidType, "ManualClock"),
]


@pytest.fixture
def filled(t: rs.Table) -> rs.Table:
    t.put("r", {"f:q": "v", "g:q": "w"}, timestamp=5)
    t.put("s", {"f:q": "v"}, timestamp=5)
    return t


def test_there_are_at_least_forty() -> None:
    """issue 3, acceptance 7"""
    assert len({wrong.name for wrong in CALLS}) == len(CALLS) >= 40


@pytest.mark.parametrize("wrong", CALLS, ids=lambda wrong: wrong.name)
def test_a_wrong_call_changes_nothing_and_says_why(db: rs.Database, filled: rs.Table, wrong: Wrong) -> None:
    before = [row.cells for row in filled.scan(raw=True, versions=None)]
    with pytest.raises(wrong.error) as raised:
        wrong.call(db, filled)
    assert wrong.says in str(raised.value)
    assert isinstance(raised.value, errors.RowstoneError)
    assert type(raised.value) is not errors.RowstoneError
    assert [row.cells for row in filled.scan(raw=True, versions=None)] == before
    assert db.tables() == ["t"]
    # A client of a server does not see the server's number of scanners.
    assert db.admin.metrics.stats().get("open_scanners", 0) == 0


def test_a_closed_database_says_so(clock: ManualClock) -> None:
    db = rs.connect(":memory:", clock=clock)
    db.create_table("t", ["f"])
    t = db.table("t")
    writer = t.batch()
    writer.put("r", {"f:q": "v"})
    db.close()
    db.close()
    assert db.closed
    for call in (
        lambda: t.get("r"),
        lambda: t.put("r", {"f:q": "v"}),
        lambda: t.scan(),
        lambda: db.table("t"),
        lambda: db.tables(),
        lambda: db.admin.flush(),
        lambda: writer.flush(),
    ):
        with pytest.raises(errors.DatabaseClosed):
            call()
    assert "closed" in repr(db)
    assert "closed" in db._repr_html_()
