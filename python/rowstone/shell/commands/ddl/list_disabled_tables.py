"""``list_disabled_tables``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.many import matching_tables, print_names

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The tables that are disabled.

  hbase> list_disabled_tables
"""


def command(session: Session) -> list[str]:
    def chosen() -> list[str]:
        return [name for name in matching_tables(session, ".*") if not session.admin.is_enabled(name)]

    return print_names(session, "TABLE", chosen)
