"""``get_auths``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.security import labels_off

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
The labels whose cells a user may see. A directory has no labels.

  hbase> get_auths 'user1'
"""


def command(session: Session, user: Any) -> None:
    raise labels_off(session)
