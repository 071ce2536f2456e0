"""Modules that are attributes of `rowstone` and imported when first asked for, such as ``rs.aio``."""

import importlib
from types import ModuleType

LAZY = (
    "advise",
    "aio",
    "constraints",
    "coprocessors",
    "design",
    "happybase",
    "indexes",
    "jobs",
    "joins",
    "keys",
    "rest",
    "schema",
    "security",
    "sight",
    "thrift",
    "values",
)


def __getattr__(name: str) -> ModuleType:
    if name in LAZY:
        return importlib.import_module(f"rowstone.{name}")
    raise AttributeError(f"module 'rowstone' has no attribute {name!r}")
