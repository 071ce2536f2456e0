"""docs/configuration.md lists every setting of the engine, with its default, and no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = (ROOT / "crates/engine/src/settings/mod.rs").read_text()
PAGE = (ROOT / "docs/configuration.md").read_text()

_ENTRY = re.compile(r'^    \("([\w.]+)", ([\w:]+), ([\w:]+), ([\w:]+)', re.MULTILINE)
_ROW = re.compile(r"^\| `((?:hbase|rowstone)\.[\w.]+)` \| ([^|]+) \|", re.MULTILINE)


def as_shown(key: str, default: str, bounds: tuple[str, str]) -> str:
    """A default as the page writes it."""
    if default == "i64::MAX":
        return "no limit"
    number = int(default.replace("_", ""))
    if bounds[0] == bounds[1]:
        return ("false", "true")[number]
    return f"{number / 1000:g}" if key.endswith(".ratio") else f"{number:,}"


def test_the_page_lists_every_setting_with_its_default() -> None:
    code = {key: as_shown(key, default, (least, most)) for key, default, least, most in _ENTRY.findall(CODE)}
    assert len(code) > 20
    assert dict(_ROW.findall(PAGE)) == code


def test_settings_said_to_be_without_effect_are_read_nowhere() -> None:
    engine = ROOT / "crates/engine/src"
    read = "".join(file.read_text() for file in engine.rglob("*.rs") if file.parent.name != "settings")
    effective, idle = PAGE.split("## Accepted, without effect so far")
    assert not [key for key, _ in _ROW.findall(idle) if f'"{key}"' in read]
    assert not [key for key, _ in _ROW.findall(effective) if f'"{key}"' not in read]
