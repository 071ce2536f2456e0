"""Imports of Rust modules point down the chains of layers in `lib.rs` and `mod.rs`; system calls are in `sys`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.python.rust_imports import Crate, Graph
from tests.python.structure import ROOT, is_test, name_of, product, rust_files

_CHAIN = re.compile(r"in this order:\s*`([^`]+)`")

MACHINE = re.compile(r"\bstd::fs\b|\bSystemTime\b|\bgetrandom\b|\bRandomState\b|\bthread_rng\b|\bstd::(?:net|env)\b")


@cache
def graph(source: Path) -> Graph:
    """The import graph of the crate below `source`."""
    return Crate(source).graph()


def layers(file: Path) -> dict[str, int]:
    """The layer of each module, from the chain of `<` in a `lib.rs` or `mod.rs`; empty without a chain."""
    docs = " ".join(line[3:] for line in file.read_text().splitlines() if line.startswith("//!"))
    found = _CHAIN.search(docs)
    parts = found.group(1).split("<") if found else []
    return {name: height for height, part in enumerate(parts) for name in re.findall(r"\w+", part)}


def folders() -> list[Path]:
    """Files that name their folder's modules in a chain."""
    files = [file for file in rust_files() if file.name in ("lib.rs", "mod.rs") and "src" in file.parts]
    return [file for file in files if layers(file)]


@pytest.mark.parametrize("chain", folders(), ids=name_of)
def test_imports_point_down(chain: Path) -> None:
    heights = layers(chain)
    modules = {path.stem for path in chain.parent.iterdir()} - {"lib", "mod", "tests"}
    assert modules == set(heights), "the chain names every module"
    source = next(parent for parent in chain.parents if parent.name == "src")
    folder = chain.parent.relative_to(source).parts
    inside = {
        (module, target)
        for module, targets in graph(source).items()
        for target in targets
        if module[: len(folder)] == target[: len(folder)] == folder and min(len(module), len(target)) > len(folder)
    }
    ends = [(module, target, module[len(folder)], target[len(folder)]) for module, target in inside]
    wrong = [
        f"{'/'.join(module)} uses {'/'.join(target)}"
        for module, target, user, used in ends
        if user != used and heights[used] >= heights[user]
    ]
    assert not wrong


def test_every_crate_has_a_chain() -> None:
    crates = {chain.parents[1].name for chain in folders() if chain.name == "lib.rs"}
    assert crates >= {"model", "access", "arrow", "quotas", "engine", "rpc", "remote"}


def test_the_engine_calls_the_operating_system_through_sys_only() -> None:
    engine = ROOT / "crates/engine/src"
    wrong = [
        f"{name_of(file)}: {match.group()}"
        for file in rust_files("crates/engine/src")
        if not file.is_relative_to(engine / "sys") and not is_test(file)
        for match in MACHINE.finditer(product(file))
    ]
    assert not wrong


@pytest.mark.parametrize("crate", ["access", "quotas"])
def test_access_and_quotas_depend_on_the_model_only(crate: str) -> None:
    manifest = (ROOT / f"crates/{crate}/Cargo.toml").read_text()
    used = manifest.partition("[dependencies]")[2].partition("[dev-dependencies]")[0]
    assert re.findall(r"^rowstone-\w+", used, re.MULTILINE) == ["rowstone-model"]


def test_remote_depends_on_the_engine_and_the_model_only() -> None:
    manifest = (ROOT / "crates/remote/Cargo.toml").read_text()
    assert set(re.findall(r"^rowstone-\w+", manifest, re.MULTILINE)) == {"rowstone-model", "rowstone-engine"}


def test_inner_crates_depend_on_neither_python_nor_sockets() -> None:
    for crate in ("model", "access", "quotas", "engine", "arrow"):
        manifest = (ROOT / f"crates/{crate}/Cargo.toml").read_text()
        assert not re.search(r"^(pyo3|tokio|object_store|rowstone-py|rowstone-remote)\b", manifest, re.MULTILINE)
