"""``list_regions``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ShellError
from rowstone.shell.region_list import COLUMNS, print_regions
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The regions of a table: server, name, keys, size of files (MB), requests, and how much of the data is on the
server's own
disk. A server name, or how it begins, chooses regions; columns may be chosen too.

  hbase> list_regions 't1'
  hbase> list_regions 't1', 'server1'
  hbase> list_regions 't1', {SERVER_NAME => 'server1', LOCALITY_THRESHOLD => 0.8}
  hbase> list_regions 't1', '', ['SERVER_NAME', 'start_key']
"""


def command(session: Session, table: Any, options: Any = None, columns: Any = None) -> None:
    reference = session.table(table)
    given = options if isinstance(options, dict) else {"SERVER_NAME": options}
    if not session.admin.is_enabled(reference.name):
        raise ShellError(f"Table {reference.name} must be enabled.")
    chosen = _columns(columns)
    threshold = given.get("LOCALITY_THRESHOLD")
    if threshold is not None and not isinstance(threshold, float):
        raise ShellError("LOCALITY_THRESHOLD must be a float value")
    if threshold is not None and not 0 <= threshold <= 1:
        raise ShellError("LOCALITY_THRESHOLD must be between 0 and 1.0, inclusive")
    print_regions(session, reference.name, chosen, to_s(given.get("SERVER_NAME")), threshold)


def _columns(columns: Any) -> list[str]:
    possible = f"Possible values are {', '.join(COLUMNS)}."
    if columns is None:
        return list(COLUMNS)
    if not isinstance(columns, list):
        raise ShellError(f"{to_s(columns)} must be an array of strings. {possible}")
    for column in columns:
        if to_s(column).upper() not in COLUMNS:
            raise ShellError(f"{to_s(column)} is not a valid column. {possible}")
    return [to_s(column).upper() for column in columns]
