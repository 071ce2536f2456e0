"""``peer_modification_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.switches import show

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Whether peers may be changed. A directory has no peers.

  hbase> peer_modification_enabled
"""


def command(session: Session) -> bool:
    return show(session, "peer_modification")
