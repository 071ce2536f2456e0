"""Translate errors of the store to messages of HBase's shell."""

from __future__ import annotations

import re
from typing import Any

from rowstone import errors
from rowstone.cli.shell.errors import ShellError
from rowstone.cli.shell.values import to_s

_SERVER_SIDE = (errors.NotALong, errors.CellTooLarge, errors.QuotaExceeded)
"""Errors that a server raises in HBase, so that its shell prints their Java class."""


def message_of(error: Exception, arguments: list[Any]) -> str:
    """The message after ``ERROR:`` for a command that was called with ``arguments``.

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
            return f"Table {_quoted(text, 'table') or first} is disabled!"
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
    """The class name that ``-n`` prints for an error."""
    return error.kind if isinstance(error, ShellError) else "RuntimeError"


def _is_remote(error: errors.RowstoneError) -> bool:
    """Whether the error came from a cluster, or would have in HBase."""
    came_from_server = "remote_class" in vars(error)
    return came_from_server or isinstance(
        error, (errors.ClusterError, errors.ConstraintViolation, errors.ExistsError, errors.StorageError)
    )


def _quoted(text: str, kind: str) -> str:
    """The name in an error: the quoted one after its kind, or the server's whole message."""
    match = re.search(rf"\b{kind} '([^']*)'", text)
    return match[1].removeprefix("default:") if match else "" if " " in text else text


def _without_place(text: str) -> str:
    """A server's message, without the client-side location."""
    return re.sub(r"^row '.*?' of table '[^']*': ", "", text)


def _name(value: Any) -> str:
    return str(getattr(value, "name", None) or to_s(value))
