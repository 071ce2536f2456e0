"""The tables that journeys visit, the same on each target."""

from __future__ import annotations

import rowstone as rs
from rowstone import codecs
from rowstone.keys import parse_key

CUSTOMERS = "shop:customers"
EVENTS = "events"
FILES = "files"
SNAPSHOT = "before-the-sale"
LAYOUT = "text('host'), reverse_time('at')"
ODD = b"\xff\xfe\x00key"
"""A row key that is not UTF-8."""
LOST_MS = 1_700_000_000_000
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000080000000808020000004b6d29dc0000001149444154789c633861a3811531"
    "0c2d0900767b4b011b3bf9a70000000049454e44ae426082"
)
NAMES = ("Grace Murray", "Grace Hopper", "G. B. Hopper")
"""Versions of a name, oldest first."""


def fill(db: rs.Database) -> None:
    """Create the tables."""
    db.admin.namespaces.create("shop")
    _customers(db)
    db.create_table(EVENTS, ["e"])
    key = parse_key(LAYOUT)
    for host in ("web1", "web2"):
        for minute in range(3):
            db.table(EVENTS).put(key.encode(host=host, at=LOST_MS + minute * 60_000), {"e:status": "200"})
    db.create_table(FILES, ["f"])
    for number in range(20):
        db.table(FILES).put(f"file{number:02}", {"f:content": b"x" * (1 << 20)})
    db.admin.snapshot(SNAPSHOT, EVENTS)


def _customers(db: rs.Database) -> None:
    """Typed values, versions, a deleted cell, a wide row, a counter, and a row that is not text."""
    db.create_table(CUSTOMERS, {"info": rs.Family(max_versions=5), "visits": {}}, splits=["m"])
    codecs.declare(db, CUSTOMERS, {"info:age": "int32"})
    typed, table = codecs.typed(db.table(CUSTOMERS)), db.table(CUSTOMERS)
    for number in range(120):
        about = {"info:name": f"Customer {number}".encode(), "info:age": 20 + number % 50}
        typed.put(f"c{number:04}", {**about, "visits:last": b'{"page": "/cart", "seconds": 12}'})
    for number, name in enumerate(NAMES):
        table.put("grace", {"info:name": name}, timestamp=LOST_MS + number)
    table.put("grace", {"info:photo": PNG, "info:points": (40).to_bytes(8, "big")})
    table.put("grace", {"visits:last": "lost"}, timestamp=LOST_MS)
    table.delete("grace", ["visits:last"], timestamp=LOST_MS + 1)
    table.put("wide", {f"visits:{number:04}": "seen" for number in range(60)})
    table.put(ODD, {b"info:\x00\xff": b"\x00\xffvalue"})
