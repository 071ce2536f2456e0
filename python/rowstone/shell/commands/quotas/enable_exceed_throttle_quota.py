"""``enable_exceed_throttle_quota``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Lets users go above their quota while a server has room; says what held before.
A directory has no such quotas: the answer is false.

  hbase> enable_exceed_throttle_quota
"""


def command(session: Session) -> bool:
    session.refuse_cluster("enable_exceed_throttle_quota")
    session.formatter.row(["Previous exceed throttle quota enabled : false"])
    return False
