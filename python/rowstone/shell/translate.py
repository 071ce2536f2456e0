"""Errors of the store in the words of HBase's shell."""

from __future__ import annotations

import re
from typing import Any

from rowstone import errors
from rowstone.shell.errors import ShellError
from rowstone.shell.values import to_s

_SERVER_SIDE = (errors.NotALong, errors.CellTooLarge, errors.QuotaExceeded)
"""Errors that in HBase come from a server, so that its shell shows their Java class."""


def message_of(error: Exception, arguments: list[Any]) -> str:
    """What stands behind ``ERROR:``, for a command that was called with ``arguments``.

    Source: ``translate_hbase_exceptions`` of HBase's shell.
    """
    text = str(error)
    first = _name(arguments[0]) if arguments else ""
    match error:
        case ShellError():
            return text
        case errors.TableNotFound():
            return f"Unknown table {_quoted(text, 'table') or first}!"
        case errors.TableNotEnabled():
            return f"Table {first} is disabled!"
        case errors.TableNotDisabled():
            return f"Table {_quoted(text, 'table') or first} should be disabled!"
        case errors.NamespaceNotFound():
            return f"Unknown namespace {_quoted(text, 'namespace') or first}!"
        case errors.SnapshotNotFound():
            return f"Unknown snapshot {first}!"
        case errors.TableExists():
            return f"Table already exists: {_quoted(text, 'table') or first}!"
        case errors.UnsupportedOperation():
            return text
        case errors.RowstoneError() if isinstance(error, _SERVER_SIDE) or _is_remote(error):
            return f"{error.remote_class}: {_without_place(text)}"
    return text


def kind_of_error(error: Exception) -> str:
    """The class that ``-n`` prints for an error."""
    return error.kind if isinstance(error, ShellError) else "RuntimeError"


def _is_remote(error: errors.RowstoneError) -> bool:
    """Whether a cluster answered with it, or something like it would have."""
    return isinstance(error, (errors.ClusterError, errors.Constraint, errors.ExistsError, errors.StorageError))


def _quoted(text: str, kind: str) -> str:
    """The name in an error: in quotes behind its kind, or all that a server said."""
    match = re.search(rf"\b{kind} '([^']*)'", text)
    return match[1].removeprefix("default:") if match else "" if " " in text else text


def _without_place(text: str) -> str:
    """What a server said, without where our client saw it."""
    return re.sub(r"^row '.*?' of table '[^']*': ", "", text)


def _name(value: Any) -> str:
    return str(getattr(value, "name", None) or to_s(value))
