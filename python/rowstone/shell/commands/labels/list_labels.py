"""``list_labels``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.security import labels, print_labels
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
The labels, all or those that match. A directory has no labels.

  hbase> list_labels 'secret.*'
"""


def command(session: Session, regex: Any = ".*") -> Any:
    return print_labels(session, labels(session).labels(to_s(regex)))
