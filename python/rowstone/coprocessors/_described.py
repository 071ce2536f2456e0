"""Observers named by a table descriptor: by its attributes ``coprocessor$N``, its constraints, its indexes.

``coprocessor$1 => 'python|package.module.Class|1001|name=value'`` has HBase's fields: the path of the class, its name,
its priority, its arguments. The path ``python`` marks those for Rowstone; others are for HBase, and are stored without
effect.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from rowstone._base.printable import printable_text
from rowstone.coprocessors._allowed import class_of
from rowstone.coprocessors._observers import Refusing, RegionObserver
from rowstone.errors import CoprocessorError

_log = logging.getLogger("rowstone")
_USER, _LOWEST, _BUDGET_MS = 1_073_741_823, 2_147_483_647, 1_000.0
# Built-in observers receive whole batches of rows at once.
_UNLIMITED_MS = 1e12


@dataclass(frozen=True)
class Described:
    """An observer named by a table descriptor."""

    observer: RegionObserver
    priority: int = _USER
    budget_ms: float = _BUDGET_MS


def described(table: str, attributes: Mapping[str, str], allowed: dict[str, type | None]) -> list[Described]:
    """Return the observers of a descriptor. One that cannot be loaded is replaced by one that refuses writes."""
    found = []
    for key in sorted(attributes, key=_number):
        try:
            found += _one(table, key, attributes[key], allowed)
        except CoprocessorError as error:
            # Users who may alter the table choose keys and values of attributes: they may contain line breaks.
            _log.warning("table '%s', %s; writes are refused", table, printable_text(f"{key}: {error}"))
            found.append(Described(Refusing(f"table '{table}' names {key} => '{attributes[key]}': {error}"), 0))
    if any(key.startswith("constraint$") for key in attributes):
        from rowstone.coprocessors.constraints._stored import processor_of

        found.append(Described(processor_of(table, attributes, allowed), _LOWEST, _UNLIMITED_MS))
    if any(key.startswith("index$") for key in attributes):
        from rowstone.indexes._maintenance import maintainer_of

        maintainer = maintainer_of(table, attributes)
        found += [Described(maintainer, _LOWEST, _UNLIMITED_MS)] if maintainer is not None else []
    return found


def _number(key: str) -> tuple[str, int]:
    start, _, number = key.partition("$")
    # Not every digit of Unicode is decimal, and Python refuses to convert thousands of digits.
    return (start, int(number)) if number.isdecimal() and len(number) <= 18 else (key, 0)


def _one(table: str, key: str, value: str, allowed: dict[str, type | None]) -> list[Described]:
    if not key.startswith("coprocessor$"):
        return []
    path, _, rest = value.partition("|")
    if path.strip() != "python":
        return []
    name, _, rest = rest.partition("|")
    priority, _, text = rest.partition("|")
    kind = class_of(name.strip(), allowed)
    if not issubclass(kind, RegionObserver):
        raise CoprocessorError(f"class {name.strip()} is no RegionObserver")
    arguments = dict(pair.split("=", 1) for pair in text.split(",") if "=" in pair)
    try:
        observer = kind(**arguments)
        return [Described(observer, int(priority) if priority.strip() else _USER)]
    except Exception as error:
        raise CoprocessorError(f"class {name.strip()} cannot be made of {arguments}: {error}") from error
