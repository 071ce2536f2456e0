"""``normalizer_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.switches import show

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Whether regions of odd sizes are split and merged in the background.
A directory remembers the switch.

  hbase> normalizer_enabled
"""


def command(session: Session) -> bool:
    return show(session, "normalizer")
