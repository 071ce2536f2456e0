"""``status``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.cluster_state import print_detailed, print_replication, print_simple, summary
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
The state of the database in a line, or in full.

  hbase> status
  hbase> status 'simple'
  hbase> status 'summary'
  hbase> status 'detailed'
  hbase> status 'replication'
  hbase> status 'replication', 'source'

A directory answers as a cluster of one server whose regions are all at work.
"""


def command(session: Session, form: Any = "summary", kind: Any = "both") -> None:
    if form == "simple":
        print_simple(session)
    elif form == "detailed":
        print_detailed(session)
    elif form == "replication":
        print_replication(session, to_s(kind))
    else:
        session.formatter.line(summary(session))
