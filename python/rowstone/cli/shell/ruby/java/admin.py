"""``@hbase.admin`` and ``@shell.admin``: the shell's own administration object, whose methods print nothing."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell import registry
from rowstone.cli.shell.errors import Exit, Failed, LanguageError, RubyError
from rowstone.cli.shell.output.formatter import Formatter
from rowstone.cli.shell.ruby.java.objects import SHELL, ShellObject
from rowstone.cli.shell.ruby.methods import register
from rowstone.cli.shell.ruby.methods.general import OBJECT
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.values.objects import plain, ruby_value
from rowstone.cli.shell.translate import kind_of_error, message_of
from rowstone.cli.shell.values import RubyObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from rowstone.cli.shell.ruby.runtime import Runtime
    from rowstone.cli.shell.session import Session

_COMMANDS = {"exists?": "exists", "enabled?": "is_enabled", "disabled?": "is_disabled"} | {
    name: name for name in ("create", "disable", "drop", "enable", "flush", "list", "major_compact", "truncate")
}


class AdminObject(RubyObject):
    """An ``Hbase::Admin``, with the methods that published scripts call."""

    __slots__ = ("session",)

    kind = "Hbase::Admin"

    def __init__(self, session: Session) -> None:
        self.session = session


ADMIN = MethodTable(OBJECT)
register(AdminObject, ADMIN)


@SHELL.define("admin")
def _admin(run: Runtime, target: ShellObject, formatter: Any = None) -> AdminObject:
    """HBase 1 takes a formatter here, HBase 2 nothing."""
    return AdminObject(target.session)


def _run_quietly(session: Session, command: str, arguments: list[Any]) -> Any:
    """Run a command without its output.

    Raises:
        RubyError: The command failed; a script can rescue it.
    """
    shown, session.formatter = session.formatter, Formatter(io.StringIO(), lambda: 0)
    try:
        function = registry.find(command).function
        registry.check_count(function, len(arguments))
        return function(session, *arguments)
    except (Exit, Failed, LanguageError):
        raise
    except Exception as error:
        raise RubyError(message_of(error, arguments), kind_of_error(error)) from error
    finally:
        session.formatter = shown


def _method(command: str) -> Callable[..., Any]:
    def call(run: Runtime, target: AdminObject, *arguments: Any) -> Any:
        return ruby_value(_run_quietly(target.session, command, [plain(item) for item in arguments]))

    return call


for _name, _command in _COMMANDS.items():
    ADMIN.define(_name)(_method(_command))
