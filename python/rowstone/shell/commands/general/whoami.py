"""``whoami``"""

from __future__ import annotations

import getpass
import grp
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The user whose rights are used, and his groups.

  hbase> whoami
"""


def command(session: Session) -> None:
    session.formatter.line(f"{getpass.getuser()} (auth:SIMPLE)")
    groups = [_name(number) for number in dict.fromkeys([os.getgid(), *os.getgroups()])]
    session.formatter.line(f"    groups: {', '.join(groups)}")


def _name(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
