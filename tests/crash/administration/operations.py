"""The next random operation, and how it is done to a database.

Every value says which operation wrote it, where, and that it is whole. Timestamps are the operations' numbers, so that
a put after a delete is never hidden by it, as it would be in the same millisecond.
"""

from __future__ import annotations

import random
import zlib
from typing import Any

import rowstone as rs
from tests.crash.administration.model import FIRST_FAMILIES, TABLE, Content, Model, Operation, Rows, Table

ROWS = 500
EPOCH_MS = 1_000_000_000_000
MORE_FAMILIES = ("c", "d")
MOST_SNAPSHOTS, MOST_CLONES = 3, 2

WRITES = {"put": 60, "batch": 10, "delete": 12, "change": 12}
"""Share of all writes."""
CHANGES = {"alter": 8, "add family": 3, "drop family": 3, "snapshot": 4, "delete snapshot": 3, "clone": 3, "restore": 2}
CHANGES |= {"drop": 2, "truncate": 1, "enable": 1}
ATTRIBUTES: dict[str, list[str]] = {
    "COMPRESSION": ["NONE", "GZ", "SNAPPY", "ZSTD"],
    "DATA_BLOCK_ENCODING": ["NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"],
    "BLOOMFILTER": ["NONE", "ROW", "ROWCOL"],
    "BLOCKSIZE": ["1024", "4096", "65536"],
    "VERSIONS": ["1", "3"],
    "KEEP_DELETED_CELLS": ["FALSE", "TRUE"],
    "NEW_VERSION_BEHAVIOR": ["false", "true"],
    "IS_MOB": ["false", "true"],
    "MOB_THRESHOLD": ["50", "500"],
}


def value(number: int, row: str, column: str) -> bytes:
    """A value that records its writer and location."""
    text = f"{number}:{row}:{column}:".encode() + bytes([65 + number % 26]) * (number * 37 % 900)
    return text + b"%08x" % zlib.crc32(text)


def content_of(row: rs.Row) -> Content:
    """Decode the content of a row.

    Raises:
        AssertionError: A value is not what any operation wrote there.
    """
    key, found = row.key.decode(), {}
    for cell in row.cells:
        column = f"{cell.family.decode()}:{cell.qualifier.decode()}"
        number = int(cell.value.partition(b":")[0])
        if cell.value != value(number, key, column) or cell.timestamp != EPOCH_MS + number:
            raise AssertionError(f"row {key}, {column}: {cell.value[:80]!r} at {cell.timestamp} was never written")
        found[column] = number
    return tuple(sorted(found.items()))


def rows_of(table: rs.Table) -> Rows:
    """All rows of a table, which must come in order."""
    with table.scan() as rows:
        found = [(row.key.decode(), content_of(row)) for row in rows]
    keys = [row for row, _ in found]
    if keys != sorted(set(keys)):
        raise AssertionError(f"rows twice or out of order: {keys}")
    return dict(found)


def table_of(db: rs.Database, name: str) -> Table:
    """Read the contents of a table; a disabled one is enabled for that."""
    is_enabled = db.admin.tables.is_enabled(name)
    if not is_enabled:
        db.admin.enable_table(name)
    families = frozenset(family.decode() for family in db.admin.describe(name).families)
    table = Table(families, rows_of(db.table(name)), is_enabled)
    if not is_enabled:
        db.admin.disable_table(name)
    return table


class Chooser:
    """Random operations that are valid for the model's state."""

    def __init__(self, seed: int, number: int) -> None:
        self.dice = random.Random(seed)
        self.number = number

    def next(self, model: Model) -> Operation:
        """The next operation."""
        self.number += 1
        if TABLE not in model.tables:
            return Operation(self.number, "create", {"table": TABLE})
        if not model.tables[TABLE].is_enabled:
            # A life may have ended between a restore and what follows it.
            kinds = ["enable", "restore"] if model.snapshots else ["enable"]
            kind = self.dice.choice([*kinds, "truncate"] if self.dice.random() < 0.1 else kinds)
            return Operation(self.number, kind, self.arguments(kind, model) or {"table": TABLE})
        while True:
            is_change = self.dice.random() < 0.04
            weights = CHANGES if is_change else WRITES
            kind = self.dice.choices(list(weights), list(weights.values()))[0]
            arguments = self.arguments(kind, model) if is_change else self.write_arguments(kind, model)
            if arguments is not None:
                # Operations on a disabled table begin with disabling it.
                if kind in ("restore", "truncate", "enable") or (
                    kind == "drop" and model.tables[arguments["table"]].is_enabled
                ):
                    return Operation(self.number, "disable", {"table": arguments["table"]})
                return Operation(self.number, kind, arguments)

    def write_arguments(self, kind: str, model: Model) -> dict[str, Any] | None:
        """Arguments of a write to an enabled table."""
        names = [name for name, table in model.tables.items() if table.is_enabled]
        name = self.dice.choice(names) if self.dice.random() < 0.1 else TABLE
        families = sorted(model.tables[name].families)
        count = 20 if kind == "batch" else 1
        rows = sorted({f"r{self.dice.randrange(ROWS):03}" for _ in range(count)})
        columns = [f"{family}:{qualifier}" for family in families for qualifier in "pq"]
        arguments: dict[str, Any] = {"table": name, "rows": rows}
        if kind != "delete":
            arguments["columns"] = sorted(self.dice.sample(columns, self.dice.randint(1, len(columns))))
        if kind == "change":
            arguments["remove"] = [column for column in columns if column not in arguments["columns"]]
        return arguments

    def arguments(self, kind: str, model: Model) -> dict[str, Any] | None:
        """Arguments of a change of tables or snapshots; None if it is not possible."""
        table, clones = model.tables[TABLE], [name for name in model.tables if name != TABLE]
        absent = [family for family in MORE_FAMILIES if family not in table.families]
        present = [family for family in MORE_FAMILIES if family in table.families]
        snapshots = sorted(model.snapshots)
        arguments: dict[str, Any] = {"table": TABLE}
        if kind == "alter":
            attribute = self.dice.choice(list(ATTRIBUTES))
            arguments |= {"family": self.dice.choice(sorted(table.families)), "attribute": attribute}
            return arguments | {"value": self.dice.choice(ATTRIBUTES[attribute])}
        if kind in ("add family", "drop family"):
            families = absent if kind == "add family" else present
            return arguments | {"family": self.dice.choice(families)} if families else None
        if kind == "snapshot":
            free = [name for name in (f"s{index}" for index in range(MOST_SNAPSHOTS)) if name not in snapshots]
            return arguments | {"snapshot": self.dice.choice(free)} if free else None
        if kind in ("delete snapshot", "restore"):
            return arguments | {"snapshot": self.dice.choice(snapshots)} if snapshots else None
        if kind == "clone":
            free = [name for name in (f"clone{index}" for index in range(MOST_CLONES)) if name not in clones]
            both = bool(free and snapshots)
            return {"table": free[0], "snapshot": self.dice.choice(snapshots)} if both else None
        if kind == "drop":
            return {"table": self.dice.choice(clones)} if clones else None
        return arguments


def perform(db: rs.Database, operation: Operation) -> None:
    """Execute the operation on a database."""
    arguments = operation.arguments
    name = arguments.get("table", TABLE)
    if operation.kind in WRITES:
        write(db.table(name), operation)
        return
    match operation.kind:
        case "create":
            configuration = {"hbase.table.sanity.checks": "false"}
            # Small blocks, so that files have a middle; regions split by themselves now and then.
            families = {family: {"BLOCKSIZE": 1024} for family in FIRST_FAMILIES}
            attributes = {"MAX_FILESIZE": 400_000}
            db.create_table(name, families, splits=["r250"], attributes=attributes, configuration=configuration)
        case "alter":
            changes = {arguments["family"]: {arguments["attribute"]: arguments["value"]}}
            db.admin.alter_table(name, families=changes)
        case "add family":
            db.admin.tables.add_family(name, arguments["family"], {"BLOCKSIZE": 1024})
        case "drop family":
            db.admin.tables.delete_family(name, arguments["family"])
        case "disable":
            db.admin.disable_table(name)
        case "enable":
            db.admin.enable_table(name)
        case "truncate":
            db.admin.truncate_table(name, preserve_splits=operation.number % 2 == 0)
        case "drop":
            db.admin.drop_table(name)
        case "snapshot":
            db.admin.snapshot(arguments["snapshot"], name)
        case "delete snapshot":
            db.admin.snapshots.delete(arguments["snapshot"])
        case "clone":
            db.admin.snapshots.clone(arguments["snapshot"], name)
        case "restore":
            db.admin.snapshots.restore(arguments["snapshot"])
        case other:
            raise AssertionError(f"no such operation: {other}")


def write(table: rs.Table, operation: Operation) -> None:
    """Execute puts and deletes."""
    arguments, number = operation.arguments, operation.number
    at, row = EPOCH_MS + number, arguments["rows"][0]

    def put(key: str) -> rs.Put:
        return rs.Put(key, {column: value(number, key, column) for column in arguments["columns"]}, timestamp=at)

    if operation.kind == "put":
        table.put(row, {column: value(number, row, column) for column in arguments["columns"]}, timestamp=at)
    elif operation.kind == "batch":
        for outcome in table.multi([put(key) for key in arguments["rows"]]):
            if isinstance(outcome, Exception):
                raise outcome
    elif operation.kind == "delete":
        table.delete(row, timestamp=at)
    else:
        delete = rs.Delete(row)
        for column in arguments["remove"]:
            delete.add_columns(column, at)
        table.mutate_row(row, [delete, put(row)] if arguments["remove"] else [put(row)])
