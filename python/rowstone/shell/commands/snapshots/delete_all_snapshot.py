"""``delete_all_snapshot``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.snapshot_list import TITLES, ask_to_delete, matching, print_rows
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "not yet"
ON_CLUSTER = "done"

HELP = """\
Removes the snapshots whose name matches a regular expression, after asking.

  hbase> delete_all_snapshot 's.*'
"""


def command(session: Session, regex: Any) -> None:
    line = session.formatter.line
    session.formatter.header(TITLES)
    found = matching(session, regex)
    if not found:
        line(f"No snapshots matched the regex {to_s(regex)}")
        return
    if not ask_to_delete(session, found):
        return
    for snapshot in found:
        session.admin.delete_snapshot(snapshot.name)
    left = matching(session, regex)
    if len(found) > len(left):
        line(f"{len(found) - len(left)} snapshots successfully deleted.")
    if left:
        line(f"\nFailed to delete the below {len(left)} snapshots.")
        session.formatter.header(TITLES)
        print_rows(session, left)
