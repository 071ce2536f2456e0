"""Access statistics of a table for the access rules, from a file or from a database's own counters."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from rowstone._base.printable import from_printable
from rowstone.errors import InvalidArgument
from rowstone.schema._model import canonical

KINDS = ("get", "scan")


@dataclass(frozen=True, kw_only=True)
class Read:
    """A kind of read, ``"get"`` or ``"scan"``, and its number of calls (``count``).

    ``families`` and ``columns`` are the requested ones; both are empty for whole rows. ``bounded`` says whether a scan
    has a start, stop or prefix. ``rows_examined`` and ``rows_returned`` are of all its calls together; ``caching`` is
    how many rows a scan fetches at a time, 0 if unknown.
    """

    kind: str = "get"
    families: tuple[bytes, ...] = ()
    columns: tuple[bytes, ...] = ()
    count: int = 1
    bounded: bool = True
    rows_examined: int = 0
    rows_returned: int = 0
    caching: int = 0


@dataclass(frozen=True, kw_only=True)
class Access:
    """The use of one table over ``seconds``. Unknown values are empty or 0, and rules ignore them.

    ``region_writes`` counts by the regions' start keys; ``hot_rows`` are the keys of rows that are written most, such
    as the hot keys of a heat map; ``new_keys`` are row keys in the order in which they were first written;
    ``column_reads`` counts by ``family:qualifier``; ``largest_multi`` is the most actions of a request;
    ``skip_wal_writes`` came with SKIP_WAL outside a bulk load; ``timestamp_gap_ms`` is, by family, how far an explicit
    timestamp was from the time of its write at most.
    """

    seconds: float = 0
    reads: tuple[Read, ...] = ()
    region_writes: Mapping[bytes, int] = field(default_factory=dict)
    hot_rows: tuple[bytes, ...] = ()
    new_keys: tuple[bytes, ...] = ()
    column_reads: Mapping[bytes, int] = field(default_factory=dict)
    largest_multi: int = 0
    skip_wal_writes: int = 0
    timestamp_gap_ms: Mapping[bytes, int] = field(default_factory=dict)


def load_access(path: str | os.PathLike[str]) -> dict[str, Access]:
    r"""Load the access statistics in a JSON file, by table: ``{"tables": {"t": {"seconds": 60, "reads": [...]}}}``.

    The names are those of `Access` and `Read`; in keys, families and columns ``\xHH`` is a byte.

    Raises:
        InvalidArgument: The file is malformed; the message names the position. OSError: It cannot be read.
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise InvalidArgument(f"'{os.fspath(path)}' is not JSON: {error}") from None
    tables = document.get("tables") if isinstance(document, dict) else None
    if not isinstance(tables, dict):
        raise InvalidArgument(f"'{os.fspath(path)}' has no object 'tables'")
    return {canonical(name): _access(f"table '{name}'", said) for name, said in tables.items()}


def _access(what: str, said: Any) -> Access:
    values = _typed(what, said, Access(), leave=("reads",))
    reads = said.get("reads", [])
    if not isinstance(reads, list):
        raise InvalidArgument(f"{what}: reads = {reads!r} is no list")
    found = tuple(Read(**_typed(f"{what}, reads", read, Read())) for read in reads)
    for read in found:
        if read.kind not in KINDS:
            raise InvalidArgument(f"{what}, reads: kind = {read.kind!r} is not one of: {', '.join(KINDS)}")
    return Access(**values, reads=found)


def _typed(what: str, said: Any, default: Read | Access, leave: tuple[str, ...] = ()) -> dict[str, Any]:
    """Convert the values of a JSON object to the types in ``default``."""
    if not isinstance(said, dict):
        raise InvalidArgument(f"{what} must be an object, not {said!r}")
    known = [one.name for one in fields(default)]
    values: dict[str, Any] = {}
    for name, value in said.items():
        if name not in known:
            raise InvalidArgument(f"{what} has '{name}', which is unknown; there are: {', '.join(known)}")
        if name not in leave:
            values[name] = _value(f"{what}: {name}", value, getattr(default, name))
    return values


def _value(what: str, value: Any, wanted: Any) -> Any:
    """Convert a value to the type of ``wanted``; keys become bytes."""
    if isinstance(wanted, tuple) and isinstance(value, list) and all(isinstance(key, str) for key in value):
        return tuple(map(from_printable, value))
    if isinstance(wanted, dict) and isinstance(value, dict) and all(map(_is_number, value.values())):
        return {from_printable(key): count for key, count in value.items()}
    is_plain = isinstance(wanted, (str, bool)) and type(value) is type(wanted)
    if is_plain or (_is_number(wanted) and _is_number(value)):
        return value
    kinds = {tuple: "a list of texts", dict: "an object of numbers", bool: "true or false", str: "text"}
    raise InvalidArgument(f"{what} = {value!r} is not {kinds.get(type(wanted), 'a number')}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
