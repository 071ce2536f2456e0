"""Tab completion: commands, constants, variables, table names inside quotes, methods of a table reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.cli.shell import registry
from rowstone.cli.shell.ruby.kernel import FUNCTIONS
from rowstone.cli.shell.ruby.references import TABLE_COMMANDS
from rowstone.cli.shell.table_reference import TableReference
from rowstone.cli.shell.values import CONSTANTS
from rowstone.errors import RowstoneError

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

DELIMITERS = " \t\n,=>(){}[];'\""


def candidates(session: Session, before: str, word: str) -> list[str]:
    """Candidates for completing ``word`` after the text ``before``, sorted."""
    variable, dot, method = word.rpartition(".")
    if dot and isinstance(session.evaluator.variables.get(variable), TableReference):
        return [f"{variable}.{name}" for name in TABLE_COMMANDS if name.startswith(method)]
    quote = before[-1:] if before[-1:] in ("'", '"') else ""
    if quote and before.count(quote) % 2:
        return [name for name in _tables(session, before) if name.startswith(word)]
    words = {*registry.NAMES, *FUNCTIONS, *session.evaluator.variables}
    if before.strip():
        words = {*CONSTANTS, *session.evaluator.variables}
        if before.rstrip().endswith("help"):
            words |= {*registry.NAMES, *(group.name for group in registry.GROUPS)}
    return sorted(name for name in words if name.startswith(word))


def _tables(session: Session, before: str) -> list[str]:
    """Table names, or namespaces if the preceding command takes one."""
    command = before.split(None, 1)[0] if before.strip() else ""
    if command == "help":
        return sorted({*registry.NAMES, *(group.name for group in registry.GROUPS)})
    try:
        return session.admin.namespaces.list() if "namespace" in command else session.admin.tables.list()
    except RowstoneError:
        return []


def install(session: Session) -> None:
    """Register completion with this process's ``readline``."""
    import readline

    found: list[str] = []

    def complete(word: str, state: int) -> str | None:
        if state == 0:
            found[:] = candidates(session, readline.get_line_buffer()[: readline.get_begidx()], word)
        return found[state] if state < len(found) else None

    readline.set_completer_delims(DELIMITERS)
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
