"""Model of tables and snapshots, and the effect of operations on it.

A row's content is a sorted tuple of (column, number of the operation that wrote it): it never changes, so copies of
tables share it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TABLE = "t"
"""The table that all is about; clones have other names."""
FIRST_FAMILIES = ("a", "b")

Content = tuple[tuple[str, int], ...]
Rows = dict[str, Content]


@dataclass(frozen=True)
class Operation:
    """One thing to do: `kind` and what it needs, as JSON can say it."""

    number: int
    kind: str
    arguments: Mapping[str, Any]


@dataclass
class Table:
    """Contents of a table."""

    families: frozenset[str] = frozenset(FIRST_FAMILIES)
    rows: Rows = field(default_factory=dict)
    is_enabled: bool = True

    def copy(self) -> Table:
        return Table(self.families, dict(self.rows), self.is_enabled)

    def describe(self, other: Table) -> str:
        """Differences between two tables."""
        if (self.families, self.is_enabled) != (other.families, other.is_enabled):
            return f"{sorted(self.families)}, {self.is_enabled} is not {sorted(other.families)}, {other.is_enabled}"
        rows = [row for row in sorted({*self.rows, *other.rows}) if self.rows.get(row) != other.rows.get(row)]
        return "; ".join(f"{row}: {self.rows.get(row)} is not {other.rows.get(row)}" for row in rows[:5])


@dataclass
class Model:
    """All tables and snapshots."""

    tables: dict[str, Table] = field(default_factory=dict)
    snapshots: dict[str, Table] = field(default_factory=dict)

    def copy(self) -> Model:
        # The contents of a snapshot never change.
        return Model({name: table.copy() for name, table in self.tables.items()}, dict(self.snapshots))

    def changed_rows(self, operation: Operation) -> Rows:
        """The contents of the rows after a write; empty for deleted rows."""
        arguments = operation.arguments
        table = self.tables[arguments["table"]]
        changed: Rows = {}
        for row in arguments["rows"]:
            columns = dict(table.rows.get(row, ()))
            for column in arguments.get("remove", ()):
                columns.pop(column, None)
            if operation.kind == "delete":
                columns = {}
            columns.update(dict.fromkeys(arguments.get("columns", ()), operation.number))
            changed[row] = tuple(sorted(columns.items()))
        return changed

    def apply(self, operation: Operation) -> None:
        """Apply the operation."""
        arguments = operation.arguments
        name = arguments.get("table", TABLE)
        match operation.kind:
            case "create":
                self.tables[name] = Table()
            case "put" | "batch" | "delete" | "change":
                for row, content in self.changed_rows(operation).items():
                    self.put(self.tables[name], row, content)
            case "add family":
                self.tables[name].families |= {arguments["family"]}
            case "drop family":
                self._drop_family(self.tables[name], arguments["family"])
            case "disable" | "enable":
                self.tables[name].is_enabled = operation.kind == "enable"
            case "truncate":
                self.tables[name].rows, self.tables[name].is_enabled = {}, True
            case "drop":
                del self.tables[name]
            case "snapshot":
                snapshot = self.tables[name].copy()
                snapshot.is_enabled = True
                self.snapshots[arguments["snapshot"]] = snapshot
            case "delete snapshot":
                del self.snapshots[arguments["snapshot"]]
            case "clone":
                self.tables[name] = self.snapshots[arguments["snapshot"]].copy()
            case "restore":
                old = self.snapshots[arguments["snapshot"]]
                self.tables[name] = Table(old.families, dict(old.rows), is_enabled=False)

    @staticmethod
    def put(table: Table, row: str, content: Content) -> None:
        """Set the content of the row."""
        if content:
            table.rows[row] = content
        else:
            table.rows.pop(row, None)

    @staticmethod
    def _drop_family(table: Table, family: str) -> None:
        table.families -= {family}
        for row, content in list(table.rows.items()):
            Model.put(table, row, tuple(pair for pair in content if not pair[0].startswith(f"{family}:")))

    def differs(self, other: Model) -> str:
        """Differences between two models; empty if there are none. Only the names of snapshots are compared."""
        for what, mine, others in (
            ("tables", set(self.tables), set(other.tables)),
            ("snapshots", set(self.snapshots), set(other.snapshots)),
        ):
            if mine != others:
                return f"{what} {sorted(mine)} are not {sorted(others)}"
        found = {name: table.describe(other.tables[name]) for name, table in self.tables.items()}
        return "; ".join(f"table {name}: {text}" for name, text in found.items() if text)
