"""``grant``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import text_of
from rowstone.shell.errors import ArgumentMistake, ShellError
from rowstone.shell.security import place, security
from rowstone.shell.values import is_text

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Gives a user rights (R read, W write, X execute, C create, A admin) on everything, a namespace, a table, a family or a
column. A directory looks at rights where hbase.security.authorization is set.

  hbase> grant 'bobsmith', 'RWXCA'
  hbase> grant '@admins', 'RWXCA'
  hbase> grant 'bobsmith', 'RWXCA', '@ns1'
  hbase> grant 'bobsmith', 'RW', 't1', 'f1', 'col1'
  hbase> grant 't1', {'user' => 'RW'}, {COLUMNS => 'f1'}
"""


_NAMES = ("Table name", "Family", "Qualifier")


def command(session: Session, *arguments: Any) -> None:
    user = text_of(arguments[0] if arguments else None, "First argument should be a String")
    rights = arguments[1] if len(arguments) > 1 else None
    if not is_text(rights) and not isinstance(rights, dict):
        raise ArgumentMistake("Second argument should be a String or Hash")
    if isinstance(rights, dict):
        if len(arguments) < 3 or not isinstance(arguments[2], dict):
            raise ArgumentMistake("Scanner specification is not a Hash")
        security(session)
        raise session.cluster_only("rights of single cells")
    for name, value in zip(_NAMES, arguments[2:], strict=False):
        if value is not None:
            text_of(value, f"{name} is not of String type")
    admin = security(session)
    if not rights:
        raise ArgumentMistake("Invalid permission: no actions associated with user")
    table, family, qualifier = (*arguments[2:5], None, None, None)[:3]
    # HBase's class of permissions passes over letters that it does not know.
    actions, where = "".join(letter for letter in rights if letter in "RWXCA"), place(session, table, family, qualifier)
    if not actions:
        raise ShellError(f"java.io.IOException: No actions associated with user '{user}'")
    admin.grant(user, actions, **where)
