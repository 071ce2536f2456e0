"""Errors of shell statements, and their messages."""

from __future__ import annotations


class ShellError(Exception):
    """A command failed; the message is what HBase's shell prints after ``ERROR:``.

    ``kind`` is the name of the Ruby class, which ``-n`` prints.
    """

    def __init__(self, message: str, kind: str = "RuntimeError") -> None:
        super().__init__(message)
        self.kind = kind


class ArgumentMistake(ShellError):
    """An argument has the wrong type, or the number of arguments is wrong."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "ArgumentError")


class Failed(Exception):
    """A command failed in a session that ends at the first error."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class LanguageError(Exception):
    """A statement is invalid or uses an unknown name; printed as Ruby prints it."""

    kind = "SyntaxError"


class SyntaxMistake(LanguageError):
    """Text outside the supported part of Ruby; ``line`` is its line, 0 if unknown."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class BeyondSubset(SyntaxMistake):
    """A Ruby construct that the shell does not support."""

    def __init__(self, construct: str, line: int = 0) -> None:
        super().__init__(f"{construct} is beyond this shell, which has not all of Ruby: {SUBSET}", line)


SUBSET = (
    "commands, values, blocks, def, if, case, while, until, for, begin/rescue and the methods in"
    " docs/reference/shell.md, but no classes, modules, files, threads or programs"
)


class UnknownName(LanguageError):
    """A word that is not a variable, command or constant."""

    kind = "NameError"


class UnknownMethod(LanguageError):
    """A call of a method that does not exist."""

    kind = "NoMethodError"


class RubyError(LanguageError):
    """An error that a script can rescue. ``kind`` is the name of its Ruby class."""

    def __init__(self, message: str, kind: str = "RuntimeError") -> None:
        super().__init__(message)
        self.kind = kind


class Incomplete(Exception):
    """The text ends in the middle of a statement.

    ``depth`` brackets and blocks are open, or a string in ``quote``; ``continues`` means that the line itself goes on.
    """

    def __init__(self, depth: int = 0, quote: str = "", *, continues: bool = True) -> None:
        super().__init__("the statement is not complete")
        self.depth = depth
        self.quote = quote
        self.continues = continues


class Exit(Exception):
    """Ends the session with this exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status
