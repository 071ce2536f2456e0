"""``add_labels``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.security import labels_off

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Adds labels that cells may be marked with. A directory has no labels.

  hbase> add_labels ['SECRET', 'PRIVATE']
"""


def command(session: Session, *labels: Any) -> None:
    raise labels_off(session)
