"""Lazy imports: attributes of `rowstone` and of packages, and optional dependencies.

A server needs few of them. `rowstone/__init__.py` declares the same for type checkers; a test compares the two.
"""

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

LAZY = (
    "admin",
    "aio",
    "codecs",
    "coprocessors",
    "engines",
    "errors",
    "filters",
    "happybase",
    "hfile",
    "indexes",
    "jobs",
    "keys",
    "schema",
    "server",
    "splits",
    "testing",
)
"""Modules."""

_NAMES = {
    "admin": "Admin CacheEviction ClusterStatus Grant MemoryLimits Peer PeerConfig Quota RegionInfo RegionLocation"
    " ServerGroup ServerStatus Snapshot SpaceUse Stats StoreFileInfo",
    "admin._backup": "Backup BackupReport backup list_backups prune_backups restore",
    "_base.remote.prune": "PruneReport",
    "admin._maintenance": "CheckReport Finding Loss RepairReport check repair",
    "_core.cluster": "ClusterOptions Tls",
    "_base.configuration": "Configuration Setting",
    "_core.connect": "connect",
    "_core.root": "open_root",
    "_core.database": "Database",
    "_core.options": "ConnectOptions DirectoryOptions",
    "_native": "Append ArrowBatch ArrowStream BufferedWriter Cell CheckResult Delete Get Increment Put Row RowMutations"
    " Scan Scanner",
    "_base.schema": "Family TableSchema",
    "server.listening": "ServerTls",
    "server.serve": "Server serve",
    "_base.stores": "StoreReport StoreStats",
    "_core.table": "Table TableView",
    "_core.views": "View",
    "filters": "column family qualifier row value",
}
"""Names, by the module that defines them."""

PLACES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    package = importlib.import_module("rowstone")
    if name in LAZY:
        return importlib.import_module(f"rowstone.{name}")
    if name not in PLACES:
        raise AttributeError(f"module 'rowstone' has no attribute {name!r}")
    found = getattr(importlib.import_module(f"rowstone.{PLACES[name]}"), name)
    # Later accesses find it in the module.
    setattr(package, name, found)
    return found


def __dir__() -> list[str]:
    return sorted({*vars(importlib.import_module("rowstone")), *LAZY, *PLACES})


def lazily(package: str, *submodules: str, **names: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package that imports its submodules, and names by submodule, on first use."""
    modules = {name: module for module, listed in names.items() for name in listed.split()}

    def load(name: str) -> Any:
        if name in submodules:
            return importlib.import_module(f"{package}.{name}")
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{modules[name]}"), name)

    return load


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
