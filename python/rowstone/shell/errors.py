"""What can go wrong in a line, and what HBase's shell says about it."""

from __future__ import annotations


class ShellError(Exception):
    """A command refuses: what HBase's shell prints behind ``ERROR:``.

    ``kind`` is the name that Ruby gives to the class, which ``-n`` prints.
    """

    def __init__(self, message: str, kind: str = "RuntimeError") -> None:
        super().__init__(message)
        self.kind = kind


class ArgumentMistake(ShellError):
    """An argument is not of the kind, or not in the number, that the command takes."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "ArgumentError")


class Failed(Exception):
    """A command failed in a session that ends at the first error."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class LanguageError(Exception):
    """A line is not of the language, or names what is not there: printed as Ruby prints it."""

    kind = "SyntaxError"


class SyntaxMistake(LanguageError):
    """Text that is not of the part of Ruby that the shell has; ``line`` is its line, 0 where that is not known."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class BeyondSubset(SyntaxMistake):
    """A construct of Ruby that the shell does not have."""

    def __init__(self, construct: str, line: int = 0) -> None:
        super().__init__(f"{construct} is beyond this shell, which has not all of Ruby: {SUBSET}", line)


SUBSET = (
    "commands, values, blocks, def, if, case, while, until, for, begin/rescue and the methods in docs/shell.md, but no"
    " classes, modules, files, threads or programs"
)


class UnknownName(LanguageError):
    """A word that is neither variable, command nor constant."""

    kind = "NameError"


class UnknownMethod(LanguageError):
    """A call of something that is not there."""

    kind = "NoMethodError"


class RubyError(LanguageError):
    """An error that a script can rescue. ``kind`` is the name of its class in Ruby."""

    def __init__(self, message: str, kind: str = "RuntimeError") -> None:
        super().__init__(message)
        self.kind = kind


class Incomplete(Exception):
    """The text ends in the middle of a statement.

    ``depth`` brackets and blocks are open, or text in ``quote``; ``continues`` says that the line itself must go on.
    """

    def __init__(self, depth: int = 0, quote: str = "", *, continues: bool = True) -> None:
        super().__init__("the statement is not complete")
        self.depth = depth
        self.quote = quote
        self.continues = continues


class Exit(Exception):
    """The session is to end, with this status."""

    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status
