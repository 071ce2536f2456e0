"""Ray's base classes, joined with ours on first use: importing Rowstone needs no Ray."""

from __future__ import annotations

from functools import cache
from typing import Any

from rowstone._base.lazy import import_optional


def ray_module(name: str) -> Any:
    """Import a module of Ray. Raises `ImportError` with the command that installs it."""
    return import_optional(name, "Ray Data", "ray-data")


@cache
def joined(ours: type, base: str) -> Any:
    """Return a class with the methods of ``ours`` that Ray takes for the ``base`` of `ray.data.datasource`.

    Ray pickles it together with its objects; workers import only ``ours``.
    """
    parent = getattr(ray_module("ray.data.datasource"), base)
    return type(f"Rowstone{base}", (ours, parent), {"__module__": __name__, "__doc__": ours.__doc__})
