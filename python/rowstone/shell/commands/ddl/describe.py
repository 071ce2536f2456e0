"""``describe``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.alteration import existing
from rowstone.shell.descriptions import family_text, table_text

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The description of a table: attributes, settings, families. desc is the same.

  hbase> describe 't1'
  hbase> describe 'ns1:t1'
  hbase> desc 't1'
"""


def command(session: Session, table: Any) -> None:
    reference = session.table(table)
    existing(session, reference, "Table {} does not exist.")
    schema = session.admin.describe(reference.name)
    state = "ENABLED" if session.admin.is_enabled(reference.name) else "DISABLED"
    shown = table if isinstance(table, str) else reference.name
    formatter = session.formatter
    formatter.header([f"Table {shown} is {state}"])
    formatter.row([table_text(shown, schema)])
    formatter.header(["COLUMN FAMILIES DESCRIPTION"])
    for name, family in schema.families.items():
        formatter.row([family_text(name, family)])
        formatter.line()
    formatter.footer()
    formatter.line("Quota is disabled")
