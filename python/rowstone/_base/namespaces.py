"""Namespaces of a database: create, alter, drop, list."""

from collections.abc import Iterable, Mapping
from typing import Any

from rowstone import _native
from rowstone._base.schema import as_text
from rowstone.errors import Constraint, NamespaceNotEmpty, NamespaceNotFound


def settings_of(settings: Mapping[str, Any] | None) -> dict[str, str]:
    """Convert settings to text."""
    return {name: as_text(value) for name, value in (settings or {}).items()}


class Namespaces:
    """The part of `Admin` for namespaces."""

    _native: _native.Admin

    def create_namespace(self, namespace: str, properties: Mapping[str, Any] | None = None) -> None:
        """Create a namespace. Raises `NamespaceExists`, `InvalidName`."""
        self._native.create_namespace(namespace, settings_of(properties))

    def alter_namespace(
        self, namespace: str, *, set: Mapping[str, Any] | None = None, unset: Iterable[str] | None = None
    ) -> None:
        """Set and remove properties of a namespace. Raises `NamespaceNotFound`."""
        properties = self.describe_namespace(namespace)
        properties.update(settings_of(set))
        for name in unset or ():
            properties.pop(name, None)
        self._native.alter_namespace(namespace, properties)

    def drop_namespace(self, namespace: str) -> None:
        """Drop an empty namespace.

        Raises:
            NamespaceNotEmpty, NamespaceNotFound; Constraint for the built-in ones.
        """
        try:
            self._native.drop_namespace(namespace)
        except Constraint as error:
            if type(error) is Constraint and namespace not in ("default", "hbase"):
                raise NamespaceNotEmpty(str(error)) from None
            raise

    def namespaces(self) -> list[str]:
        """Return the names of all namespaces, sorted."""
        return self._native.namespace_names()

    def describe_namespace(self, namespace: str) -> dict[str, str]:
        """Return the properties of a namespace. Raises `NamespaceNotFound`."""
        self._check_namespace(namespace)
        return self._native.describe_namespace(namespace)

    def _check_namespace(self, namespace: str) -> None:
        names = self.namespaces()
        if namespace not in names:
            raise NamespaceNotFound(f"there is no namespace '{namespace}'; there are: {', '.join(names)}")
