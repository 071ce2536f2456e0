"""``update_config``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Lets a server read its settings again. Those of a directory are given when it is opened.

  hbase> update_config 'servername'
"""


def command(session: Session, server: Any) -> None:
    name = session.asked_server(server)
    if session.is_cluster:
        session.admin.update_configuration(name)
