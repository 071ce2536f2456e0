"""Lazy imports: attributes of `rowstone` and of other packages, and optional dependencies.

A server needs few of them. Each such package imports the same names for type checkers; a test compares the two.
"""

import importlib
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple


def lazily(package: str, *submodules: str, **names: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package that imports its submodules, and names by submodule, on first
    use."""
    modules = {name: module for module, listed in names.items() for name in listed.split()}

    def load(name: str) -> Any:
        if name in submodules:
            return importlib.import_module(f"{package}.{name}")
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(f"{package}.{modules[name]}"), name)
        # Later accesses find it in the module.
        setattr(sys.modules[package], name, found)
        return found

    def list_names() -> list[str]:
        own = [name for name in vars(sys.modules[package]) if name != "TYPE_CHECKING" and not _is_private(name)]
        return sorted({*own, *submodules, *modules})

    return load, list_names


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def import_optional(module: str, what: str, extra: str) -> Any:
    """Import an optional package. Raises `ImportError` with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{what} needs {module.partition('.')[0]}: pip install 'rowstone[{extra}]'") from error


class Library(NamedTuple):
    """An optional package whose base classes ours extend: importing Rowstone does not import it.

    Attributes:
        feature: The feature that needs it, for messages.
        extra: The extra of Rowstone that installs it.
        bases: The module with its base classes.
    """

    feature: str
    extra: str
    bases: str

    def module(self, name: str) -> Any:
        """Import one of its modules. Raises `ImportError` with the command that installs it."""
        return import_optional(name, self.feature, self.extra)

    def derive(self, ours: type, base: str) -> Any:
        """Return a class with the methods of ``ours`` that the package accepts for its class ``base``.

        The package pickles it together with its objects; workers import only ``ours``.
        """
        return _derived(ours, getattr(self.module(self.bases), base))


@cache
def _derived(ours: type, base: type) -> type:
    # It is no attribute of this module, so it is pickled whole, not by its name.
    return type(f"Rowstone{base.__name__}", (ours, base), {"__module__": __name__, "__doc__": ours.__doc__})


SPARK = Library("the format 'rowstone' of Spark", "spark", "pyspark.sql.datasource")
RAY = Library("Ray Data", "ray-data", "ray.data.datasource")
