"""Families and tables as values: Python's names on one side, HBase's attributes on the other."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from rowstone import _native
from rowstone._base.by_name import ByName
from rowstone._base.options.words import BloomFilter, Compression, DataBlockEncoding, KeepDeletedCells
from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument, InvalidType

FOREVER_SECONDS = 2_147_483_647

# Python's name, HBase's attribute, default. The order is that of HBase's descriptors.
_TYPED: tuple[tuple[str, str, Any], ...] = (
    ("bloom_filter", "BLOOMFILTER", "ROW"),
    ("in_memory", "IN_MEMORY", False),
    ("max_versions", "VERSIONS", None),
    ("keep_deleted_cells", "KEEP_DELETED_CELLS", "FALSE"),
    ("data_block_encoding", "DATA_BLOCK_ENCODING", "NONE"),
    ("compression", "COMPRESSION", "NONE"),
    ("ttl_seconds", "TTL", None),
    ("min_versions", "MIN_VERSIONS", 0),
    ("block_cache", "BLOCKCACHE", True),
    ("block_bytes", "BLOCKSIZE", 65536),
    ("replication_scope", "REPLICATION_SCOPE", 0),
    ("new_version_behavior", "NEW_VERSION_BEHAVIOR", False),
)

_LEAST = {"VERSIONS": 1, "TTL": 1, "BLOCKSIZE": 1, "MIN_VERSIONS": 0, "REPLICATION_SCOPE": -(2**31)}
_MOST = 2**31 - 1


def as_text(value: Any) -> str:
    """Format a setting as HBase writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.decode() if isinstance(value, bytes) else str(value)


def settings_of(settings: Mapping[str, Any] | None) -> dict[str, str]:
    """Convert settings to text."""
    return {name: as_text(value) for name, value in (settings or {}).items()}


def as_bytes(name: str | bytes, what: str = "name") -> bytes:
    """Convert a name to bytes; ``str`` is encoded as UTF-8. Errors call it ``what``."""
    if isinstance(name, str):
        return name.encode()
    if isinstance(name, (bytes, bytearray, memoryview)):
        return bytes(name)
    raise InvalidType(f"{what} must be bytes or str, not {type(name).__name__}")


def pair_of(column: Any) -> Any:
    """Return a column as a pair (family, qualifier); types other than text and bytes are left for the engine to check.

    Raises:
        InvalidArgument: The column has no colon.
    """
    if not isinstance(column, (str, bytes)):
        return column
    name = as_bytes(column)
    family, colon, qualifier = name.partition(b":")
    if not colon:
        shown = printable(name)
        raise InvalidArgument(
            f"column '{shown}' has no colon; write 'family:qualifier', or '{shown}:' for the empty qualifier"
        )
    return family, qualifier


def columns_with(columns: Iterable[Any], own: Iterable[bytes]) -> list[Any]:
    """Return the columns of a read, and those of ``own`` that they lack.

    As in HBase, a column after its whole family would narrow the read to the column.
    """
    found = list(columns)
    for name in own:
        family, _, qualifier = name.partition(b":")
        is_whole = False
        for column in found:
            if not isinstance(column, tuple):
                part, _, rest = as_bytes(column, "column").partition(b":")
                is_whole = not rest if part == family else is_whole
            elif len(column) == 2 and as_bytes(column[0]) == family:
                is_whole = False
        if not is_whole:
            found.append((family, qualifier))
    return found


_SHOWN_FAMILIES = 8


@dataclass(frozen=True, kw_only=True)
class Family:
    """Settings of a column family: versions, TTL, and the format of its files. Defaults are HBase's.

    Attributes:
        max_versions: Number of newest versions to keep; None is 1, or ``hbase.column.max.version``.
        min_versions: Versions that stay even after ``ttl_seconds``.
        ttl_seconds: Lifetime of a cell in seconds (or a `timedelta`); None is forever.
        keep_deleted_cells: ``"FALSE"``, ``"TRUE"`` or ``"TTL"``.
        bloom_filter: ``"NONE"``, ``"ROW"``, ``"ROWCOL"`` or ``"ROWPREFIX_FIXED_LENGTH"``.
        block_bytes: Size at which a block of a file is closed.
        compression: ``"NONE"``, ``"GZ"``, ``"SNAPPY"``, ``"LZ4"`` or ``"ZSTD"``.
        data_block_encoding: ``"NONE"``, ``"PREFIX"``, ``"DIFF"``, ``"FAST_DIFF"`` or ``"ROW_INDEX_V1"``.
        in_memory: Give its blocks priority in the cache.
        block_cache: Whether its blocks are cached at all.
        replication_scope: Stored and shown.
        new_version_behavior: Deletes and versions follow the order of writes instead of timestamps.
        attributes: Other HBase attributes, by name.
        configuration: Settings that override the database's for this family.

    Source: HBase's ``ColumnFamilyDescriptorBuilder``.

    Example:
        >>> import rowstone as rs
        >>> rs.Family(max_versions=3, ttl_seconds=60).to_attributes()
        {'VERSIONS': '3', 'TTL': '60'}
    """

    max_versions: int | None = None
    min_versions: int = 0
    ttl_seconds: int | timedelta | None = None
    keep_deleted_cells: KeepDeletedCells = "FALSE"
    bloom_filter: BloomFilter = "ROW"
    block_bytes: int = 65536
    compression: Compression = "NONE"
    data_block_encoding: DataBlockEncoding = "NONE"
    in_memory: bool = False
    block_cache: bool = True
    replication_scope: int = 0
    new_version_behavior: bool = False
    attributes: Mapping[str, Any] = field(default_factory=dict)
    configuration: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        given = ((one.name, getattr(self, one.name)) for one in fields(self))
        default = Family()
        shown = (f"{name}={value!r}" for name, value in given if value != getattr(default, name))
        return f"Family({', '.join(shown)})"

    def to_attributes(self) -> dict[str, str]:
        """Return the settings that differ from HBase's defaults, under HBase's names."""
        attributes = {}
        for name, hbase_name, default in _TYPED:
            value = getattr(self, name)
            if name == "ttl_seconds":
                value = whole_seconds(value)
            if value != default:
                attributes[hbase_name] = as_text(value)
        attributes.update({name: as_text(value) for name, value in self.attributes.items()})
        return attributes

    @staticmethod
    def from_attributes(
        attributes: Mapping[str, Any], configuration: Mapping[str, Any] = MappingProxyType({})
    ) -> "Family":
        """Create a family from HBase's attributes; those without a field are kept in ``attributes``.

        Raises:
            InvalidArgument: A value that should be a number is not. The store checks its range.
        """
        rest = {name: as_text(value) for name, value in attributes.items()}
        fields: dict[str, Any] = {}
        for name, hbase_name, default in _TYPED:
            text = rest.pop(hbase_name, None)
            if text is not None:
                fields[name] = _typed(hbase_name, text, default)
        return Family(**fields, attributes=rest, configuration=dict(configuration))


def whole_seconds(ttl: int | timedelta | None) -> int | None:
    """Convert a family's time to live to seconds; None is forever."""
    if not isinstance(ttl, timedelta):
        return ttl
    seconds = ttl.total_seconds()
    if seconds != int(seconds) or seconds < 1:
        raise InvalidArgument(f"ttl_seconds of a family must be a positive number of whole seconds, not {ttl}")
    return int(seconds)


def _typed(name: str, text: str, default: Any) -> Any:
    if name == "TTL" and (text.upper() == "FOREVER" or text == str(FOREVER_SECONDS)):
        return None
    if isinstance(default, bool):
        return text.lower() == "true"
    return _number(name, text) if isinstance(default, int) or default is None else text


def _number(name: str, text: str) -> int:
    """Parse a number as HBase does: ASCII digits, with a limited length."""
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", text):
        raise InvalidArgument(f"{name} => '{text}' is not a number from {_LEAST[name]} to {_MOST}")
    return int(text)


FamilyArgument = Family | Mapping[str, Any] | None
FamiliesArgument = Mapping[str, FamilyArgument] | Mapping[bytes, FamilyArgument] | Iterable[str | bytes]

NativeFamilies = dict[bytes, tuple[dict[str, str], dict[str, str]]]


def family_of(argument: FamilyArgument) -> Family:
    """Convert an argument to a family: a `Family`, or a mapping with its field names or HBase's names."""
    if isinstance(argument, Family):
        return argument
    if argument is None:
        return Family()
    if not isinstance(argument, Mapping):
        raise InvalidType(f"a family must be a Family or a mapping, not {type(argument).__name__}")
    names = {name for name, _, _ in _TYPED} | {"attributes", "configuration"}
    fields = {name: value for name, value in argument.items() if name in names}
    attributes = {name: value for name, value in argument.items() if name not in names}
    unknown = [name for name in attributes if name != name.upper()]
    if unknown:
        from difflib import get_close_matches

        near = [name for name in sorted(names) if name.startswith(f"{unknown[0]}_")]
        near += get_close_matches(unknown[0], sorted(names), n=1, cutoff=0.7)
        meant = f"; did you mean '{near[0]}'?" if near else f"; there are: {', '.join(sorted(names))}"
        raise InvalidArgument(f"family setting '{unknown[0]}' is unknown{meant}")
    for name in attributes:
        _check_spelling(name)
    merged = {**attributes, **Family(**fields).to_attributes()}
    return Family.from_attributes(merged, fields.get("configuration", {}))


def _check_spelling(name: str) -> None:
    """Refuse an unknown attribute whose name resembles one that HBase knows.

    HBase would store it without effect; so does `Family` with ``attributes={…}``.
    """
    known, _ = _native.known_attributes()
    if name not in known:
        from difflib import get_close_matches

        for near in get_close_matches(name, known, n=1, cutoff=0.85):
            raise InvalidArgument(
                f"family attribute '{name}' is unknown; did you mean '{near}'? attributes={{'{name}': …}} keeps it so"
            )


@contextmanager
def of_family(name: bytes) -> Iterator[None]:
    """Add the family's name to errors about its settings."""
    try:
        yield
    except InvalidArgument as error:
        text = str(error)
        if text.startswith("family "):
            raise
        raise InvalidArgument(f"family '{printable(name)}': {text}") from None


def check_families(argument: FamiliesArgument) -> None:
    """Raise `InvalidType` for anything but a mapping or a collection of names."""
    if isinstance(argument, (str, bytes)) or not isinstance(argument, Iterable):
        found = "one name" if isinstance(argument, (str, bytes)) else type(argument).__name__
        raise InvalidType(f"families must be a mapping {{name: Family}} or a list of names, not {found}")


def families_of(argument: FamiliesArgument) -> dict[bytes, Family]:
    """Return families by name, from a mapping or from names alone."""
    check_families(argument)
    if isinstance(argument, Mapping):
        described = {}
        for name, family in argument.items():
            with of_family(as_bytes(name)):
                described[as_bytes(name)] = family_of(family)
        return described
    return {as_bytes(name): Family() for name in argument}


def native_families(families: Mapping[bytes, Family]) -> NativeFamilies:
    """Convert families for the native admin."""
    return {
        name: (family.to_attributes(), {key: as_text(value) for key, value in family.configuration.items()})
        for name, family in families.items()
    }


@dataclass(frozen=True)
class TableSchema:
    """A table descriptor: families by name (bytes; ``str`` also works for look-up), HBase's table attributes and
    configuration as text.

    ``str()`` returns the output of ``describe`` in HBase's shell.
    """

    name: str
    families: Mapping[bytes, Family]
    attributes: Mapping[str, str]
    configuration: Mapping[str, str]

    @staticmethod
    def from_native(native: tuple[str, NativeFamilies, dict[str, str], dict[str, str]]) -> "TableSchema":
        """Create the descriptor from the binding's result."""
        name, families, attributes, configuration = native
        typed = {key: Family.from_attributes(*parts) for key, parts in families.items()}
        return TableSchema(
            name, MappingProxyType(ByName(typed)), MappingProxyType(attributes), MappingProxyType(configuration)
        )

    def family(self, name: str | bytes) -> Family:
        """Return the family of that name; `KeyError` if there is none."""
        return self.families[as_bytes(name)]

    def __repr__(self) -> str:
        shown = [f"{name!r}: {self.families[name]!r}" for name in list(self.families)[:_SHOWN_FAMILIES]]
        if len(self.families) > len(shown):
            shown.append("...")
        return f"TableSchema({self.name!r}, {{{', '.join(shown)}}})"

    def __str__(self) -> str:
        shown = sorted(pair for pair in self.attributes.items() if pair != ("IS_META", "false"))
        attributes = "".join(f", {name} => '{value}'" for name, value in shown)
        lines = [f"'{self.name}'{attributes}"]
        lines += [describe_family(name, family) for name, family in self.families.items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from rowstone._base.html import short, table_html

        headings = ("family", "versions", "ttl", "bloom filter", "compression", "encoding", "block bytes")
        lines = [
            (
                short(name),
                str(family.max_versions or 1),
                ttl_text(whole_seconds(family.ttl_seconds)),
                family.bloom_filter,
                family.compression,
                family.data_block_encoding,
                f"{family.block_bytes:,}",
            )
            for name, family in self.families.items()
        ]
        return table_html(headings, lines, f"table {self.name}")


def describe_family(name: bytes, family: Family) -> str:
    """Format a family as HBase's shell does, with every attribute that has a default."""
    parts = [f"NAME => '{printable(name)}'"]
    for field_name, hbase_name, default in _TYPED:
        value = getattr(family, field_name)
        if field_name == "ttl_seconds":
            text = ttl_text(whole_seconds(value))
        else:
            text = as_text((1 if field_name == "max_versions" else default) if value is None else value)
        parts.append(f"{hbase_name} => '{text}'")
    parts += [f"{key} => '{as_text(value)}'" for key, value in sorted(family.attributes.items())]
    return "{" + ", ".join(parts) + "}"


def ttl_text(seconds: int | None) -> str:
    """Format a TTL as HBase's shell does.

    >>> ttl_text(604800)
    '604800 SECONDS (7 DAYS)'
    """
    if seconds is None:
        return "FOREVER"
    parts, rest = [], seconds
    for unit, size in (("DAY", 86400), ("HOUR", 3600), ("MINUTE", 60), ("SECOND", 1)):
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count} {unit}{'S' if count > 1 else ''}")
    shown = " ".join(parts)
    return f"{seconds} SECONDS" + ("" if seconds < 60 else f" ({shown})")
