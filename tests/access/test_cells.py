"""ACLs of cells: setting them, the operations that check them, and the cells that each user sees."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.cli.shell import execute
from rowstone.coprocessors import RegionObserver
from tests.access.cells import EARLY_OUT

GUARDED = {"hbase.security.authorization": True, "hadoop.user.group.static.mapping.overrides": "bob=dev"}
HEARD = {EARLY_OUT: "false"}
ACL_TAG = 1

Connect = tuple[rs.Database, Callable[[str], rs.Database]]


@pytest.fixture(params=["directory", "served"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Open the database as a user: as a view of it, or over a port."""
    with rs.connect(":memory:", configuration=GUARDED) as db:
        db.create_table("t", ["f"], attributes=HEARD)
        if request.param == "directory":
            yield db, db.as_user
        else:
            with rs.serve(db, port=0, zk_port=None) as server:
                yield db, lambda user: rs.connect(server.url, user=user)


def read_columns(db: rs.Database, row: str = "r", table: str = "t") -> list[str]:
    return sorted(column.decode() for column in db.table(table).get(row))


def stored_rights(db: rs.Database, row: str = "r") -> dict[str, bool]:
    """The cells that have an ACL."""
    cells = db.table("t").get(row).cells
    return {cell.column.decode(): any(kind == ACL_TAG for kind, _ in cell.tags) for cell in cells}


def put(table: rs.Table) -> None:
    table.put("r", {"f:a": "1"}, acl={"ann": "RW", "@dev": "R"})


def put_object(table: rs.Table) -> None:
    table.mutate_row("r", [rs.Put("r", {"f:a": "1"}, acl={"ann": "RW", "@dev": "R"})])


def many(table: rs.Table) -> None:
    table.multi([rs.Put("r", {"f:a": "1"}, acl={"ann": "RW", "@dev": "R"}), rs.Put("other", {"f:a": "1"})])


def buffered(table: rs.Table) -> None:
    with table.batch() as batch:
        batch.put("r", {"f:a": "1"}, acl={"ann": "RW", "@dev": "R"})


def increment(table: rs.Table) -> None:
    table.increment("r", "f:a", acl={"ann": "RW", "@dev": "R"})


def increment_object(table: rs.Table) -> None:
    table.multi([rs.Increment("r", {"f:a": 1}, acl={"ann": "RW", "@dev": "R"})])


def append(table: rs.Table) -> None:
    table.append("r", {"f:a": "1"}, acl={"ann": "RW", "@dev": "R"})


def append_object(table: rs.Table) -> None:
    table.multi([rs.Append("r", {"f:a": "1"}, acl={"ann": "RW", "@dev": "R"})])


def check(table: rs.Table) -> None:
    assert table.check_and_mutate("r", "f:a", "=", None, rs.Put("r", {"f:a": "1"}, acl={"ann": "RW", "@dev": "R"}))


WAYS = [put, put_object, many, buffered, increment, increment_object, append, append_object, check]


@pytest.mark.parametrize("way", WAYS)
def test_every_mutation_gives_its_cells_rights(connect: Connect, way: Callable[[rs.Table], None]) -> None:
    db, come_as = connect
    with come_as("keeper_of_t") as keeper:
        db.admin.permissions.grant("keeper_of_t", "RW", table="t")
        way(keeper.table("t"))
        keeper.table("t").put("r", {"f:b": "2"})
    assert stored_rights(db) == {"f:a": True, "f:b": False}
    for user, columns in (("ann", ["f:a"]), ("bob", ["f:a"]), ("eve", [])):
        with come_as(user) as view:
            assert read_columns(view) == columns, user
    with come_as("ann") as ann:
        ann.table("t").put("r", {"f:a": "3"}, acl={"ann": "RW"})
        with pytest.raises(errors.AccessDenied):
            ann.table("t").put("r", {"f:b": "3"})
    with come_as("bob") as bob:
        assert read_columns(bob) == []
        with pytest.raises(errors.AccessDenied):
            bob.table("t").delete("r", ["f:a"])


def test_readers_do_not_see_the_acl_of_a_cell(connect: Connect) -> None:
    db, come_as = connect
    put(db.table("t"))
    assert stored_rights(db) == {"f:a": True}
    with come_as("ann") as ann:
        table = ann.table("t")
        with table.scan() as rows:
            scanned = [cell for row in rows for cell in row.cells]
        for cell in [*table.get("r").cells, *table.get_many(["r"])[0].cells, *scanned]:
            assert cell.tags == []
        with pytest.raises(errors.AccessDenied, match="reserved type tag"):
            table.put("r", {"f:a": "2"}, tags=[(ACL_TAG, b"")])


def test_a_filter_is_not_shown_what_its_user_is_not(connect: Connect) -> None:
    db, come_as = connect
    db.table("t").put("r", {"f:a": "open"}, acl={"ann": "R"})
    db.table("t").put("r", {"f:b": "secret"})
    with come_as("ann") as ann:
        for text, rows in (("'binary:secret'", 0), ("'binary:guess'", 0), ("'binary:open'", 1)):
            with ann.table("t").scan(filter=f"ValueFilter(=, {text})") as found:
                assert len(list(found)) == rows
            # The result does not depend on whether the column exists, or on its value.
            with ann.table("t").scan(filter=f"SingleColumnValueFilter('f', 'b', =, {text}, true, true)") as found:
                assert list(found) == []


def test_cell_permissions_follow_the_tables_attributes(connect: Connect) -> None:
    db, come_as = connect
    db.create_table("early", ["f"])
    for name in ("t", "early"):
        db.table(name).put("r", {"f:a": "1"}, acl={"ann": "RW"})
    with come_as("ann") as ann:
        assert read_columns(ann) == ["f:a"]
        with pytest.raises(errors.AccessDenied):
            read_columns(ann, table="early")
        # The table's attribute applies at once, to existing cells too.
        db.admin.alter_table("early", attributes=HEARD)
        assert read_columns(ann, table="early") == ["f:a"]
        ann.table("early").put("r", {"f:a": "2"})
        db.admin.alter_table("t", attributes={EARLY_OUT: "true"})
        with pytest.raises(errors.AccessDenied):
            read_columns(ann)


def test_the_setting_is_for_tables_that_say_nothing() -> None:
    with rs.connect(":memory:", configuration={**GUARDED, EARLY_OUT: "false"}) as db:
        db.create_table("t", ["f"])
        db.create_table("early", ["f"], attributes={EARLY_OUT: "true"})
        for name in ("t", "early"):
            db.table(name).put("r", {"f:a": "1"}, acl={"ann": "R"})
        ann = db.as_user("ann")
        assert read_columns(ann) == ["f:a"]
        with pytest.raises(errors.AccessDenied):
            read_columns(ann, table="early")
        # System tables are not readable for every user, as in HBase with access control.
        with pytest.raises(errors.AccessDenied):
            list(ann.table("hbase:acl").scan())


@pytest.mark.parametrize("wrong", [{}, {"": "R"}, {"@": "R"}, {"ann": ""}, {"ann": "Q"}])
def test_rights_that_say_nothing_are_refused(wrong: dict[str, str]) -> None:
    with rs.connect(":memory:", configuration=GUARDED) as db:
        table = db.create_table("t", ["f"], attributes=HEARD) and db.table("t")
        with pytest.raises(errors.InvalidArgument):
            table.put("r", {"f:a": "1"}, acl=wrong)
        with pytest.raises(errors.InvalidType):
            table.put("r", {"f:a": "1"}, acl=["ann"])  # type: ignore[arg-type]
        assert read_columns(db) == []


def test_cell_permissions_need_access_control() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        with pytest.raises(errors.UnsupportedOperation, match=r"hbase\.security\.authorization"):
            db.table("t").put("r", {"f:a": "1"}, acl={"ann": "R"})
        assert read_columns(db) == []


def test_they_are_there_after_flush_compaction_and_restart(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db", configuration=GUARDED) as db:
        db.create_table("t", ["f"], attributes=HEARD)
        put(db.table("t"))
        db.admin.flush("t")
        db.table("t").put("r2", {"f:a": "1"}, acl={"ann": "R"})
        db.admin.flush("t")
        db.admin.major_compact("t")
    with rs.connect(tmp_path / "db", configuration=GUARDED) as db:
        assert stored_rights(db) == {"f:a": True}
        assert [read_columns(db.as_user("ann"), row) for row in ("r", "r2")] == [["f:a"], ["f:a"]]
        assert [read_columns(db.as_user("bob"), row) for row in ("r", "r2")] == [["f:a"], []]


def test_an_observer_is_no_way_around() -> None:
    class Other(RegionObserver):
        def pre_put(self, context: Any, put: Any, durability: str) -> Any:
            return rs.Put(put.row, {"f:secret": "overwritten"})

    with rs.connect(":memory:", configuration=GUARDED) as db:
        db.create_table("t", ["f"], attributes=HEARD)
        put(db.table("t"))
        db.table("t").put("r", {"f:secret": "kept"})
        db.coprocessors.attach("t", Other())
        ann = db.as_user("ann").table("t")
        with pytest.raises(errors.AccessDenied):
            ann.put("r", {"f:a": "2"})
        assert db.table("t").get("r")["f:secret"] == b"kept"


def test_the_audit_hears_of_cells(tmp_path: Path) -> None:
    file = tmp_path / "audit"
    settings = {**GUARDED, "rowstone.audit.file": str(file), "rowstone.audit.allowed": True}
    with rs.connect(":memory:", configuration=settings) as db:
        db.create_table("t", ["f"], attributes=HEARD)
        put(db.table("t"))
        ann = db.as_user("ann").table("t")
        ann.get("r")
        ann.put("r", {"f:a": "2"})
        with pytest.raises(errors.AccessDenied):
            ann.put("r", {"f:b": "2"})
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    heard = [(one["operation"], one["allowed"], one["reason"]) for one in lines if one["user"] == "ann"]
    assert heard == [
        ("get", True, "Access allowed with filter"),
        ("put", True, "Covering cell set"),
        ("put", False, "Covering cell set"),
    ]


def test_the_shell_grants_rights_of_cells(connect: Connect) -> None:
    db, come_as = connect
    db.admin.permissions.grant("giver", "RWA", table="t")
    db.table("t").put("r", {"f:a": "1", "f:b": "2"}, timestamp=5)
    db.table("t").put("r2", {"f:a": "3"}, timestamp=6)
    with come_as("giver") as giver:
        printed = execute(giver, "grant 't', {'ann' => 'R', '@dev' => 'RW'}, {COLUMNS => 'f:a'}")
    assert "2 row(s)" in printed
    assert [(cell.column, cell.timestamp) for cell in db.table("t").get("r").cells] == [(b"f:a", 5), (b"f:b", 5)]
    with come_as("ann") as ann:
        assert [read_columns(ann, row) for row in ("r", "r2")] == [["f:a"], ["f:a"]]
    with come_as("bob") as bob:
        bob.table("t").put("r", {"f:a": "4"})


@pytest.mark.parametrize("version", [1, 2])
def test_thrift_carries_the_attribute(version: int) -> None:
    """``Mutation.setACL`` of a client of Thrift is the attribute ``acl`` with the message's bytes."""
    acl = b"\x0a\x0d\x0a\x03ann\x12\x06\x08\x01\x12\x02\x08\x00"
    with rs.connect(":memory:", configuration=GUARDED) as db:
        db.create_table("t", ["f"], attributes=HEARD)
        db.table("t").put("r", {"f:a": "1"}, acl=acl)
        if version == 1:
            from rowstone.server.thrift.one.mutations import _RowChanges

            put_of = _RowChanges(b"r", [(False, b"f:b", b"2", True)], None).put({b"acl": acl})
        else:
            from types import SimpleNamespace

            from rowstone.server.thrift.two._mutations import put_of as second

            cell = SimpleNamespace(family=b"f", qualifier=b"b", value=b"2", timestamp=None)
            put_of = second(
                SimpleNamespace(
                    row=b"r", columnValues=[cell], timestamp=None, attributes={b"acl": acl}, durability=None,
                    cellVisibility=None,
                )
            )  # fmt: skip
        assert put_of is not None
        db.table("t").mutate_row("r", [put_of])
        assert read_columns(db.as_user("ann")) == ["f:a", "f:b"]
        assert read_columns(db.as_user("eve")) == []
