"""``splitormerge_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import split_or_merge

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Whether regions are split (SPLIT) or merged (MERGE) when that is asked for or due.
In a directory that holds for split and merge_region of this shell.

  hbase> splitormerge_enabled 'SPLIT'
"""


def command(session: Session, kind: Any) -> bool:
    on = session.switch(split_or_merge(kind))
    session.formatter.row([on])
    return on
