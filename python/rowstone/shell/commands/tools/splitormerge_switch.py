"""``splitormerge_switch``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import split_or_merge
from rowstone.shell.switches import turn

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Lets regions be split (SPLIT) or merged (MERGE), or not; says what held before.
A directory remembers it.

  hbase> splitormerge_switch 'SPLIT', true
  hbase> splitormerge_switch 'MERGE', false
"""


def command(session: Session, kind: Any, on: Any) -> bool:
    return turn(session, split_or_merge(kind).lower(), on)
