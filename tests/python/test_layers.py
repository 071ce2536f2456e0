"""The chains of layers in `lib.rs` are whole, and paths of `super::` stay within a layer.

So what `crate::` paths name is all that a layer imports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def chain(crate: str) -> list[set[str]]:
    """The layers of a crate as `lib.rs` draws them, lowest first."""
    text = (ROOT / f"crates/{crate}/src/lib.rs").read_text()
    [line] = [line for line in text.splitlines() if line.count(" < ") >= 3]
    # Where the line is prose, the chain is what stands between its backticks.
    drawn = line.split("`")[1] if "`" in line else line
    return [set(re.findall(r"\w+", part)) for part in drawn.split(" < ")]


def sources(crate: str) -> Iterator[tuple[Path, str]]:
    """The files of a crate that are no tests, without their comments."""
    for file in sorted((ROOT / f"crates/{crate}/src").rglob("*.rs")):
        if "tests" not in file.parts and file.stem != "tests":
            yield file, re.sub(r"//.*", "", file.read_text())


@pytest.mark.parametrize("crate", ["model", "engine"])
def test_the_chain_names_every_module_once(crate: str) -> None:
    source = ROOT / f"crates/{crate}/src"
    layers = chain(crate)
    named = sorted(module for layer in layers for module in layer)
    assert named == sorted({path.stem for path in source.iterdir()} - {"lib"})


@pytest.mark.parametrize("crate", ["model", "engine"])
def test_super_stays_within_its_layer(crate: str) -> None:
    source = ROOT / f"crates/{crate}/src"
    wrong = []
    for file, text in sources(crate):
        inside = file.relative_to(source).with_suffix("").parts
        depth = len(inside) - (inside[-1] == "mod")
        body = text.partition("#[cfg(test)]")[0]
        longest = max((match.count("super") for match in re.findall(r"\b(?:super::)+", body)), default=0)
        if file.name != "lib.rs" and longest >= depth:
            wrong.append(f"{file.relative_to(ROOT)}: {'super::' * longest}")
    assert not wrong
