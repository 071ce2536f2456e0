"""No more than four files of a crate import each other in a circle."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.python.rust_imports import Crate, circles
from tests.python.structure import ROOT

MOST_FILES = 4


def large_circles(source: Path) -> list[list[str]]:
    """The circles of more than `MOST_FILES` files below `source`."""
    found = circles(Crate(source).graph())
    return [["/".join(module) for module in circle] for circle in found if len(circle) > MOST_FILES]


@pytest.mark.parametrize("crate", sorted(path.name for path in (ROOT / "crates").iterdir()))
def test_circles_are_small(crate: str) -> None:
    assert not large_circles(ROOT / f"crates/{crate}/src")


def plant(folder: Path, files: dict[str, str]) -> Path:
    """Write a crate's files below `folder`."""
    for name, text in {"lib.rs": "", **files}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def test_a_planted_circle_is_found(tmp_path: Path) -> None:
    """The five files import each other in five ways; a sixth only imports them."""
    files = {
        "part/a.rs": "use super::b::B;",
        "part/b.rs": "use crate::part::{c::{C, Other as Name}, missing};",
        "part/c.rs": "use super::d;\nfn run() { d::run() }",
        "part/d.rs": "fn run(_: super::E) {}",
        "part/e.rs": "use crate::Again;",
        "part/mod.rs": "pub use e::E;\npub use a::*;",
        "lib.rs": "pub use part::A as Again;\nuse part::a::A;",
        "user.rs": "use crate::part::{a, d};\nfn run() { a::run(); d::run() }",
    }
    files["part/mod.rs"] += "\npub use a::A;"
    assert large_circles(plant(tmp_path, files)) == [[f"part/{name}" for name in "abcde"]]


def test_four_files_comments_and_tests_are_no_large_circle(tmp_path: Path) -> None:
    files = {
        "a.rs": "use crate::b::B;",
        "b.rs": "use crate::c::C;",
        "c.rs": "use crate::d::D;",
        "d.rs": "use crate::a::A;\n// use crate::e::E;\n#[cfg(test)]\nmod tests {\n    use crate::e::E;\n}\n",
        "e.rs": "use crate::a::A;",
    }
    source = plant(tmp_path, files)
    assert not large_circles(source)
    assert [len(circle) for circle in circles(Crate(source).graph())] == [4]
