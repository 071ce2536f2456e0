"""How a table is used: what rules about access look at, read from a file or from a database's own counters."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.schema._model import canonical, key_bytes


@dataclass(frozen=True, kw_only=True)
class Read:
    """A kind of read, and how often it came (``count``).

    ``families`` and ``columns`` are what it asks for; both empty ask for whole rows. ``bounded`` says whether a scan
    has a start, stop or prefix. ``rows_examined`` and ``rows_returned`` are of all its calls together; ``caching`` is
    how many rows a scan asks for at a time, 0 where that is not known.
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
    """The use of one table over ``seconds``. What nobody counted is empty or 0, and rules are silent on it.

    ``region_writes`` counts by the regions' start keys; ``new_keys`` are row keys in the order in which they were first
    written; ``column_reads`` counts by ``family:qualifier``; ``largest_multi`` is the most actions of a request;
    ``skip_wal_writes`` came with SKIP_WAL outside a bulk load; ``timestamp_gap_ms`` is, by family, how far an explicit
    timestamp was from the time of its write at most.
    """

    seconds: float = 0
    reads: tuple[Read, ...] = ()
    region_writes: Mapping[bytes, int] = field(default_factory=dict)
    new_keys: tuple[bytes, ...] = ()
    column_reads: Mapping[bytes, int] = field(default_factory=dict)
    largest_multi: int = 0
    skip_wal_writes: int = 0
    timestamp_gap_ms: Mapping[bytes, int] = field(default_factory=dict)


def load_access(path: str | os.PathLike[str]) -> dict[str, Access]:
    r"""The access statistics in a JSON file, by table: ``{"tables": {"t": {"seconds": 60, "reads": [...]}}}``.

    The names are those of `Access` and `Read`; in keys, families and columns ``\xHH`` is a byte.

    Raises:
        InvalidArgument: It is no such file; the message names the place. OSError: It cannot be read.
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
    values = _typed(what, said, Access())
    reads = tuple(Read(**_typed(f"{what}, reads", read, Read())) for read in said.get("reads", ()))
    return Access(**{**values, "reads": reads})


def _typed(what: str, said: Any, default: Any) -> dict[str, Any]:
    """The values of a JSON object in the types that ``default`` has them."""
    if not isinstance(said, dict):
        raise InvalidArgument(f"{what} must be an object, not {said!r}")
    values: dict[str, Any] = {}
    for name, value in said.items():
        if not hasattr(default, name):
            raise InvalidArgument(f"{what} has '{name}', which is unknown")
        wanted = getattr(default, name)
        if isinstance(wanted, tuple) and isinstance(value, list):
            values[name] = tuple(key_bytes(part) for part in value if isinstance(part, str))
        elif isinstance(wanted, dict) and isinstance(value, dict):
            values[name] = {key_bytes(key): int(count) for key, count in value.items()}
        elif (isinstance(value, (int, float)) and isinstance(wanted, (int, float))) or type(value) is type(wanted):
            values[name] = value
        else:
            raise InvalidArgument(f"{what}: {name} = {value!r} is not of its kind, which {wanted!r} shows")
    return values
