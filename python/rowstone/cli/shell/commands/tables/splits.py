"""Split keys of a new table: HBase's split algorithms, and keys from a file.

Source: ``RegionSplitter`` and ``Bytes.split``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rowstone._base.printable import from_printable, printable
from rowstone.cli.shell.checks import whole
from rowstone.cli.shell.errors import ArgumentMistake
from rowstone.cli.shell.values import inspect, to_s
from rowstone.splits import decimal_string, hex_string, uniform

_ALGORITHMS: dict[str, Callable[[int], list[bytes]]] = {
    "HexStringSplit": hex_string,
    "DecimalStringSplit": decimal_string,
    "UniformSplit": uniform,
}


def take_splits(given: dict[Any, Any]) -> list[bytes] | None:
    """Remove the split options from ``given``; returns the keys, or None if there are no such options.

    Raises:
        ArgumentMistake: An option is invalid; the message is HBase's.
    """
    if "SPLITS_FILE" in given:
        file = Path(to_s(given.pop("SPLITS_FILE")))
        if not file.exists():
            raise ArgumentMistake(f"Splits file {file} doesn't exist")
        given["SPLITS"] = file.read_text(errors="surrogateescape").splitlines()
    if "SPLITS" in given:
        keys = given.pop("SPLITS")
        if not isinstance(keys, list):
            raise ArgumentMistake(f"SPLITS takes an array of keys, not {inspect(keys)}")
        return _unique([from_printable(to_s(key)) for key in keys])
    if "NUMREGIONS" not in given and "SPLITALGO" not in given:
        return None
    if "NUMREGIONS" not in given:
        raise ArgumentMistake("Number of regions must be specified")
    if "SPLITALGO" not in given:
        raise ArgumentMistake("Split algorithm must be specified")
    count, algorithm = whole("NUMREGIONS", given.pop("NUMREGIONS")), to_s(given["SPLITALGO"])
    if count <= 1:
        raise ArgumentMistake("Number of regions must be greater than 1")
    given.pop("SPLITALGO")
    name = algorithm.rpartition(".")[2].rpartition("$")[2]
    if name not in _ALGORITHMS:
        raise ArgumentMistake(f"Class {algorithm} not found")
    return _ALGORITHMS[name](count)


def _unique(keys: list[bytes]) -> list[bytes]:
    for before, key in zip(sorted(keys), sorted(keys)[1:], strict=False):
        if before == key:
            shown = printable(key)
            raise ArgumentMistake(f"All split keys must be unique, found duplicate: {shown}, {shown}")
    return keys
