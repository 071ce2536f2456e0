"""Commands of the group security."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone._base.printable import printable
from rowstone.cli.shell.checks import pattern_of, text_of
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.access.administration import place, security
from rowstone.cli.shell.commands.data.reads import in_hbases_words, open_scan, scan_options
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.values import is_text, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

_NAMES = ("Table name", "Family", "Qualifier")


@command()
def grant(session: Session, *arguments: Any) -> None:
    """Grant a user permissions (R read, W write, X execute, C create, A admin), globally or on a namespace, table,
    column family or column. A directory enforces them if hbase.security.authorization is set.

    With a table as the first argument, grant permissions on single cells: the cells that the scan selects are
    written again with these permissions. They take effect if hbase.security.access.early_out is false.

      hbase> grant 'bobsmith', 'RWXCA'
      hbase> grant '@admins', 'RWXCA'
      hbase> grant 'bobsmith', 'RWXCA', '@ns1'
      hbase> grant 'bobsmith', 'RW', 't1', 'f1', 'col1'
      hbase> grant 't1', {'user' => 'RW'}, {COLUMNS => 'f1'}
    """
    user = text_of(arguments[0] if arguments else None, "First argument should be a String")
    granted = arguments[1] if len(arguments) > 1 else None
    if not is_text(granted) and not isinstance(granted, dict):
        raise ArgumentMistake("Second argument should be a String or Hash")
    if isinstance(granted, dict):
        if len(arguments) < 3 or not isinstance(arguments[2], dict):
            raise ArgumentMistake("Scanner specification is not a Hash")
        security(session)
        _grant_cells(session, user, granted, arguments[2])
        return
    for name, value in zip(_NAMES, arguments[2:], strict=False):
        if value is not None:
            text_of(value, f"{name} is not of String type")
    permissions = security(session)
    if not granted:
        raise ArgumentMistake("Invalid permission: no actions associated with user")
    table, family, qualifier = (*arguments[2:5], None, None, None)[:3]
    # HBase's class of permissions ignores unknown letters.
    actions = "".join(letter for letter in granted if letter in "RWXCA")
    where = place(session, table, family, qualifier)
    if not actions:
        raise ShellError(f"java.io.IOException: No actions associated with user '{user}'")
    permissions.grant(user, actions, **where)


@command()
def list_security_capabilities(session: Session) -> list[str]:
    """List the active security features. A directory enforces permissions if hbase.security.authorization is set.

    hbase> list_security_capabilities
    """
    found = session.admin.permissions.capabilities()
    for name in found:
        session.formatter.line(name)
    return found


@command()
def revoke(session: Session, user: Any, table: Any = None, family: Any = None, qualifier: Any = None) -> None:
    """Revoke a user's permissions, globally or on a namespace, table, column family or column. A directory enforces
    permissions if hbase.security.authorization is set.

      hbase> revoke 'bobsmith'
      hbase> revoke 'bobsmith', '@ns1'
      hbase> revoke 'bobsmith', 't1', 'f1', 'col1'
    """
    security(session).revoke(to_s(user), **place(session, table, family, qualifier))


@command()
def user_permission(session: Session, regex: Any = None) -> None:
    """List the permissions of users: global, or of tables or namespaces. A directory enforces permissions if
    hbase.security.authorization is set.

      hbase> user_permission
      hbase> user_permission '@ns1'
      hbase> user_permission 'table1'
      hbase> user_permission '.*'
    """
    session.formatter.header(["User", "Namespace,Table,Family,Qualifier:Permission"])
    permissions = security(session)
    text = "" if regex is None else to_s(regex)
    if not text:
        found = permissions.list()
    elif text.startswith("@"):
        pattern = pattern_of(text[1:])
        names = [name for name in session.admin.namespaces.list() if pattern.fullmatch(name)]
        found = [grant for name in names for grant in permissions.list(namespace=name)]
    else:
        pattern = pattern_of(text)
        tables = [name for name in session.admin.tables.list() if pattern.fullmatch(name)]
        found = [grant for name in tables for grant in permissions.list(table=name)]
    for grant in found:
        parts = [grant.namespace, (grant.table or "").rpartition(":")[2] and grant.table]
        parts += [printable(part) if part else None for part in (grant.family, grant.qualifier)]
        where = ",".join(part or "" for part in (parts if text else []))
        session.formatter.row([grant.user, f"{where or ',,,'}: [Permission: actions={','.join(grant.actions)}]"])
    session.formatter.footer(len(found))


def _grant_cells(session: Session, name: str, granted: dict[Any, Any], scan: dict[Any, Any]) -> None:
    """Write each cell that the scan selects again, with these permissions and its own timestamp."""
    acl = {to_s(user): to_s(letters) for user, letters in granted.items()}
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
