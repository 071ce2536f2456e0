"""A directory and a served one give each user the verdicts that were recorded from a real HBase."""

from __future__ import annotations

import pytest

import rowstone as rs
from tests.access.walk import KEEPER, NOBODY, OPERATIONS, USERS, compared, prepare, recorded, walk

GUARDED = {"hbase.security.authorization": True, "hbase.superuser": KEEPER}


def test_a_directory_decides_as_hbase() -> None:
    with rs.connect(":memory:", configuration=GUARDED) as db:
        prepare(db.as_user(KEEPER))
        found = walk(db.as_user)
    assert len(found) == len(OPERATIONS)
    assert all(len(users) == len(USERS) + 2 for users in found.values())
    assert compared(found, recorded()) == []


def test_a_served_directory_decides_as_hbase() -> None:
    with rs.serve(":memory:", port=0, zk_port=None, configuration=GUARDED) as server:
        with rs.connect(server.url, user=KEEPER) as db:
            prepare(db)
        found = walk(lambda user: rs.connect(server.url, user=user))
    assert compared(found, recorded()) == []


def test_the_record_has_yes_and_no_for_every_operation() -> None:
    for name, users in recorded().items():
        assert users[NOBODY].startswith(("denied", "hidden", "False")), name
        assert not users[KEEPER].startswith(("denied", "hidden")), name


@pytest.mark.parametrize("user", [NOBODY, "r_at_g", KEEPER])
def test_without_the_setting_permissions_are_not_checked(user: str) -> None:
    with rs.connect(":memory:") as db:
        assert db.as_user(user) is db
        with pytest.raises(rs.errors.UnsupportedOperation, match=r"hbase\.security\.authorization"):
            db.admin.permissions.grant(user, "R")
