"""Selection and thresholds of rules, from a TOML file or dicts."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.schema._model import canonical
from rowstone.schema.advise._registry import rules
from rowstone.schema.advise._rule import LEVELS, Rule, Thresholds
from rowstone.schema.advise._table import Plans


@dataclass(frozen=True)
class Settings:
    """Changes to the rules, by code, and plans for tables, by name. Created by `settings_of`."""

    off: frozenset[str] = frozenset()
    levels: Mapping[str, str] = field(default_factory=dict)
    thresholds: Mapping[str, Thresholds] = field(default_factory=dict)
    plans: Mapping[str, Plans] = field(default_factory=dict)

    def thresholds_of(self, rule: Rule) -> Thresholds:
        """Return a rule's thresholds with the changes applied."""
        return {**rule.thresholds, **self.thresholds.get(rule.code, {})}


def load_settings(path: str | os.PathLike[str]) -> Settings:
    """Load the settings in a TOML file: ``[rules.L01]`` (off, level, thresholds) and ``[tables.NAME]`` (plans).

    Raises:
        InvalidArgument: The file is not TOML, or a name in it is unknown. OSError: It cannot be read.
    """
    try:
        return settings_of(tomllib.loads(Path(path).read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidArgument(f"'{os.fspath(path)}' is no TOML: {error}") from None


def settings_of(document: Mapping[str, Any]) -> Settings:
    """Parse ``{"rules": {"L01": {"off": True}}, "tables": {"t": {"buckets": 8}}}``. Raises `InvalidArgument`.

    A rule is given by its code or its name.

    Example:
        >>> from rowstone.schema.advise import settings_of
        >>> settings_of({"rules": {"many-families": {"warning": 5}}}).thresholds
        {'L01': {'warning': 5}}
    """
    unknown = set(document) - {"rules", "tables"}
    if unknown:
        raise InvalidArgument(f"settings have '{min(unknown)}', which is unknown; there are: rules, tables")
    by_name = {name: rule for rule in rules() for name in (rule.code, rule.name)}
    off: set[str] = set()
    levels: dict[str, str] = {}
    thresholds: dict[str, dict[str, float]] = {}
    for name in _mapping("rules", document):
        if name not in by_name:
            raise InvalidArgument(f"there is no rule '{name}'")
        rule = by_name[name]
        for key, value in _mapping(name, document["rules"]).items():
            if key == "off" and isinstance(value, bool):
                off |= {rule.code} if value else set()
            elif key == "level" and value in LEVELS:
                levels[rule.code] = value
            elif key in rule.thresholds and isinstance(value, (int, float)) and not isinstance(value, bool):
                thresholds.setdefault(rule.code, {})[key] = value
            else:
                known = ", ".join(["off (true, false)", f"level ({', '.join(LEVELS)})", *rule.thresholds])
                raise InvalidArgument(f"rule {name}: {key} = {value!r} is not one of: {known}")
    plans = {canonical(name): _plans(name, said) for name, said in _mapping("tables", document).items()}
    return Settings(frozenset(off), levels, thresholds, plans)


def _mapping(key: str, document: Mapping[str, Any]) -> Mapping[str, Any]:
    value = document.get(key, {})
    if not isinstance(value, Mapping):
        raise InvalidArgument(f"{key} must be a table of TOML, not {value!r}")
    return value


def _plans(name: str, said: Any) -> Plans:
    known = [one.name for one in fields(Plans)]
    if not isinstance(said, Mapping) or not set(said) <= set(known):
        raise InvalidArgument(f"table '{name}' can have {', '.join(known)}, not {said!r}")
    plans = Plans(**{key: _plan(f"table '{name}': {key}", key, value) for key, value in said.items()})
    for query in plans.queries:
        if unknown := [part for part in query if part not in plans.key]:
            raise InvalidArgument(f"table '{name}': a query has '{unknown[0]}', which is no part of its key")
    return plans


def _plan(what: str, key: str, value: Any) -> Any:
    """Convert a number, names, or lists of names to the types in `Plans`."""
    if key == "key":
        return _names(what, value)
    if key == "queries":
        if not isinstance(value, (list, tuple)):
            raise InvalidArgument(f"{what} = {value!r} is no list of lists of names")
        return tuple(_names(f"{what}, each of them", query) for query in value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidArgument(f"{what} must be a number, not {value!r}")
    return value


def _names(what: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(name, str) for name in value):
        raise InvalidArgument(f"{what} = {value!r} is no list of names")
    return tuple(value)
