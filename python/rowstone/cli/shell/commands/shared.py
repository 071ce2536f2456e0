"""Commands on all tables whose name matches a pattern."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import pattern_of, truth
from rowstone.cli.shell.values import to_s
from rowstone.errors import RowstoneError, TableNotDisabled, TableNotEnabled

if TYPE_CHECKING:
    from rowstone.admin._areas.switches import SwitchName
    from rowstone.cli.shell.session import Session


def matching_tables(session: Session, regex: Any) -> list[str]:
    """Table names that match as a whole, the default namespace first. Its tables also match with their namespace."""
    pattern = pattern_of(regex)
    names = [
        name
        for name in session.admin.tables.list()
        if pattern.fullmatch(name) or (":" not in name and pattern.fullmatch(f"default:{name}"))
    ]
    return sorted(names, key=lambda name: (":" in name, name))


def print_names(session: Session, title: str, names_of: Callable[[], list[str]]) -> list[str]:
    """Print names below a title, and return them."""
    session.formatter.header([title])
    names = names_of()
    for name in names:
        session.formatter.row([name])
    session.formatter.footer(len(names))
    return names


def for_all_tables(session: Session, regex: Any, verb: str, act: Callable[[str], Any]) -> None:
    """Run an action on every matching table after confirmation; a failure on one table does not stop the others."""
    names = matching_tables(session, regex)
    for name in names:
        session.formatter.row([name])
    if not names:
        session.formatter.line(f"No tables matched the regex {to_s(regex)}")
        return
    session.formatter.line()
    if not session.confirm(f"{verb} the above {len(names)} tables (y/n)?"):
        return
    failed = []
    for name in names:
        try:
            act(name)
        except RowstoneError as error:
            session.formatter.line(f"table:{name}, error:{_java_text(name, error)}\n")
            failed.append(name)
    done = {"Drop": "dropped"}.get(verb, f"{verb.lower()}d")
    session.formatter.line(f"{len(names) - len(failed)} tables successfully {done}")
    if failed:
        session.formatter.line(f"{len(failed)} tables not {done} due to an exception: {','.join(failed)}")


def _java_text(name: str, error: RowstoneError) -> str:
    """A server's error in Java's format."""
    states: dict[type[Exception], tuple[str, str]] = {
        TableNotDisabled: ("DISABLED", "ENABLED"),
        TableNotEnabled: ("ENABLED", "DISABLED"),
    }
    wanted, found = states.get(type(error), ("", ""))
    text = f"Not {wanted}; tableName={name}, state={found}" if wanted else str(error)
    return f"{error.remote_class}: {error.remote_class}: {text}"


def show(session: Session, name: SwitchName, words: str = "") -> bool:
    """Print whether a switch is on, after ``words``."""
    on = session.switch(name)
    session.formatter.row([f"{words}{str(on).lower()}"])
    return on


def turn(session: Session, name: SwitchName, on: Any, words: str = "") -> bool:
    """Set a switch and print the previous state, after ``words``."""
    before = session.switch(name, truth(on))
    session.formatter.row([f"{words}{str(before).lower()}"])
    return before
