"""The model of a schema file, with reading and writing."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from rowstone._base.printable import from_printable, printable
from rowstone._base.schema import Family, as_text, family_of
from rowstone._base.targets import complete_file, writing
from rowstone._core.database import Database
from rowstone.errors import AccessDenied, InvalidArgument
from rowstone.schema._toml import to_toml

_SYSTEM = frozenset({"hbase", "default"})
_OWN = {"IS_META": "false", "hbase.store.file-tracker.impl": "DEFAULT"}
"""Settings that a cluster adds to each table that does not set them."""


@dataclass(frozen=True)
class TableDeclaration:
    """A table: families by name, HBase's table attributes and configuration, and the split keys for its creation."""

    families: Mapping[bytes, Family]
    attributes: Mapping[str, str] = field(default_factory=dict)
    configuration: Mapping[str, str] = field(default_factory=dict)
    splits: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Schema:
    """Namespaces with their properties, and tables, by name. ``str()`` returns the content of its file.

    ``complete`` means that nothing else should exist: `diff` then lists tables and namespaces that the schema does not
    name for dropping. Otherwise they are left alone.
    """

    tables: Mapping[str, TableDeclaration] = field(default_factory=dict)
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    complete: bool = False

    def __str__(self) -> str:
        return to_toml(_document(self))


def load(path: str | os.PathLike[str]) -> Schema:
    """Read a schema from a file.

    Raises:
        InvalidArgument: It is a directory, not TOML, or not a valid schema; the message names the place.
        OSError: It cannot be read.
    """
    try:
        return loads(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidArgument(f"'{os.fspath(path)}' is not UTF-8: {error}") from None
    except IsADirectoryError:
        text = f"'{os.fspath(path)}' is a directory; the file with the schema comes before the database"
        raise InvalidArgument(text) from None


def loads(text: str) -> Schema:
    """Parse a schema from text. Raises `InvalidArgument`.

    Example:
        >>> schema = loads('[tables.web.families.anchor]\\nmax_versions = 3')
        >>> schema.tables["web"].families[b"anchor"].max_versions
        3
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidArgument(f"a schema must be TOML: {error}") from None
    _check_keys("the schema", document, {"complete", "namespaces", "tables"})
    complete = document.get("complete", False)
    if not isinstance(complete, bool):
        raise InvalidArgument(f"complete = {complete!r} is neither true nor false")
    tables = {canonical(name): _table(name, said) for name, said in _mapping("tables", document).items()}
    namespaces = {name: _texts(f"namespace '{name}'", said) for name, said in _mapping("namespaces", document).items()}
    return Schema(tables, namespaces, complete)


def dump(db: Database, path: str | os.PathLike[str] | None = None, *, splits: bool = True) -> Schema:
    """Return the schema of ``db``, and write it to the file ``path`` if one is given.

    It is `complete` if nothing is left out: with ``splits``, and if permissions cannot hide tables. They can in views
    of `Database.as_user` and for clients of a cluster with access control.

    Args:
        splits: Include the present split keys of the tables.
    """
    admin = db.admin
    tables = {}
    complete = splits and not _may_hide_tables(db)
    for name in admin.tables.list():
        if name.partition(":")[0] != "hbase" or ":" not in name:
            try:
                found = admin.describe(name)
            except AccessDenied:
                complete = False
                continue
            starts = tuple(admin.regions.split_keys(name)) if splits else ()
            attributes = {key: text for key, text in found.attributes.items() if _OWN.get(key) != text}
            tables[canonical(name)] = TableDeclaration(found.families, attributes, dict(found.configuration), starts)
    spaces: dict[str, dict[str, str]] = {}
    for name in admin.namespaces.list():
        try:
            spaces[name] = admin.namespaces.describe(name)
        except AccessDenied:
            complete = False
    kept = {name: properties for name, properties in spaces.items() if properties or name not in _SYSTEM}
    schema = Schema(tables, kept, complete=complete)
    if path is not None:
        with writing(path), complete_file(path) as new:
            new.write_text(str(schema), encoding="utf-8")
    return schema


def _may_hide_tables(db: Database) -> bool:
    """Whether permissions may hide tables from the list of all tables."""
    if db._owner is not None:
        return True
    is_cluster = db._layers is None
    return is_cluster and "AUTHORIZATION" in db.admin.permissions.capabilities()


def canonical(name: str) -> str:
    """Return a table's name without ``default:``."""
    return name.removeprefix("default:")


def _check_keys(what: str, said: Mapping[str, Any], known: set[str]) -> None:
    for key in said:
        if key not in known:
            raise InvalidArgument(f"{what} has '{key}', which is unknown; there are: {', '.join(sorted(known))}")


def _mapping(key: str, document: Mapping[str, Any], what: str = "") -> Mapping[str, Any]:
    value = document.get(key, {})
    if not isinstance(value, Mapping):
        raise InvalidArgument(f"{what}{key} must be a table of TOML, not {value!r}")
    return value


def _texts(what: str, values: Any) -> dict[str, str]:
    if not isinstance(values, Mapping):
        raise InvalidArgument(f"{what} must be a table of TOML, not {values!r}")
    for name, value in values.items():
        if not isinstance(value, (str, int, float, bool)):
            raise InvalidArgument(f"{what}: '{name}' must be text, a number, true or false, not {value!r}")
    return {name: as_text(value) for name, value in values.items()}


def _table(name: str, said: Any) -> TableDeclaration:
    what = f"table '{name}'"
    if not isinstance(said, Mapping):
        raise InvalidArgument(f"{what} must be a table of TOML, not {said!r}")
    _check_keys(what, said, {"families", "attributes", "configuration", "splits"})
    splits = said.get("splits", [])
    if not isinstance(splits, list) or not all(isinstance(key, str) for key in splits):
        raise InvalidArgument(f"{what}: splits must be a list of texts, not {splits!r}")
    families = {
        from_printable(family): _family(f"{what}, family '{family}'", settings)
        for family, settings in _mapping("families", said, f"{what}: ").items()
    }
    attributes = _texts(f"{what}, attributes", said.get("attributes", {}))
    configuration = _texts(f"{what}, configuration", said.get("configuration", {}))
    return TableDeclaration(families, attributes, configuration, tuple(from_printable(key) for key in splits))


_FIELDS = {one.name: one.default for one in fields(Family)}


def _family(what: str, said: Any) -> Family:
    if not isinstance(said, Mapping):
        raise InvalidArgument(f"{what} must be a table of TOML, not {said!r}")
    for name, value in said.items():
        if name in ("attributes", "configuration"):
            _texts(f"{what}, {name}", value)
        elif not isinstance(value, (str, int)):
            raise InvalidArgument(f"{what}: {name} must be text, a number, true or false, not {value!r}")
    try:
        return family_of(said)
    except ValueError as error:
        raise InvalidArgument(f"{what}: {error}") from None


def _document(schema: Schema) -> dict[str, Any]:
    """The schema as plain dicts, without default values."""
    document: dict[str, Any] = {"complete": True} if schema.complete else {}
    spaces = {name: dict(properties) for name, properties in sorted(schema.namespaces.items())}
    document["namespaces"] = spaces
    document["tables"] = {name: _table_document(table) for name, table in sorted(schema.tables.items())}
    return document


def _table_document(table: TableDeclaration) -> dict[str, Any]:
    said: dict[str, Any] = {}
    if table.splits:
        said["splits"] = [printable(key) for key in table.splits]
    for name in ("attributes", "configuration"):
        if getattr(table, name):
            said[name] = dict(sorted(getattr(table, name).items()))
    said["families"] = {printable(name): _family_document(family) for name, family in table.families.items()}
    return said


def _family_document(family: Family) -> dict[str, Any]:
    said: dict[str, Any] = {"max_versions": family.max_versions or 1}
    for name, default in _FIELDS.items():
        value = getattr(family, name)
        if name in ("attributes", "configuration"):
            continue
        if name != "max_versions" and value != default:
            said[name] = int(family.to_attributes()["TTL"]) if name == "ttl_seconds" else value
    # A cluster returns this one with every family.
    rest = {key: text for key, text in family.attributes.items() if (key, text) != ("INDEX_BLOCK_ENCODING", "NONE")}
    for name, values in (("attributes", rest), ("configuration", family.configuration)):
        if values:
            said[name] = {key: as_text(value) for key, value in sorted(values.items())}
    return said
