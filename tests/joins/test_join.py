"""Both ways to join give what a dict gives, and tell what they read."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowstone as rs
from rowstone import errors
from rowstone.jobs.joins import Join
from tests.checklist import checklist

WAYS = ("nested", "hash", "auto")


def filled(db: rs.Database, orders: dict[bytes, bytes | None], users: set[bytes]) -> None:
    """Orders, each of a user or of none, and users."""
    for name in ("orders", "users"):
        db.create_table(name, ["f", "g"])
    for key, user in orders.items():
        db.table("orders").put(key, {"f:sum": "5"} if user is None else {"f:sum": "5", "f:user": user})
    for key in users:
        db.table("users").put(key, {"f:town": b"of " + key, "g:about": "x" * 100})


def pairs(join: Join) -> list[tuple[bytes, bytes | None]]:
    """Keys of both sides; the contents of a right row are checked."""
    found = []
    for left, right in join:
        assert left["f:sum"] == b"5"
        assert right is None or right["f:town"] == b"of " + right.key
        found.append((left.key, None if right is None else right.key))
    return found


@pytest.fixture
def db() -> Iterator[rs.Database]:
    """3,000 orders of 200 users, 50 of whom do not exist, and 20 orders without a user."""
    random = Random(1)
    orders: dict[bytes, bytes | None] = {b"%05d" % n: b"u%03d" % random.randrange(200) for n in range(3_000)}
    orders |= {b"x%05d" % n: None for n in range(20)}
    with rs.connect(":memory:") as db:
        filled(db, orders, {b"u%03d" % n for n in range(150)})
        yield db


@checklist("150", clause="nested loops and hash join agree, costs are told")
@pytest.mark.parametrize("outer", [False, True])
def test_the_ways_agree_and_tell_what_they_read(db: rs.Database, outer: bool) -> None:
    users = {row.key for row in db.table("users").scan()}
    named = [(row.key, row.get("f:user")) for row in db.table("orders").scan()]
    expected = [(key, user if user in users else None) for key, user in named]
    expected = [pair for pair in expected if outer or pair[1] is not None]
    joins = {how: rs.jobs.join(db, "orders", "users", on="f:user", how=how, outer=outer) for how in WAYS}  # type: ignore[arg-type]
    for join in joins.values():
        assert pairs(join) == expected
        assert join.cost.returned == len(expected)
        assert join.cost.left_rows == 3_020
    nested, hashed, chosen = (joins[how].cost for how in WAYS)
    # Seven batches of 500 orders, the last of which has 20 without a user. Each fetches its users once.
    assert (nested.scans, nested.multi_gets, nested.calls) == (1, 6, 7)
    batches = [{user for _, user in named[at : at + 500]} - {None} for at in range(0, 3_020, 500)]
    assert nested.gets == sum(map(len, batches))
    assert nested.right_rows == sum(len(batch & users) for batch in batches)
    assert (hashed.scans, hashed.multi_gets, hashed.gets, hashed.right_rows) == (2, 0, 0, 150)
    # For a user: key (4), f:town (1 + 4) with 7 bytes; key, g:about (1 + 5) with 100.
    assert hashed.right_bytes == 150 * (4 + 5 + 7 + 4 + 6 + 100)
    assert nested.left_bytes == hashed.left_bytes > 0
    # Many orders and few users.
    assert chosen == hashed
    assert hashed.held == "right"
    assert "hash join, the right side in memory: 2 calls" in str(hashed)
    assert "nested loops: 7 calls" in str(nested)


def test_few_rows_are_looked_up(db: rs.Database) -> None:
    join = rs.jobs.join(db, "orders", "users", on="f:user", prefix="0001", outer=True)
    assert len(pairs(join)) == 10
    assert (join.cost.how, join.cost.left_rows, join.cost.calls) == ("nested", 10, 2)
    # Again, and a smaller side that is the left one.
    db.drop_table("orders", force=True)
    db.create_table("orders", ["f"])
    for number in range(700):
        db.table("orders").put(f"{number:03}", {"f:sum": "5", "f:user": f"u{number:03}"})
    for number in range(100, 3_000):
        db.table("users").put(f"u{number}", {"f:town": f"of u{number}", "g:about": b"x" * 500})
    join = rs.jobs.join(db, "orders", "users", on="f:user", how="hash")
    assert pairs(join) == pairs(rs.jobs.join(db, "orders", "users", on="f:user", how="nested"))
    assert (join.cost.held, join.cost.returned) == ("left", 700)


@given(
    orders=st.dictionaries(st.binary(min_size=1, max_size=2), st.none() | st.binary(max_size=2), max_size=12),
    users=st.sets(st.binary(min_size=1, max_size=2), max_size=12),
    batch_rows=st.integers(1, 5),
    large_users=st.booleans(),
)
def test_joins_of_any_tables_equal_a_model(
    orders: dict[bytes, bytes | None], users: set[bytes], batch_rows: int, large_users: bool
) -> None:
    with rs.connect(":memory:") as db:
        filled(db, orders, users)
        # The other side is the smaller one, then.
        db.table("users" if large_users else "orders").put(b"\xff" * 9, {"g:x": b"x" * 5_000, "f:sum": "5"})
        found = {key: user if user in users else None for key, user in orders.items()}
        for how in WAYS:
            join = rs.jobs.join(
                db,
                "orders",
                "users",
                on="f:user",
                how=how,
                outer=True,
                batch_rows=batch_rows,
                stop=b"\xff" * 3,  # type: ignore[arg-type]
            )
            assert dict(pairs(join)) == {key: user for key, user in found.items() if key < b"\xff" * 3}


def test_columns_and_functions(db: rs.Database) -> None:
    for how in WAYS:
        options: dict[str, Any] = {"how": how, "limit": 40, "right_columns": "g:about"}
        join = rs.jobs.join(db, "orders", "users", on="f:user", left_columns="f:sum", **options)
        for order, user in join:
            assert set(order) == {b"f:sum", b"f:user"}
            assert set(user or ()) == {b"g:about"}
        by_function = rs.jobs.join(db, "orders", "users", on=lambda row: row.get("f:user"), **options)
        assert [(o.key, u and u.key) for o, u in by_function] == [(o.key, u and u.key) for o, u in join]
        nobody = rs.jobs.join(db, "orders", "users", on=lambda _: b"x" * 40_000, **options)
        assert list(nobody) == []


@pytest.mark.parametrize("left_columns", ["f", ["f"], ["f:"], ["f:sum", "f"], ["f:user", b"f"]])
def test_the_family_of_the_join_column_is_read_whole(db: rs.Database, left_columns: Any) -> None:
    for how in WAYS:
        join = rs.jobs.join(db, "orders", "users", on="f:user", left_columns=left_columns, how=how)  # type: ignore[arg-type]
        assert {frozenset(order) for order, _ in join} == {frozenset({b"f:sum", b"f:user"})}


def test_behind_a_port(db: rs.Database) -> None:
    here = pairs(rs.jobs.join(db, "orders", "users", on="f:user"))
    with rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url) as client:
        for how in WAYS:
            assert pairs(rs.jobs.join(client, "orders", "users", on="f:user", how=how)) == here  # type: ignore[arg-type]


def test_invalid_calls_are_refused(db: rs.Database) -> None:
    with pytest.raises(errors.InvalidArgument, match="'nested', 'hash', 'auto'"):
        rs.jobs.join(db, "orders", "users", on="f:user", how="merge")  # type: ignore[arg-type]
    with pytest.raises(errors.InvalidArgument, match="at least 1"):
        rs.jobs.join(db, "orders", "users", on="f:user", batch_rows=0)
    with pytest.raises(errors.TableNotFound):
        rs.jobs.join(db, "orders", "nothing", on="f:user")
    with pytest.raises(errors.InvalidType, match="batch_rows must be an int"):
        rs.jobs.join(db, "orders", "users", on="f:user", batch_rows="5")  # type: ignore[arg-type]


def test_a_column_that_cannot_exist_is_refused(db: rs.Database) -> None:
    """Regression: a family without a qualifier, and a misspelt one, joined nothing."""
    with rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url) as client:
        for database in (db, client):
            with pytest.raises(errors.InvalidArgument, match="column 'f' has no colon"):
                rs.jobs.join(database, "orders", "users", on="f")
            with pytest.raises(errors.NoSuchColumnFamily, match="no column family 'nof'"):
                rs.jobs.join(database, "orders", "users", on="nof:user")
