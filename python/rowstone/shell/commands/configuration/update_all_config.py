"""``update_all_config``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Lets all servers read their settings again. Those of a directory are given when it is opened.

  hbase> update_all_config
"""


def command(session: Session) -> None:
    if session.is_cluster:
        state = session.state()
        for server in [*session.servers(), state.master, *state.backup_masters]:
            session.admin.update_configuration(server)
