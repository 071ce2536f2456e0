"""``list_labels``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.security import labels_off

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
The labels, all or those that match. A directory has no labels.

  hbase> list_labels 'secret.*'
"""


def command(session: Session, regex: Any = ".*") -> None:
    raise labels_off(session)
