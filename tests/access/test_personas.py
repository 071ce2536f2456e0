"""The three personas of the sources: one adds base data, one derives data, one reads a part (checklist 050, 201)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import rowstone as rs
from rowstone import errors
from tests.checklist import checklist

GUARDED = {"hbase.security.authorization": True}


Connect = tuple[rs.Database, Callable[[str], rs.Database]]


@pytest.fixture(params=["directory", "served"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Open the database as a user: as a view of it, or over a port."""
    with rs.connect(":memory:", configuration=GUARDED) as db:
        if request.param == "directory":
            yield db, db.as_user
        else:
            with rs.serve(db, port=0, zk_port=None) as server:
                yield db, lambda user: rs.connect(server.url, user=user)


@checklist("201", clause="a writer, a deriver and a viewer see what is theirs")
def test_a_writer_a_deriver_and_a_viewer_have_only_their_permissions(connect: Connect) -> None:
    db, come_as = connect
    db.create_table("pages", ["base", "private"])
    db.admin.permissions.grant("writer", "RW", table="pages", family="base")
    db.admin.permissions.grant("writer", "RW", table="pages", family="private")
    db.admin.permissions.grant("deriver", "R", table="pages", family="base")
    db.admin.permissions.grant("deriver", "C", table="pages")
    writer, deriver = come_as("writer"), come_as("deriver")

    writer.table("pages").put("p1", {"base:text": "hbase", "private:note": "draft"})
    with pytest.raises(errors.AccessDenied):
        deriver.table("pages").put("p1", {"base:text": "changed"})

    # The deriver adds a family and is granted write permission on it.
    deriver.admin.tables.add_family("pages", "derived")
    with pytest.raises(errors.AccessDenied):
        deriver.table("pages").put("p1", {"derived:length": "5"})
    db.admin.permissions.grant("deriver", "RW", table="pages", family="derived")
    base = deriver.table("pages").get("p1", columns=["base"])
    deriver.table("pages").put("p1", {"derived:length": str(len(base["base:text"]))})

    # The viewer sees a part in every kind of read, and changes nothing.
    db.admin.permissions.grant("viewer", "R", table="pages", family="base", qualifier="text")
    db.admin.permissions.grant("viewer", "R", table="pages", family="derived")
    viewer = come_as("viewer")
    with viewer.table("pages").scan() as rows:
        assert [dict(row) for row in rows] == [{b"base:text": b"hbase", b"derived:length": b"5"}]
    seen = viewer.table("pages").get("p1")
    assert b"private:note" not in seen
    for column in ("base:text", "derived:length", "private:note"):
        with pytest.raises(errors.AccessDenied):
            viewer.table("pages").put("p1", {column: "x"})
    with pytest.raises(errors.AccessDenied):
        viewer.admin.tables.add_family("pages", "mine")
    with pytest.raises(errors.AccessDenied):
        viewer.drop_table("pages", force=True)
    for user in (writer, deriver, viewer):
        assert user.tables() == ["pages"]
    assert come_as("stranger").tables() == []


@checklist("050", clause="a grant on a namespace allows creating there only")
def test_a_grant_on_a_namespace(connect: Connect) -> None:
    db, come_as = connect
    db.admin.namespaces.create("my_ns")
    db.admin.namespaces.create("other")
    db.admin.permissions.grant("u", "RWC", namespace="my_ns")
    user = come_as("u")
    user.create_table("my_ns:t", ["f"])
    user.table("my_ns:t").put("r", {"f:q": "v"})
    for elsewhere in ("t", "other:t"):
        with pytest.raises(errors.AccessDenied, match=r"scope=(default|other), .*action=CREATE"):
            user.create_table(elsewhere, ["f"])
    with pytest.raises(errors.AccessDenied):
        user.admin.namespaces.create("third")
    assert db.tables() == ["my_ns:t"]
