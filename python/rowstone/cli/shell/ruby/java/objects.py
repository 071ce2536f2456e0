"""Java objects, and objects of the shell itself, that a script can use."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.ruby.methods import register
from rowstone.cli.shell.ruby.methods.general import OBJECT
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.values import RubyObject, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime
    from rowstone.cli.shell.session import Session


class JavaObject(RubyObject):
    """An instance of a Java class."""

    __slots__ = ()


class Iterable(JavaObject, ABC):
    """A Java object over whose items ``each`` iterates."""

    __slots__ = ()

    @abstractmethod
    def items(self) -> Iterator[Any]:
        """The items."""


class JavaTable(MethodTable):
    """The methods of a Java class, each under the names that JRuby gives it: ``getRow``, ``get_row``, ``row``."""

    def method(self, *names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register the decorated function under the Java names and their JRuby spellings."""
        return self.define(*(spelling for name in names for spelling in spellings(name)))


def spellings(name: str) -> list[str]:
    """JRuby's spellings of a Java name.

    >>> spellings("getRowKey"), spellings("isOffline"), spellings("setCaching")[2:]
    (['getRowKey', 'get_row_key', 'row_key', 'rowKey'], ['isOffline', 'is_offline', 'offline?'], ['caching='])
    """
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()
    found = [name, snake]
    for prefix, ending in (("get_", ""), ("is_", "?"), ("set_", "=")):
        if snake.startswith(prefix):
            found.append(f"{snake.removeprefix(prefix)}{ending}")
            if prefix == "get_":
                bare = name.removeprefix("get")
                found.append(bare[:1].lower() + bare[1:])
    return list(dict.fromkeys(found))


class Stream(RubyObject):
    """``$stdout`` and ``$stderr``"""

    __slots__ = ("is_error", "session")

    kind = "IO"

    def __init__(self, session: Session, is_error: bool) -> None:
        self.session = session
        self.is_error = is_error

    def show(self, inspected: Callable[[Any], str]) -> str:
        return f"#<IO:<{'STDERR' if self.is_error else 'STDOUT'}>>"


class ShellObject(RubyObject):
    """``@hbase`` and ``@shell``"""

    __slots__ = ("name", "session")

    def __init__(self, session: Session, name: str) -> None:
        self.session = session
        self.name = name

    @property
    def kind(self) -> str:  # type: ignore[override]
        return "Hbase::Hbase" if self.name == "@hbase" else "Shell::Shell"


class Settings(JavaObject):
    """``@shell.hbase.configuration``: ``get`` returns the database's settings."""

    __slots__ = ("session",)

    kind = "Java::OrgApacheHadoopConf::Configuration"

    def __init__(self, session: Session) -> None:
        self.session = session


SHELL = MethodTable(OBJECT)
register(ShellObject, SHELL)
SETTINGS = MethodTable(OBJECT)
register(Settings, SETTINGS)


@SHELL.define("hbase")
def _hbase(run: Runtime, target: ShellObject) -> ShellObject:
    return ShellObject(target.session, "@hbase")


@SHELL.define("configuration")
def _configuration(run: Runtime, target: ShellObject) -> Settings:
    return Settings(target.session)


@SETTINGS.define("get")
def _setting(run: Runtime, target: Settings, key: Any, default: Any = None) -> Any:
    value = target.session.setting(to_s(key))
    return default if value is None else value


STREAM = MethodTable(OBJECT)
register(Stream, STREAM)


@STREAM.define("puts")
def _puts(run: Runtime, target: Stream, *values: Any) -> None:
    if target.is_error:
        for value in values:
            target.session.warn(to_s(value))
    else:
        run.send(run.receiver, "puts", list(values))


@STREAM.define("print", "write", "<<")
def _print(run: Runtime, target: Stream, *values: Any) -> Stream:
    if target.is_error:
        for value in values:
            target.session.warn(to_s(value))
    else:
        run.send(run.receiver, "print", list(values))
    return target


@STREAM.define("printf")
def _printf(run: Runtime, target: Stream, *values: Any) -> None:
    _print(run, target, run.send(run.receiver, "format", list(values)))


@STREAM.define("flush", "fsync")
def _flush(run: Runtime, target: Stream) -> Stream:
    run.flush()
    return target


@STREAM.define("sync=")
def _set_sync(run: Runtime, target: Stream, value: Any) -> Any:
    return value


@STREAM.define("tty?", "isatty")
def _is_tty(run: Runtime, target: Stream) -> bool:
    return target.session.is_terminal
