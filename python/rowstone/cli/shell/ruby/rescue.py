"""Error classes for ``rescue``, and matching of errors against them."""

from __future__ import annotations

from typing import Any

from rowstone.cli.shell.errors import Failed, LanguageError, RubyError, ShellError, SyntaxMistake
from rowstone.cli.shell.ruby.java import JavaClass
from rowstone.cli.shell.ruby.methods.general import ERROR_KINDS, ancestors
from rowstone.cli.shell.ruby.values.objects import ClassReference, ErrorObject
from rowstone.errors import RowstoneError

_OF_JAVA = frozenset(["java.lang.Throwable", "java.lang.Exception", "java.io.IOException"])


def described(error: Exception) -> ErrorObject | None:
    """The error as a script sees it; None for an error that scripts cannot rescue."""
    if isinstance(error, SyntaxMistake):
        return None
    if isinstance(error, (LanguageError, ShellError, Failed)):
        return ErrorObject(error.kind, str(error))
    if isinstance(error, RowstoneError):
        return ErrorObject(error.remote_class or "RuntimeError", str(error))
    return None


def is_rescued(error: ErrorObject, kinds: list[Any]) -> bool:
    """Whether ``rescue`` with these classes catches the error; without classes it catches `StandardError`.

    Raises:
        RubyError: One of them is not a class.
    """
    above = ancestors(error.kind)
    is_of_java = error.kind not in ERROR_KINDS
    if not kinds:
        return is_of_java or "StandardError" in above
    for kind in kinds:
        if isinstance(kind, JavaClass):
            if is_of_java and (kind.path in _OF_JAVA or kind.path.rpartition(".")[2] == error.kind.rpartition(".")[2]):
                return True
        elif not isinstance(kind, ClassReference):
            raise RubyError("class or module required for rescue clause", "TypeError")
        elif kind.name in above or (is_of_java and kind.name in ("StandardError", "Exception")):
            return True
    return False
