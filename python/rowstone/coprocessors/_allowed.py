"""Allow list of classes that tables may name. Opening a directory imports no class that the program did not allow."""

import importlib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

from rowstone._base.options.checks import as_list
from rowstone.errors import CoprocessorError, InvalidArgument, InvalidType

_allowed: dict[str, type | None] = {}


def allow(*classes: str | type) -> None:
    """Allow tables to name these classes as observers and constraints, in every database that this program opens.

    Args:
        classes: Classes, or their names with their module, such as ``"audit.observers.Audit"``; ``"audit.*"`` allows
            a whole package. A name is imported when a table that names it is opened.

    Raises:
        InvalidArgument: A name has no module. ``"*"`` alone is refused.
    """
    _allowed.update(patterns_of(classes))


def patterns_of(classes: Iterable[str | type]) -> dict[str, type | None]:
    """Return the names, with the classes of those that were given as classes."""
    found: dict[str, type | None] = {}
    for one in as_list("classes", classes):
        if isinstance(one, type):
            found[name_of(one)] = one
        elif isinstance(one, str):
            if "." not in one or one.startswith("*"):
                raise InvalidArgument(f"'{one}' names no class: write it with its module, as in 'package.module.Class'")
            found[one] = None
        else:
            raise InvalidType(f"allow takes classes and names of classes, not {type(one).__name__}")
    return found


def name_of(kind: type) -> str:
    """Return the name of a class in a table descriptor."""
    return f"{kind.__module__}.{kind.__qualname__}"


def class_of(name: str, own: dict[str, type | None]) -> type[Any]:
    """Return the class of that name, importing it if necessary.

    Raises:
        CoprocessorError: It is not allowed, or cannot be imported.
    """
    known = {**_allowed, **own}
    given = known.get(name)
    if given is not None:
        return given
    if not any(fnmatchcase(name, pattern) for pattern in known):
        raise CoprocessorError(
            f"class {name} is not allowed here: opening a database imports nothing on its own; allow it with "
            f"rowstone.connect(..., allow_coprocessors=['{name}']) or rowstone.coprocessors.allow('{name}')"
        )
    module, _, attribute = name.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as error:
        # A module that is imported runs, and may raise anything.
        raise CoprocessorError(f"class {name} cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(found, type):
        raise CoprocessorError(f"{name} is no class")
    return found
