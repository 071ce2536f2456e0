"""``normalizer_switch``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.switches import turn

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Lets regions of odd sizes be split and merged in the background, or not; says what held before.
A directory remembers the switch.

  hbase> normalizer_switch true
  hbase> normalizer_switch false
"""


def command(session: Session, on: Any) -> bool:
    return turn(session, "normalizer", on)
