"""``disable_exceed_throttle_quota``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.switches import turn

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Keeps users to their quotas; says what held before.
A directory without the setting hbase.quota.enabled has no quotas: the answer is false.

  hbase> disable_exceed_throttle_quota
"""


def command(session: Session) -> bool:
    return turn(session, "exceed_throttle_quota", False, "Previous exceed throttle quota enabled : ")
