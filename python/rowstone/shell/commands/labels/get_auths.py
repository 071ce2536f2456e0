"""``get_auths``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.security import labels, print_labels
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
The labels whose cells a user may see. A directory has no labels.

  hbase> get_auths 'user1'
"""


def command(session: Session, user: Any) -> Any:
    return print_labels(session, labels(session).auths(to_s(user)))
