"""The walk over cells on a directory and on a served one: as a real HBase decided."""

from __future__ import annotations

import rowstone as rs
from tests.access.cells import BY_CELL, GROUPS, HEARD, MUTE, READS, RECORDED, USERS, WRITES, compared, prepare, walk
from tests.access.walk import KEEPER, NOBODY, recorded

GUARDED = {
    "hbase.security.authorization": True,
    "hbase.superuser": KEEPER,
    "hadoop.user.group.static.mapping.overrides": GROUPS,
}


def test_a_directory_decides_as_hbase() -> None:
    with rs.connect(":memory:", configuration=GUARDED) as db:
        prepare(db.as_user(KEEPER))
        found = walk(db.as_user)
    assert len(found) == 2 * (len(READS) + len(WRITES))
    assert all(len(users) == len(USERS) for users in found.values())
    assert compared(found, recorded(RECORDED)) == []


def test_a_served_directory_decides_as_hbase() -> None:
    with rs.serve(":memory:", port=0, zk_port=None, configuration=GUARDED) as server:
        with rs.connect(server.url, user=KEEPER) as db:
            prepare(db)
        found = walk(lambda user: rs.connect(server.url, user=user))
    assert compared(found, recorded(RECORDED)) == []


def test_the_record_has_cells_that_count_and_cells_that_do_not() -> None:
    all_of_them = recorded(RECORDED)
    assert all_of_them[f"{HEARD}: put"]["rw_cell"] == "allowed"
    assert all_of_them[f"{HEARD}: get column"]["r_cell"] == "f:q@100"
    for operation in (*READS, *WRITES):
        early = all_of_them[f"{MUTE}: {operation}"]
        assert all(early[user].startswith("denied") for user in (NOBODY, *BY_CELL)), operation
