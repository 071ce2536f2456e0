"""Shell session: the database, the formatter, and command execution."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from rowstone import errors
from rowstone._base.version import __version__
from rowstone.cli.shell import registry
from rowstone.cli.shell.checks import legal_server
from rowstone.cli.shell.errors import Exit, Failed, LanguageError, ShellError
from rowstone.cli.shell.output import cluster_state
from rowstone.cli.shell.output.formatter import Formatter, JsonFormatter
from rowstone.cli.shell.ruby.interpreter import Interpreter
from rowstone.cli.shell.table_reference import TableReference
from rowstone.cli.shell.translate import kind_of_error, message_of
from rowstone.cli.shell.values import to_s

if TYPE_CHECKING:
    from rowstone import Admin, ClusterStatus, Database
    from rowstone.admin._areas.switches import SwitchName


HBASE_VERSION = "2.6"


class Session:
    """State that commands work with.

    An ``interactive`` session prints an error and goes on; otherwise ``report`` receives it. ``width``
    returns the terminal's width, or 0; ``ask`` reads the answer to a question; ``warn`` prints what a script
    writes to standard error.
    """

    def __init__(
        self,
        database: Database,
        out: TextIO,
        *,
        interactive: bool = True,
        width: Callable[[], int] = lambda: 0,
        ask: Callable[[], str | None] = lambda: None,
        as_json: bool = False,
        is_terminal: bool = False,
        report: Callable[[str], None] = lambda message: print(message, file=sys.stderr),
        warn: Callable[[str], None] = lambda message: print(message, file=sys.stderr),
    ) -> None:
        self.database = database
        self.out = out
        self.interactive = interactive
        self.is_terminal = is_terminal
        self.report = report
        self.warn = warn
        self.debug = False
        self.is_tracing = False
        self.started_ms = int(time.time() * 1000)
        self.evaluator = Interpreter(self)
        self._width = width
        self._ask = ask
        self._as_json = as_json
        self.formatter = self._new_formatter()

    @property
    def admin(self) -> Admin:
        """The database's administration: schema, maintenance, statistics."""
        return self.database.admin

    @property
    def is_cluster(self) -> bool:
        """Whether the database is a cluster, not a directory."""
        return "://" in self.database.path

    def table(self, name: Any) -> TableReference:
        """The table that a command's first argument (a name or a reference) stands for."""
        return name if isinstance(name, TableReference) else TableReference.of(name, self.database)

    def run(self, name: str, arguments: list[Any], *, ends_line: bool = True) -> Any:
        """Run a command: print its output or error, and how long it took.

        Raises:
            Failed: The command failed, and the session is not interactive.
        """
        self.formatter = self._new_formatter()
        started = time.perf_counter()
        failure: Failed | None = None
        result = None
        try:
            function = registry.find(name).function
            registry.check_count(function, len(arguments))
            result = function(self, *arguments)
        except (Exit, Failed, LanguageError):
            raise
        except Exception as error:
            # An error of a command ends the command, not the session; `debug` lets it through.
            failure = self._failure(name, error, arguments)
        finally:
            goes_on = failure is None or self.interactive
            self.formatter.took(time.perf_counter() - started, ends_line=ends_line and goes_on)
            if failure is None and sys.exc_info()[0] is None:
                self.formatter.finish(registry.canonical(name), time.perf_counter() - started)
        if failure is None:
            return result
        if not self.interactive:
            raise failure
        return None

    def _failure(self, name: str, error: Exception, arguments: list[Any]) -> Failed:
        if self.debug and not isinstance(error, (ShellError, errors.RowstoneError, OSError)):
            raise error
        message = message_of(error, arguments)
        if self.interactive or self._as_json:
            command = registry.canonical(name)
            self.formatter.error(message, command, kind_of_error(error))
        return Failed(message, kind_of_error(error))

    def _new_formatter(self) -> Formatter:
        return JsonFormatter(self.out) if self._as_json else Formatter(self.out, self._width)

    def confirm(self, question: str) -> bool:
        """Ask the user a yes/no question. Raises `ShellError` if there is no user to answer."""
        self.formatter.line(question)
        self.out.flush()
        answer = self._ask()
        if answer is None:
            raise ShellError("undefined method `chomp' for nil:NilClass", "NoMethodError")
        return "y" in answer.lower()

    def switch(self, name: SwitchName, on: bool | None = None) -> bool:
        """Return the state of a switch of the master, then set it unless ``on`` is None.

        If quotas are disabled (``hbase.quota.enabled``), their switches stay off.
        """
        return self.admin.switches.get(name) if on is None else self.admin.switches.set(name, on)

    def server_name(self) -> str:
        """The server name of a directory: ``localhost,0,START``, with the time when the session began."""
        return f"localhost,0,{self.started_ms}"

    def setting(self, key: str) -> str | None:
        """A directory's setting in HBase's format; None for an unknown setting, and on a cluster."""
        value = None if self.is_cluster else self.database.configuration.get(key)
        return str(value).lower() if isinstance(value, bool) else None if value is None else str(value)

    def servers(self) -> list[str]:
        """The names of the live servers; a directory counts as one."""
        if self.is_cluster:
            return [server.name for server in self.admin.servers.status().servers]
        return [self.server_name()]

    def version(self) -> str:
        """Rowstone's version, and the HBase version that the shell follows."""
        return f"{__version__}, rowstone, the shell of HBase {HBASE_VERSION}"

    def state(self) -> ClusterStatus:
        """The state of the database in the form of a cluster status."""
        return cluster_state.state(self)

    def matching_servers(self, names: list[Any]) -> list[str]:
        """The live servers that match names of the form ``host``, ``host,port`` or ``host,port,startcode``."""
        return [
            server
            for server in self.servers()
            for name in map(to_s, names)
            if server == name or server.split(",")[: name.count(",") + 1] == name.split(",")
        ]

    def chosen_servers(self, names: Any) -> list[str]:
        """As `matching_servers`, for one or several names; on a cluster also servers that are not live."""
        given = [to_s(name) for name in (names if isinstance(names, list) else [names])]
        whole = [name for name in given if self.is_cluster and name.count(",") == 2]
        return whole + self.matching_servers([name for name in given if name not in whole])

    def asked_server(self, name: Any) -> str:
        """The server that a command addresses, live or not. Raises `ShellError` if its host name does not resolve."""
        host, port = legal_server(name)[:2]
        text = to_s(name)
        if self.is_cluster and text not in self.servers():
            import socket  # seldom needed

            try:
                socket.getaddrinfo(host, port)
            except OSError:
                raise ShellError(f"{host}:{port} could not be resolved") from None
        return text

    def one_server(self, name: Any) -> str | None:
        """The live server that a name stands for: ``host``, ``host,port`` or ``host,port,startcode``."""
        return next(iter(self.matching_servers([name])), None)

    def cluster_only(self, what: str) -> ShellError:
        """The error of a command that needs region servers."""
        if self.is_cluster:
            return ShellError(f"{what}: this client does not ask a cluster for that yet")
        return ShellError(f"{what}: a directory has no such thing, connect to a cluster")

    def help(self, topic: Any = None) -> None:
        """Print the help of a command, of a group, or the overview."""
        from rowstone.cli.shell.output.help import help_text

        self.out.write(help_text(None if topic is None else to_s(topic)))
