"""A database that resembles one in use: tables, a snapshot, traffic, slow calls."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable

import rowstone as rs

SETTINGS = {"hbase.ipc.warn.response.time": 0, "hbase.hstore.compaction.min": 4, "hbase.ipc.warn.response.size": 20_000}
MANY = "events"


def regions(count: int) -> list[str]:
    """Split keys for this many regions."""
    return [f"device{number:05}" for number in range(1, count)]


def fill(db: rs.Database, *, region_count: int, rows: int, seed: int = 1) -> None:
    """Tables and what is in them."""
    chance = random.Random(seed)
    pages = rs.Family(max_versions=3, compression="SNAPPY")
    db.create_table("webtable", {"anchor": {}, "contents": pages}, if_not_exists=True)
    db.create_table("users", ["info", "log"], splits=["h", "p"])
    db.admin.namespaces.create("shop")
    db.create_table("shop:orders", ["o"])
    db.create_table(MANY, ["d"], splits=regions(region_count))
    with db.table("webtable").batch() as batch:
        for number in range(rows):
            batch.put(f"com.example.{number:05}", {"contents:html": "<p>" + "word " * 60, "anchor:from": "link"})
    db.admin.flush("webtable")
    with db.table(MANY).batch() as batch:
        for _ in range(rows):
            batch.put(f"device{chance.randrange(region_count):05}-{chance.randrange(1000):03}", {"d:v": "17"})
    db.table("shop:orders").put("<script>alert(1)</script>", {"o:total": "12"})
    db.admin.snapshot("before-the-sale", "shop:orders", ttl_seconds=86_400)


def use(client: rs.Database, *, rounds: int, look: Callable[[], object], seed: int = 1) -> None:
    """Reads and writes of a client; ``look`` is called from time to time."""
    chance = random.Random(seed)
    users, pages = client.table("users"), client.table("webtable")
    for number in range(rounds):
        users.put(f"{chance.choice('abcmnoxyz')}{number % 97}", {"info:name": "Ann", "log:last": str(number)})
        users.get(f"{chance.choice('abcmnoxyz')}{number % 97}")
        if number % 10 == 0:
            list(pages.scan(prefix="com.example.0", limit=chance.randrange(5, 80)))
            look()
    users.increment("counter", "info:n", 1)
    users.check_and_mutate("a1", "info:name", "EQUAL", "Bob", rs.Delete("a1"))
    with contextlib.suppress(rs.errors.NoSuchColumnFamily):
        users.put("a", {"none:q": "value"})
