"""``normalizer_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Whether regions of odd sizes are split and merged in the background.
A directory only remembers the switch, while it is open.

  hbase> normalizer_enabled
"""


def command(session: Session) -> bool:
    on = session.switch("normalizer", default=True)
    session.formatter.row([on])
    return on
