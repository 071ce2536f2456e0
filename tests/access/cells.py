"""Permission matrix of cells with their own ACL: operations of users with one permission on cells or on the table.

`prepare` creates tables, grants and cells; `walk` tries each operation as each user, on rows of their own. The verdicts
of a real HBase are in `cells.json`, recorded by ``python -m tests.access.record``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import rowstone as rs
from rowstone import errors
from tests.access.walk import KEEPER, NOBODY, Connect, Verdicts, sentence

RECORDED = Path(__file__).parent / "cells.json"

EARLY_OUT = "hbase.security.access.early_out"
HEARD = "cells"
"""The table whose cell ACLs count: early out is off."""
MUTE = "early"
"""The same table with early out on, the default: its cell ACLs are ignored."""

BY_CELL = {"r_cell": "R", "w_cell": "W", "rw_cell": "RW", "x_cell": "XCA", "daemon": "RW"}
"""Users and their permissions in the ACL of column ``f:q``. `MEMBER` has them through a group."""
BY_TABLE = {"r_table": "R", "w_table": "W"}
BY_COLUMN = {"r_plain": "R", "w_plain": "W"}
"""Users and their permissions on column ``f:p``, whose cells have no ACL."""
USERS = (NOBODY, *BY_CELL, *BY_TABLE, *BY_COLUMN, KEEPER)
MEMBER = "daemon"
"""A user that exists on every machine, in a group of the same name: HBase resolves groups with the operating system."""
GROUPS = f"{MEMBER}={MEMBER}"
"""``hadoop.user.group.static.mapping.overrides``"""

ACL = {("@daemon" if user == MEMBER else user): letters for user, letters in BY_CELL.items()}
OTHERS = {"somebody": "RW"}


def prepare(db: rs.Database) -> None:
    """Create, as `KEEPER`, the tables, grants and rows that `walk` uses."""
    families = {"f": rs.Family(max_versions=3), "g": rs.Family()}
    db.create_table(HEARD, families, attributes={EARLY_OUT: "false"})
    db.create_table(MUTE, families)
    for name in (HEARD, MUTE):
        for user, letters in BY_TABLE.items():
            db.admin.permissions.grant(user, letters, table=name)
        for user, letters in BY_COLUMN.items():
            db.admin.permissions.grant(user, letters, table=name, family="f", qualifier="p")
        table = db.table(name)
        for row in ["row", *(f"{operation} {user}" for operation in WRITES for user in USERS)]:
            _fill(table, row)


def _fill(table: rs.Table, row: str) -> None:
    """Write a row: ``f:q`` has the ACL, ``f:p`` none, ``f:o`` one of other users; that of ``f:v`` varies by version."""
    table.put(row, {"f:q": "2", "g:q": "3"}, timestamp=100, acl=ACL)
    table.put(row, {"f:p": "1"}, timestamp=100)
    table.put(row, {"f:o": "0"}, timestamp=100, acl=OTHERS)
    table.put(row, {"f:n": (5).to_bytes(8)}, timestamp=100, acl=ACL)
    for timestamp, acl in ((1, OTHERS), (2, ACL), (3, ACL), (4, OTHERS)):
        table.put(row, {"f:v": str(timestamp)}, timestamp=timestamp, acl=acl)
    table.put(row, {"f:w": "1"}, timestamp=1, acl=ACL)
    table.put(row, {"f:w": "2"}, timestamp=2, acl=ACL)


def _cells(row: rs.Row) -> str:
    return " ".join(f"{cell.column.decode()}@{cell.timestamp}" for cell in row.cells) or "nothing"


def _scanned(table: rs.Table, **options: Any) -> str:
    with table.scan(start="row", limit=1, **options) as rows:
        return " ".join(_cells(row) for row in rows) or "nothing"


Read = Callable[[rs.Table], Any]
READS: Mapping[str, Read] = {
    "get": lambda table: _cells(table.get("row")),
    "get column": lambda table: _cells(table.get("row", columns=["f:q"])),
    "get plain column": lambda table: _cells(table.get("row", columns=["f:p"])),
    "get another's column": lambda table: _cells(table.get("row", columns=["f:o"])),
    "get versions": lambda table: _cells(table.get("row", columns=["f:v", "f:w"], versions=None)),
    "get newest version": lambda table: _cells(table.get("row", columns=["f:v"])),
    "get version": lambda table: _cells(table.get("row", columns=["f:v"], timestamp=2)),
    "get many": lambda table: " ".join(_cells(row) for row in table.get_many(["row", "none"])),
    "exists": lambda table: str(table.exists("row", columns=["f:q"])),
    "exists another's": lambda table: str(table.exists("row", columns=["f:o"])),
    "scan": lambda table: _scanned(table),
    "scan family": lambda table: _scanned(table, columns=["g"]),
    "scan backward": lambda table: _scanned(table, reverse=True),
    "scan in pieces": lambda table: _scanned(table, columns=["f"], batch=1),
    "scan values": lambda table: _scanned(table, filter="ValueFilter(=, 'binary:2')"),
    "scan first keys": lambda table: _scanned(table, filter="FirstKeyOnlyFilter()"),
    "scan nothing": lambda table: _scanned(table, filter="ValueFilter(=, 'binary:none')"),
}  # fmt: skip


def _then(table: rs.Table, row: str, work: Callable[[], Any], column: str = "f:q") -> str:
    """Do the operation, then return the values that the user reads from the column."""
    work()
    found = table.get(row, columns=[column])
    return " ".join(cell.value.hex() for cell in found.cells) or "nothing"


def _check(table: rs.Table, row: str, column: str, value: str, mutation: Any) -> str:
    return str(bool(table.check_and_mutate(row, column, "=", value, mutation)))


Write = Callable[[rs.Table, str], Any]
WRITES: Mapping[str, Write] = {
    "put": lambda table, row: table.put(row, {"f:q": "x"}),
    "put plain": lambda table, row: table.put(row, {"f:p": "x"}),
    "put another's": lambda table, row: table.put(row, {"f:o": "x"}),
    "put new": lambda table, row: table.put(row, {"f:new": "x"}),
    "put and new": lambda table, row: table.put(row, {"f:new": "x", "f:q": "x"}),
    "put and plain": lambda table, row: table.put(row, {"f:p": "x", "f:q": "x"}),
    "put and another's": lambda table, row: table.put(row, {"f:o": "x", "f:q": "x"}),
    "put two families": lambda table, row: table.put(row, {"f:q": "x", "g:q": "x"}),
    "put before": lambda table, row: table.put(row, {"f:q": "x"}, timestamp=50),
    "put at": lambda table, row: table.put(row, {"f:q": "x"}, timestamp=100),
    "put between versions": lambda table, row: table.put(row, {"f:v": "x"}, timestamp=3),
    "put over versions": lambda table, row: table.put(row, {"f:v": "x"}, timestamp=9),
    "put and look": lambda table, row: _then(table, row, lambda: table.put(row, {"f:q": "x"})),
    "put with rights": lambda table, row: _then(table, row, lambda: table.put(row, {"f:q": "x"}, acl=ACL)),
    "put rights of others": lambda table, row: _then(table, row, lambda: table.put(row, {"f:q": "x"}, acl=OTHERS)),
    "delete column": lambda table, row: table.delete(row, ["f:q"]),
    "delete plain column": lambda table, row: table.delete(row, ["f:p"]),
    "delete versions": lambda table, row: table.delete(row, ["f:v"]),
    "delete versions of one": lambda table, row: table.delete(row, ["f:w"]),
    "delete old versions": lambda table, row: table.delete(row, ["f:v"], timestamp=3),
    "delete version": lambda table, row: table.mutate_row(row, [rs.Delete(row).add_column("f:v", 3)]),
    "delete newest version": lambda table, row: table.mutate_row(row, [rs.Delete(row).add_column("f:v", None)]),
    "delete family": lambda table, row: table.delete(row, ["g"]),
    "delete mixed family": lambda table, row: table.delete(row, ["f"]),
    "delete row": lambda table, row: table.delete(row),
    "delete nothing": lambda table, row: table.delete(row, ["f:new"]),
    "increment": lambda table, row: table.increment(row, "f:n"),
    "increment and look": lambda table, row: _then(table, row, lambda: table.increment(row, "f:n"), "f:n"),
    "increment for others": lambda table, row: _then(
        table, row, lambda: table.increment(row, "f:n", acl=OTHERS), "f:n"
    ),
    "increment new": lambda table, row: table.increment(row, "f:new"),
    "append": lambda table, row: table.append(row, {"f:q": "x"}),
    "append and look": lambda table, row: _then(table, row, lambda: table.append(row, {"f:q": "x"})),
    "append plain": lambda table, row: table.append(row, {"f:p": "x"}),
    "check and put": lambda table, row: _check(table, row, "f:q", "2", rs.Put(row, {"f:q": "x"})),
    "check in vain": lambda table, row: _check(table, row, "f:q", "no", rs.Put(row, {"f:q": "x"})),
    "check and put another's": lambda table, row: _check(table, row, "f:q", "2", rs.Put(row, {"f:o": "x"})),
    "check another's": lambda table, row: _check(table, row, "f:o", "0", rs.Put(row, {"f:q": "x"})),
    "check and delete": lambda table, row: _check(table, row, "f:q", "2", rs.Delete(row).add_columns("f:q")),
    "put and delete": lambda table, row: table.mutate_row(
        row, [rs.Put(row, {"f:q": "x"}), rs.Delete(row).add_columns("f:w")]
    ),
    "put and delete another's": lambda table, row: table.mutate_row(
        row, [rs.Put(row, {"f:q": "x"}), rs.Delete(row).add_columns("f:o")]
    ),
}  # fmt: skip
"""The operations, each on a row that no other user changes."""

DIFFERENCES: Mapping[str, str] = {}
"""Operations for which Rowstone's verdict differs from HBase's, with the reason."""


def verdict(work: Callable[[], Any], user: str) -> str:
    """Return the result, ``"allowed"`` or ``"denied"``. A denial of the user without permissions has its message."""
    try:
        outcome = work()
    except errors.AccessDenied as refused:
        return f"denied: {sentence(refused)}" if user == NOBODY else "denied"
    return outcome if isinstance(outcome, str) and outcome else "allowed"


def walk(connect: Connect) -> Verdicts:
    """The verdicts by table, operation and user."""
    databases = {user: connect(user) for user in USERS}
    found: Verdicts = {}
    try:
        for user, db in databases.items():
            for name in (HEARD, MUTE):
                table = db.table(name)
                for operation, read in READS.items():
                    said = verdict(lambda read=read, table=table: read(table), user)  # type: ignore[misc]
                    found.setdefault(f"{name}: {operation}", {})[user] = said
                for operation, write in WRITES.items():
                    row = f"{operation} {user}"
                    said = verdict(lambda write=write, table=table, row=row: write(table, row), user)  # type: ignore[misc]
                    found.setdefault(f"{name}: {operation}", {})[user] = said
        return found
    finally:
        for db in databases.values():
            with suppress(errors.RowstoneError):
                db.close()


def compared(ours: Verdicts, theirs: Verdicts) -> list[str]:
    """Differences between two walks."""
    return [
        f"{name} as {user}: {found}, not {theirs[name][user]}"
        for name, users in ours.items()
        if name.partition(": ")[2] not in DIFFERENCES
        for user, found in users.items()
        if found != theirs[name][user]
    ]
