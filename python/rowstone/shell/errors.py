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


class LanguageError(Exception):
    """A line is not of the language, or names what is not there: printed as Ruby prints it."""

    kind = "SyntaxError"


class SyntaxMistake(LanguageError):
    """A line that is not of the part of Ruby that the shell knows."""


class UnknownName(LanguageError):
    """A word that is neither variable, command nor constant."""

    kind = "NameError"


class UnknownMethod(LanguageError):
    """A call of something that is not there."""

    kind = "NoMethodError"


class TypeMistake(LanguageError):
    """An operator that does not fit its operands."""

    kind = "TypeError"


class Incomplete(Exception):
    """The text ends in the middle of a statement: ``depth`` brackets are open, or text in ``quote``."""

    def __init__(self, depth: int = 0, quote: str = "") -> None:
        super().__init__("the statement is not complete")
        self.depth = depth
        self.quote = quote


class Exit(Exception):
    """The session is to end, with this status."""

    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status
