"""``rpc_throttle_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Whether quotas on requests count. A directory has none.

  hbase> rpc_throttle_enabled
"""


def command(session: Session) -> bool:
    session.refuse_cluster("rpc_throttle_enabled")
    session.formatter.row(["Rpc throttle enabled : false"])
    return False
