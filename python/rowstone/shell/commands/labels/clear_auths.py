"""``clear_auths``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.security import labels_off

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Takes labels from a user, or all. A directory has no labels.

  hbase> clear_auths 'user1'
  hbase> clear_auths 'user1', ['SECRET', 'PRIVATE']
"""


def command(session: Session, user: Any, *labels: Any) -> None:
    raise labels_off(session)
