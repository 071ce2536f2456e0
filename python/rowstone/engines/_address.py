"""Access of tasks to a table, in this process or in others; the common base of `Source` and `Sink`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rowstone._base import lifecycle
from rowstone._base.targets import MEMORY
from rowstone._core.connect import connect
from rowstone._core.database import Database
from rowstone._core.root import PREFIX
from rowstone._core.table import Table
from rowstone.engines._schema import RowSchema
from rowstone.errors import InvalidArgument

Target = Database | str | os.PathLike[str]

HIDDEN = "…"
"""Stands for a password in a text."""
_SECRETS = ("password", "storage_options")
_TASK_OF_ROOT = {"configuration": {"rowstone.scan.threads": 0}}
"""An engine has a task for each core, so further threads of a task would only take time from the others."""
_PASSWORD = re.compile(r"(://[^/@:]*:)[^/@]*@")


@dataclass(frozen=True)
class Address:
    """A table, by an open database or by what `rowstone.connect` opens, with the options for that."""

    target: Target
    table: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @contextmanager
    def open(self, *, writing: bool = False) -> Iterator[Table]:
        """Open the table, as `open_database`."""
        with self.open_database(writing=writing) as db:
            yield db.table(self.table)

    @contextmanager
    def open_database(self, *, writing: bool = False) -> Iterator[Database]:
        """Open the database; a connection for it is closed afterwards.

        A directory is opened read-only unless ``writing``. If this process has it open for writing, that is used.
        """
        if isinstance(self.target, Database):
            yield self.target
            return
        path = os.fspath(self.target)
        is_directory = "://" not in path
        if is_directory and (writer := lifecycle.writer_of(path)) is not None:
            yield writer
            return
        options: dict[str, Any] = {"read_only": not writing, "create": False} if is_directory else {}
        with connect(path, **options, **self.options) as db:
            yield db

    def __repr__(self) -> str:
        options = {name: HIDDEN if name in _SECRETS else value for name, value in self.options.items()}
        return f"Address({show_target(self.target)}, {self.table!r}, {options})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Address, (*_reachable(self.target, self.table, self.options),)


def show_target(target: Target) -> str:
    """Return the `repr` of a target, without the password of a URL."""
    return _PASSWORD.sub(rf"\g<1>{HIDDEN}@", repr(target))


def _reachable(target: Target, table: str, options: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Return the address as other processes can use it. Raises `InvalidArgument` if they cannot."""
    if not isinstance(target, Database):
        path = os.fspath(target)
        if path.startswith(PREFIX):
            return path, table, {**_TASK_OF_ROOT, **options}
        return path if "://" in path else str(Path(path).absolute()), table, dict(options)
    if target.path == MEMORY:
        raise InvalidArgument(
            f"table '{table}' is in memory, which other processes cannot read: use a directory, or serve it with "
            "rowstone.serve(db) and pass the server's URL"
        )
    if target._owner is not None:
        raise InvalidArgument(
            f"table '{table}' belongs to the view of a user, which other processes cannot have: pass a URL"
        )
    if "://" in target.path:
        return _reachable(target.path, table, target._cluster or target._given)
    return str(Path(target.path).absolute()), table, {}


class Endpoint:
    """A table and its columns, for reads or writes of an engine."""

    def __init__(self, target: Target, table: str, schema: RowSchema, options: Mapping[str, Any] | None) -> None:
        self._address = Address(target, table, dict(options or {}))
        self._schema = schema

    @property
    def schema(self) -> RowSchema:
        """The table's columns."""
        return self._schema

    @property
    def table(self) -> str:
        """The table's name."""
        return self._address.table


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Raise `InvalidArgument` if an argument is not one of its choices; the message lists them."""
    if value not in choices:
        listed = ", ".join(map(repr, choices[:-1]))
        raise InvalidArgument(f"{name} {value!r} is unknown; there are {listed} and {choices[-1]!r}")
