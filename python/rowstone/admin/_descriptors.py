"""Create and alter tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, get_args

from rowstone import _native
from rowstone._base.options.checks import as_list
from rowstone._base.options.words import Durability
from rowstone._base.printable import printable
from rowstone._base.schema import (
    FamiliesArgument,
    Family,
    TableSchema,
    as_bytes,
    as_text,
    check_families,
    families_of,
    family_of,
    native_families,
    settings_of,
)
from rowstone.errors import InvalidArgument, NoSuchColumnFamily, SchemaChanged
from rowstone.splits import SplitsArgument, keys_of

_DURABILITIES = get_args(Durability)

# Attempts to change a descriptor that others change at the same time. Each failure is a success of another one.
_ATTEMPTS = 100

_SHORTEST_PAUSE = 0.02
"""Seconds between two looks at a descriptor."""


def create(
    native: _native.Admin,
    name: str,
    families: FamiliesArgument,
    splits: SplitsArgument | None,
    attributes: Mapping[str, Any] | None,
    configuration: Mapping[str, Any] | None,
) -> None:
    """See `Admin.create_table`."""
    ready = native_families(families_of(families))
    native.create_table(name, ready, _checked(settings_of(attributes)), settings_of(configuration), keys_of(splits))


def describe(native: _native.Admin, name: str) -> TableSchema:
    """See `Admin.describe`."""
    return TableSchema.from_native(native.describe(name))


def alter(
    native: _native.Admin,
    name: str,
    *,
    families: FamiliesArgument | None = None,
    remove: Iterable[str | bytes] | None = None,
    attributes: Mapping[str, Any] | None = None,
    configuration: Mapping[str, Any] | None = None,
    check: Callable[[TableSchema], None] = lambda schema: None,
) -> None:
    """See `Admin.alter_table`; ``check`` may refuse the descriptor that is to be changed."""
    # Read once, because an attempt may be repeated.
    removed = list(map(as_bytes, as_list("remove", remove)))
    if families is not None:
        check_families(families)
    given: dict[Any, Any] = {}
    given.update(families if isinstance(families, Mapping) else dict.fromkeys(families or ()))

    def attempt() -> None:
        found = native.describe(name)
        check(TableSchema.from_native(found))
        replace(native, found, families=given, remove=removed, attributes=attributes, configuration=configuration)

    until_unchanged(attempt)


def change_attributes(
    native: _native.Admin, name: str, changes: Callable[[TableSchema], Mapping[str, Any]], *, is_cluster: bool
) -> None:
    """Change attributes to values that depend on the present ones.

    HBase's master replaces a descriptor without comparing it. So a change of another client that was made from the same
    descriptor, and waits for the table, undoes this one. Of a cluster, the descriptor is therefore read again until it
    stays the same for as long as a change takes, and the change is repeated if it is lost.
    """

    def attempt() -> None:
        found = native.describe(name)
        replace(native, found, attributes=changes(TableSchema.from_native(found)))

    for _ in range(_ATTEMPTS):
        start = time.monotonic()
        until_unchanged(attempt)
        if not is_cluster or _lasts(native, name, changes, max(time.monotonic() - start, _SHORTEST_PAUSE)):
            return
    raise SchemaChanged(f"the schema of table '{name}' was changed {_ATTEMPTS} times at the same time; try again")


def _lasts(
    native: _native.Admin, name: str, changes: Callable[[TableSchema], Mapping[str, Any]], pause_seconds: float
) -> bool:
    """Wait until other changes of a descriptor have ended; return whether it still has ``changes``."""
    last = None
    while True:
        schema = TableSchema.from_native(native.describe(name))
        if any(schema.attributes.get(key) != value for key, value in changes(schema).items()):
            return False
        if schema == last:
            return True
        last = schema
        time.sleep(pause_seconds)


def until_unchanged(attempt: Callable[[], None]) -> None:
    """Repeat a change of a descriptor while others change it at the same time."""
    for _ in range(_ATTEMPTS - 1):
        try:
            attempt()
        except SchemaChanged:
            continue
        return
    attempt()


def replace(
    native: _native.Admin,
    found: Any,
    *,
    families: Mapping[Any, Any] = MappingProxyType({}),
    remove: Iterable[bytes] = (),
    attributes: Mapping[str, Any] | None = None,
    configuration: Mapping[str, Any] | None = None,
) -> None:
    """Change the descriptor ``found``, as `_native.Admin.describe` returned it.

    Raises:
        SchemaChanged: The table has another descriptor by now.
    """
    schema = TableSchema.from_native(found)
    merged = dict(schema.families)
    for key in remove:
        if key not in merged:
            raise no_family(schema, key, "remove")
        del merged[key]
    for raw_name, argument in families.items():
        key = as_bytes(raw_name)
        merged[key] = _merge(merged.get(key), argument)
    # HBase's master returns a table's configuration among its attributes, and a change must find it there.
    moved = {key: None for key in configuration or () if key not in schema.configuration}
    native.alter_table(
        schema.name,
        native_families(merged),
        _checked(_changed(schema.attributes, {**moved, **(attributes or {})})),
        _changed(schema.configuration, configuration),
        found,
    )


def no_family(schema: TableSchema, family: bytes, action: str) -> NoSuchColumnFamily:
    """The error for a missing family, to be raised."""
    return NoSuchColumnFamily(f"table '{schema.name}' has no family '{printable(family)}' to {action}")


def _checked(attributes: dict[str, str]) -> dict[str, str]:
    """A table's attributes with the durability as HBase writes it.

    HBase's master accepts anything. Its region servers abort, one after another, when they open a region of a table
    with an unknown durability.
    """
    given = attributes.get("DURABILITY")
    if given is None:
        return attributes
    if given.upper() not in _DURABILITIES:
        raise InvalidArgument(f"DURABILITY => '{given}' is unknown; HBase has {', '.join(_DURABILITIES)}")
    return {**attributes, "DURABILITY": given.upper()}


def _changed(settings: Mapping[str, str], changes: Mapping[str, Any] | None) -> dict[str, str]:
    """``settings`` with ``changes`` applied; a change to None removes a setting."""
    merged: dict[str, Any] = {**settings, **(changes or {})}
    return {name: as_text(value) for name, value in merged.items() if value is not None}


def _merge(old: Family | None, argument: Any) -> Family:
    """``old`` changed by ``argument``."""
    if isinstance(argument, Family):
        if argument.max_versions is None and old is not None:
            return Family.from_attributes(
                {**argument.to_attributes(), "VERSIONS": old.max_versions}, argument.configuration
            )
        return argument
    if old is None or argument is None:
        return family_of(argument) if old is None else old
    if not isinstance(argument, Mapping):
        raise InvalidArgument(f"a family must be a Family or a mapping, not {type(argument).__name__}")
    change = family_of(argument)
    named = {**old.to_attributes(), **_list_attributes(argument, change)}
    return Family.from_attributes(named, {**old.configuration, **change.configuration})


def _list_attributes(argument: Mapping[str, Any], change: Family) -> dict[str, str]:
    """The attributes that ``argument`` names, including those whose values are HBase's defaults."""
    from rowstone._base.schema import _TYPED, whole_seconds

    attributes = change.to_attributes()
    for field_name, hbase_name, _ in _TYPED:
        if field_name in argument or hbase_name in argument:
            value = getattr(change, field_name)
            if field_name == "ttl_seconds":
                value = "FOREVER" if value is None else whole_seconds(value)
            attributes[hbase_name] = as_text(1 if value is None else value)
    return attributes
