"""``stop_regionserver``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Ends a region server.

  hbase> stop_regionserver 'hostname:port'
"""


def command(session: Session, place: Any) -> None:
    if ":" not in to_s(place):
        raise ArgumentMistake(f"Not a host:port pair: {to_s(place)}")
    raise session.cluster_only("ending a region server")
