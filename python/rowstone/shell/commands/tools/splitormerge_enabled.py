"""``splitormerge_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import split_or_merge
from rowstone.shell.switches import show

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Whether regions are split (SPLIT) or merged (MERGE) when that is asked for or due.
In a directory that holds for split and merge_region of this shell.

  hbase> splitormerge_enabled 'SPLIT'
"""


def command(session: Session, kind: Any) -> bool:
    return show(session, split_or_merge(kind).lower())
