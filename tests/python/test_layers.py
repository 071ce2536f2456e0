"""Imports of Rust modules point down the chain of layers in each crate's `lib.rs`; system calls are in `sys`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.python.structure import ROOT, is_test, name_of, product, rust_files

_GROUP = re.compile(r"\{([^}]*)\}|(\w+)")
_PATH = re.compile(r"\b(?:crate::|((?:super::)+))(\{|\w+)")

MACHINE = re.compile(r"\bstd::fs\b|\bSystemTime\b|\bgetrandom\b|\bRandomState\b|\bthread_rng\b|\bstd::(?:net|env)\b")
SEEDED = {"crates/engine/src/region/row_locks.rs": "which of the fixed locks a row shares changes nothing but waiting"}
"""Files of the engine that hash with a secret of the process, each with its reason."""


def layers(crate: str) -> dict[str, int]:
    """Modules of a crate by their layer, from the chain of `<` in `lib.rs`."""
    text = (ROOT / f"crates/{crate}/src/lib.rs").read_text()
    [chain] = [line for line in text.splitlines() if line.count("<") >= 3]
    chain = chain[chain.index("`") :] if "`" in chain else chain
    heights: dict[str, int] = {}
    for height, part in enumerate(chain.strip("/! `.").split("<")):
        for match in _GROUP.finditer(part):
            heights.update(dict.fromkeys(re.findall(r"\w+", match.group()), height))
    return heights


def imported(file: Path, source: Path) -> Iterator[str]:
    """Top modules of its crate that `file` names, by `crate::` or by the matching number of `super::`."""
    inside = file.relative_to(source).with_suffix("").parts
    depth = len(inside) - (inside[-1] == "mod")
    text = product(file)
    for match in _PATH.finditer(text):
        supers, name = match.groups()
        if supers and supers.count("super") < depth:
            continue
        if name != "{":
            yield name
        else:
            for item in text[match.end() : text.index("}", match.end())].split(","):
                yield re.split(r"\W", item.strip())[0]


@pytest.mark.parametrize("crate", ["model", "access", "arrow", "quotas", "engine", "rpc"])
def test_imports_point_down(crate: str) -> None:
    source = ROOT / f"crates/{crate}/src"
    heights = layers(crate)
    modules = {path.stem for path in source.iterdir()} - {"lib"}
    assert modules == set(heights), "lib.rs names every module in its chain"
    wrong = []
    for file in rust_files(f"crates/{crate}/src"):
        module = file.relative_to(source).with_suffix("").parts[0]
        if module == "lib" or is_test(file):
            continue
        wrong += [
            f"{name_of(file)} uses {target}"
            for target in imported(file, source)
            if target in heights and target != module and heights[target] >= heights[module]
        ]
    assert not wrong


def test_the_engine_asks_the_machine_through_sys_only() -> None:
    engine = ROOT / "crates/engine/src"
    wrong = [
        f"{name_of(file)}: {match.group()}"
        for file in rust_files("crates/engine/src")
        if not file.is_relative_to(engine / "sys") and not is_test(file)
        for match in MACHINE.finditer(product(file))
        if not (match.group() == "RandomState" and name_of(file) in SEEDED)
    ]
    assert not wrong


@pytest.mark.parametrize("crate", ["access", "quotas"])
def test_access_and_quotas_know_the_model_alone(crate: str) -> None:
    manifest = (ROOT / f"crates/{crate}/Cargo.toml").read_text()
    used = manifest.partition("[dependencies]")[2].partition("[dev-dependencies]")[0]
    assert re.findall(r"^rowstone-\w+", used, re.MULTILINE) == ["rowstone-model"]


def test_model_access_engine_and_arrow_know_neither_python_nor_sockets() -> None:
    for crate in ("model", "access", "quotas", "engine", "arrow"):
        manifest = (ROOT / f"crates/{crate}/Cargo.toml").read_text()
        assert not re.search(r"^(pyo3|tokio|rowstone-py)\b", manifest, re.MULTILINE)
