"""``set_auths``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.security import change_labels, labels
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Adds labels whose cells a user may see. A directory has no labels.

  hbase> set_auths 'user1', ['SECRET', 'PRIVATE']
"""


def command(session: Session, user: Any, *names: Any) -> None:
    given = [to_s(one) for name in names for one in (name if isinstance(name, list) else [name])]
    admin = labels(session)
    change_labels(lambda: admin.set_auths(to_s(user), given))
