"""Namespaces of a database: create, alter, drop, list."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from typing import Any

from rowstone import _native
from rowstone._base.options.checks import as_list
from rowstone._base.schema import settings_of
from rowstone.admin._area import Area
from rowstone.errors import ConstraintViolation, NamespaceNotEmpty, NamespaceNotFound


class Namespaces(Area):
    """Namespaces: ``db.admin.namespaces``. ``db.tables(namespace)`` lists the tables of one.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     db.admin.namespaces.create("web", {"owner": "ann"})
        ...     print(db.admin.namespaces.list(), db.admin.namespaces.describe("web"))
        ['default', 'hbase', 'web'] {'owner': 'ann'}
    """

    def list(self) -> builtins.list[str]:
        """Return the names of all namespaces, sorted."""
        return self._native.namespace_names()

    def create(self, namespace: str, properties: Mapping[str, Any] | None = None) -> None:
        """Create a namespace. Raises `NamespaceExists`, `InvalidName`."""
        self._native.create_namespace(namespace, settings_of(properties))

    def alter(
        self, namespace: str, *, set: Mapping[str, Any] | None = None, unset: Iterable[str] | None = None
    ) -> None:
        """Set and remove properties of a namespace. Raises `NamespaceNotFound`."""
        removed = as_list("unset", unset)
        properties = self.describe(namespace)
        properties.update(settings_of(set))
        for name in removed:
            properties.pop(name, None)
        self._native.alter_namespace(namespace, properties)

    def drop(self, namespace: str) -> None:
        """Drop an empty namespace.

        Raises:
            NamespaceNotEmpty, NamespaceNotFound; ConstraintViolation for the built-in ones.
        """
        try:
            self._native.drop_namespace(namespace)
        except ConstraintViolation as error:
            if type(error) is ConstraintViolation and namespace not in ("default", "hbase"):
                raise NamespaceNotEmpty(str(error)) from None
            raise

    def describe(self, namespace: str) -> dict[str, str]:
        """Return the properties of a namespace. Raises `NamespaceNotFound`."""
        check_namespace(self._native, namespace)
        return self._native.describe_namespace(namespace)


def check_namespace(native: _native.Admin, namespace: str) -> None:
    """Raise `NamespaceNotFound`, with the names that exist, unless ``namespace`` does."""
    names = native.namespace_names()
    if namespace not in names:
        raise NamespaceNotFound(f"there is no namespace '{namespace}'; there are: {', '.join(names)}")
