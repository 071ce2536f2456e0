"""Making ``import happybase`` mean this package."""

import importlib
import sys

from rowstone.errors import StateError

_MODULES = ("batch", "connection", "pool", "table", "util")


def install() -> None:
    """From now on ``import happybase`` gives this package, and ``import Hbase_thrift`` its exceptions.

    For programs whose imports cannot be changed: call it first. A second call does nothing.

    Raises:
        StateError: happybase itself was imported before; nothing was changed.
    """
    ours = importlib.import_module("rowstone.happybase")
    present = sys.modules.get("happybase")
    if present is not None and present is not ours:
        raise StateError("happybase was imported already; call rowstone.happybase.install() before")
    sys.modules["happybase"] = ours
    for name in _MODULES:
        sys.modules[f"happybase.{name}"] = importlib.import_module(f"rowstone.happybase.{name}")
    sys.modules["Hbase_thrift"] = importlib.import_module("rowstone.happybase.errors")
