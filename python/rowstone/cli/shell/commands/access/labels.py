"""Commands of the group visibility labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.access.administration import change_labels, labels, print_labels
from rowstone.cli.shell.commands.data.reads import open_scan, scan_options
from rowstone.cli.shell.errors import ArgumentMistake
from rowstone.cli.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command(directory="cluster only")
def add_labels(session: Session, *names: Any) -> None:
    """Add visibility labels. A directory has no labels.

    hbase> add_labels ['SECRET', 'PRIVATE']
    """
    visibility = labels(session)
    given = [to_s(one) for name in names for one in (name if isinstance(name, list) else [name])]
    if not given:
        raise ArgumentMistake("Arguments cannot be null")
    change_labels(lambda: visibility.add(given))


@command(directory="cluster only")
def clear_auths(session: Session, user: Any, *names: Any) -> None:
    """Remove labels from a user, some or all. A directory has no labels.

    hbase> clear_auths 'user1'
    hbase> clear_auths 'user1', ['SECRET', 'PRIVATE']
    """
    given = [to_s(one) for name in names for one in (name if isinstance(name, list) else [name])]
    visibility = labels(session)
    change_labels(lambda: visibility.clear_auths(to_s(user), given))


@command(directory="cluster only")
def get_auths(session: Session, user: Any) -> Any:
    """Show the visibility labels of a user. A directory has no labels.

    hbase> get_auths 'user1'
    """
    return print_labels(session, labels(session).auths(to_s(user)))


@command(directory="cluster only")
def list_labels(session: Session, regex: Any = ".*") -> Any:
    """List the visibility labels, optionally those that match a regular expression. A directory has no labels.

    hbase> list_labels 'secret.*'
    """
    return print_labels(session, labels(session).list(to_s(regex)))


@command(directory="cluster only")
def set_auths(session: Session, user: Any, *names: Any) -> None:
    """Grant a user visibility labels. A directory has no labels.

    hbase> set_auths 'user1', ['SECRET', 'PRIVATE']
    """
    given = [to_s(one) for name in names for one in (name if isinstance(name, list) else [name])]
    visibility = labels(session)
    change_labels(lambda: visibility.set_auths(to_s(user), given))


@command(directory="cluster only", cluster="not yet")
def set_visibility(session: Session, table: Any, visibility: Any, scan: Any) -> None:
    """Set a visibility expression on the cells that a scan selects. A directory has no labels.

    hbase> set_visibility 't1', 'A|B', {COLUMNS => ['f:q1', 'f:q2']}
    """
    reference = session.table(table)
    with open_scan(reference, scan_options(reference, scan)) as rows:
        if next(iter(rows), None) is not None:
            labels(session)
            raise session.cluster_only("labels of cells that are written")
    session.formatter.footer(0)
