"""``add_labels``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.security import change_labels, labels
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Adds labels that cells may be marked with. A directory has no labels.

  hbase> add_labels ['SECRET', 'PRIVATE']
"""


def command(session: Session, *names: Any) -> None:
    admin = labels(session)
    given = [to_s(one) for name in names for one in (name if isinstance(name, list) else [name])]
    if not given:
        raise ArgumentMistake("Arguments cannot be null")
    change_labels(lambda: admin.add_labels(given))
