"""Switches of the master: show and set. A directory stores them, as a master does: see `Admin.set_switch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import truth

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


def show(session: Session, name: str, words: str = "") -> bool:
    """Print whether a switch is on, after ``words``."""
    on = session.switch(name)
    session.formatter.row([f"{words}{str(on).lower()}"])
    return on


def turn(session: Session, name: str, on: Any, words: str = "") -> bool:
    """Set a switch and print the previous state, after ``words``."""
    before = session.switch(name, truth(on))
    session.formatter.row([f"{words}{str(before).lower()}"])
    return before
