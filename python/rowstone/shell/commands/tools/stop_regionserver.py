"""``stop_regionserver``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Ends a region server.

  hbase> stop_regionserver 'hostname:port'
"""


def command(session: Session, place: Any) -> None:
    text = to_s(place)
    if ":" not in text:
        raise ArgumentMistake(f"Not a host:port pair: {text}")
    if not session.is_cluster:
        raise session.cluster_only("ending a region server")
    session.admin.stop_server(text.replace(":", ","))
