"""``rpc_throttle_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.switches import show

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Whether quotas on requests count; false where there are none.

  hbase> rpc_throttle_enabled
"""


def command(session: Session) -> bool:
    return show(session, "rpc_throttle", "Rpc throttle enabled : ")
