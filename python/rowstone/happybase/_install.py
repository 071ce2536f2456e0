"""Redirect ``import happybase`` to this package; the happybase version whose API it provides."""

import importlib
import sys

from rowstone.errors import StateError

_MODULES = ("batch", "connection", "pool", "table", "util")


def install() -> None:
    """Make ``import happybase`` return this package, and ``import Hbase_thrift`` its exceptions.

    For programs whose imports cannot be changed: call it before they import. A second call does nothing.

    Raises:
        StateError: The real happybase was imported before; nothing was changed.
    """
    ours = importlib.import_module("rowstone.happybase")
    present = sys.modules.get("happybase")
    if present is not None and present is not ours:
        raise StateError("happybase was imported already; call rowstone.happybase.install() before")
    sys.modules["happybase"] = ours
    for name in _MODULES:
        sys.modules[f"happybase.{name}"] = importlib.import_module(f"rowstone.happybase.{name}")
    sys.modules["Hbase_thrift"] = importlib.import_module("rowstone.happybase.errors")


__version__ = "1.3.0"
