"""``disable_rpc_throttle``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.switches import turn

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Lets quotas on requests not count; says what held before.
A directory without the setting hbase.quota.enabled has no quotas: the answer is false.

  hbase> disable_rpc_throttle
"""


def command(session: Session) -> bool:
    return turn(session, "rpc_throttle", False, "Previous rpc throttle state : ")
