"""``list_namespace``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import pattern_of
from rowstone.shell.many import print_names

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The namespaces, or those in whose name a regular expression is found.

  hbase> list_namespace
  hbase> list_namespace 'abc.*'
"""


def command(session: Session, regex: Any = ".*") -> None:
    def chosen() -> list[str]:
        pattern = pattern_of(regex)
        return [name for name in session.admin.namespaces() if pattern.search(name)]

    print_names(session, "NAMESPACE", chosen)
