"""Check of a schema without a database."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from rowstone import _native
from rowstone._base.printable import printable
from rowstone._core.connect import connect
from rowstone.coprocessors._observers import OBSERVED
from rowstone.errors import RowstoneError
from rowstone.indexes._definition import INDEX_OF
from rowstone.schema._model import Schema


@dataclass(frozen=True)
class LintFinding:
    """A finding: severity (``"error"``: no database accepts it; ``"warning"``), place, and message."""

    severity: str
    target: str
    message: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.target}: {self.message}"


def lint(schema: Schema) -> list[LintFinding]:
    """Find what HBase would refuse, or what is probably a mistake. Errors come first."""
    findings = [*_refused(schema), *_unknown(schema)]
    return sorted(findings, key=lambda finding: finding.severity)


def _refused(schema: Schema) -> Iterator[LintFinding]:
    """Try each part on an empty database in memory."""
    with connect(":memory:", configuration={"rowstone.compaction.background": False}) as db:
        for name, properties in schema.namespaces.items():
            try:
                if name not in db.admin.namespaces.list():
                    db.admin.namespaces.create(name, properties)
                else:
                    db.admin.namespaces.alter(name, set=properties)
            except RowstoneError as error:
                yield LintFinding("error", f"namespace {name}", str(error))
        for name, table in schema.tables.items():
            space, colon, _ = name.partition(":")
            try:
                if colon and space not in db.admin.namespaces.list():
                    yield LintFinding("warning", f"table {name}", f"namespace '{space}' is not in the schema")
                    db.admin.namespaces.create(space)
                db.create_table(
                    name,
                    table.families,
                    splits=list(table.splits),
                    attributes=table.attributes,
                    configuration=table.configuration,
                )
            except RowstoneError as error:
                yield LintFinding("error", f"table {name}", str(error))


def _unknown(schema: Schema) -> Iterator[LintFinding]:
    of_families, of_tables = _native.known_attributes()
    for name, table in schema.tables.items():
        for key in table.attributes:
            if "." not in key and "$" not in key and key not in (*of_tables, OBSERVED, INDEX_OF):
                yield LintFinding("warning", f"table {name}", _hint(key, of_tables))
        for family_name, family in table.families.items():
            for key in family.attributes:
                if key not in of_families:
                    yield LintFinding(
                        "warning", f"table {name}, family {printable(family_name)}", _hint(key, of_families)
                    )


def _hint(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key.upper(), known, n=1)
    return f"HBase knows no attribute '{key}'" + (f"; did you mean '{near[0]}'?" if near else "")
