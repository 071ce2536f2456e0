"""Effective settings: every key with its value and its source."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone._core.database import Database

Value = bool | int | float | str
ConfigurationArgument = Mapping[str, Any] | str | os.PathLike[str]


class UnknownSetting(InvalidArgument, KeyError):
    """There is no setting of that name; the message names the nearest one."""

    __str__ = Exception.__str__


@dataclass(frozen=True)
class Setting:
    """A setting: its value, its source, its default, and the level at which it can be overridden.

    ``source`` is ``"default"``, ``"dedicated"``, ``"compat"``, ``"file"``, ``"argument"``, ``"table"`` or ``"family"``;
    ``level`` is the smallest thing that may have a value of its own: ``"database"``, ``"table"`` or ``"family"``.
    """

    key: str
    value: Value
    source: str
    default: Value
    level: str


class Configuration(Mapping[str, Value]):
    """Every setting by its key. Returned by `Database.configuration`.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:", configuration={"hbase.column.max.version": 3}) as db:
        ...     configuration = db.configuration
        >>> configuration["hbase.column.max.version"], configuration.source("hbase.column.max.version")
        (3, 'argument')
    """

    def __init__(self, layers: Mapping[str, Mapping[str, Any]], database: "Database | None" = None) -> None:
        self._layers = {source: dict(values) for source, values in layers.items()}
        self._database = database
        self._sources = {key: source for source, values in self._layers.items() for key in values}
        self._rows = {row[0]: row for row in _native.describe_settings(merged(self._layers))}

    def setting(self, key: str) -> Setting:
        """Return the setting of that key. Raises `UnknownSetting`, a `KeyError`, which suggests the nearest key."""
        if key not in self._rows:
            import difflib

            near = difflib.get_close_matches(key, self._rows, n=1, cutoff=0.5)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise UnknownSetting(f"setting '{key}' is unknown{hint}")
        _, level, default, value = self._rows[key]
        return Setting(key, typed(value), self._sources.get(key, "default"), typed(default), level)

    def source(self, key: str) -> str:
        """Return the source of the value."""
        return self.setting(key).source

    def changed(self) -> dict[str, Value]:
        """Return the settings whose source is not the default."""
        return {key: self[key] for key in self if key in self._sources}

    def of(self, table: str, family: str | bytes | None = None) -> "Configuration":
        """Return the settings of a table or a family. Raises `TableNotFound`, and `KeyError` for the family."""
        if self._database is None:
            raise InvalidArgument("this configuration belongs to a table already")
        from rowstone._base.schema import as_bytes

        schema = self._database.admin.describe(table)
        layers = {**self._layers, "table": self._own(schema.configuration, ("table", "family"))}
        if family is not None:
            layers["family"] = self._own(schema.families[as_bytes(family)].configuration, ("family",))
        return Configuration(layers)

    def _own(self, values: Mapping[str, Any], levels: tuple[str, ...]) -> dict[str, str]:
        """Select from a table's or family's configuration the settings of its level; other keys are user-defined."""
        from rowstone._base.schema import as_text

        return {
            key: as_text(text) for key, text in values.items() if key in self._rows and self._rows[key][1] in levels
        }

    def __getitem__(self, key: str) -> Value:
        return self.setting(key).value

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._rows))

    def __len__(self) -> int:
        return len(self._rows)

    def _lines(self) -> list[tuple[str, str, str, str]]:
        from rowstone._base.schema import as_text

        settings = [self.setting(key) for key in self]
        return [(one.key, as_text(one.value), one.source, as_text(one.default)) for one in settings]

    def __str__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{key:<{width}}  {value:>20}  {source}" for key, value, source, _ in self._lines())

    def __repr__(self) -> str:
        return f"Configuration({len(self)} settings, {len(self.changed())} of them given)"

    def _repr_html_(self) -> str:
        from rowstone._base.html import table_html

        return table_html(("setting", "value", "from", "default"), self._lines(), repr(self))


def typed(text: str) -> Value:
    """Convert a value from text to its Python type.

    >>> typed("true"), typed("3"), typed("1.2"), typed("SteppingSplitPolicy")
    (True, 3, 1.2, 'SteppingSplitPolicy')
    """
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def layers_of(
    compat: Mapping[str, Any], configuration: ConfigurationArgument | None, *, dedicated: bool
) -> dict[str, dict[str, Any]]:
    """Return the arguments of `rowstone.connect` by their source; later ones override earlier ones."""
    layers: dict[str, dict[str, Any]] = {}
    if dedicated:
        layers["dedicated"] = dict(_native.dedicated_settings())
    if compat:
        layers["compat"] = dict(compat)
    if isinstance(configuration, (str, os.PathLike)):
        layers["file"] = read_site(configuration)
    elif configuration:
        layers["argument"] = dict(configuration)
    return layers


def given_of(layers: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Merge the layers without the defaults of a dedicated process, which the engine limits as defaults."""
    return merged({source: values for source, values in layers.items() if source != "dedicated"})


def merged(layers: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Merge all layers to the effective settings."""
    return {key: value for values in layers.values() for key, value in values.items()}


def read_site(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read the known settings from an ``hbase-site.xml``; others are ignored.

    Raises:
        InvalidArgument: It is not such a file. OSError: It cannot be read.
    """
    from xml.etree import ElementTree

    try:
        root = ElementTree.parse(os.fspath(path)).getroot()
    except ElementTree.ParseError as error:
        raise InvalidArgument(f"configuration '{os.fspath(path)}' is no hbase-site.xml: {error}") from None
    if root.tag != "configuration":
        raise InvalidArgument(f"configuration '{os.fspath(path)}' is no hbase-site.xml: it begins with <{root.tag}>")
    known = {row[0] for row in _native.describe_settings({})}
    pairs = ((one.findtext("name", "").strip(), one.findtext("value", "").strip()) for one in root.iter("property"))
    return {name: value for name, value in pairs if name in known}
