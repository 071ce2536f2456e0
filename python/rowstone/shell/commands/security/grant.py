"""``grant``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import text_of
from rowstone.shell.errors import ArgumentMistake, ShellError
from rowstone.shell.reads import in_hbases_words, open_scan, scan_options
from rowstone.shell.security import place, security
from rowstone.shell.values import is_text, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Gives a user rights (R read, W write, X execute, C create, A admin) on everything, a namespace, a table, a family or a
column. A directory looks at rights where hbase.security.authorization is set. With a table first, rights are given to
users in single cells: those that the scan finds, which are put once more with the rights. They count where
hbase.security.access.early_out is false.

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
        _grant_cells(session, user, rights, arguments[2])
        return
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


def _grant_cells(session: Session, name: str, rights: dict[Any, Any], scan: dict[Any, Any]) -> None:
    """Puts each cell that the scan finds once more, with these rights and its own timestamp."""
    acl = {to_s(user): to_s(letters) for user, letters in rights.items()}
    reference = session.table(name)
    count = 0
    with in_hbases_words(reference):
        table = reference.handle()
        with open_scan(reference, scan_options(reference, scan)) as rows:
            for row in rows:
                count += 1
                for cell in row.cells:
                    values = [((cell.family, cell.qualifier), cell.value, cell.timestamp)]
                    table.put(cell.row, values, acl=acl)
    session.formatter.footer(count)
