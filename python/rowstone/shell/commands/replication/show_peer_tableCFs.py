"""``show_peer_tableCFs``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import config_of, tables_text

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
The tables, and families of tables, that a peer has.
A directory has no peers.

  hbase> show_peer_tableCFs '1'
"""


def command(session: Session, peer: Any) -> str | None:
    text = tables_text(config_of(session, peer).tables)
    session.formatter.line(text)
    return text
