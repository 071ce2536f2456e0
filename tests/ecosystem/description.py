"""Descriptions of programs: the files of `programs/`, as dataclasses.

A description has the program's coordinates, version and license, the files and tables that it needs, and its tests.
A test is one of these:

- ``run``: a main class with its arguments. It passes if it ends with 0 and its output has every pattern of ``answer``.
- ``python``: a function ``module:name`` of this package. It gets the `Running` program and returns its answer.

The answer of a test is what its patterns found in the output, the content of its ``tables`` and ``files``, and the
number of rows of the tables in ``count``. On Rowstone a test passes if its answer is also equal to HBase's. With
``each``, the description stands for several tests. ``needs`` names earlier tests that write what this test reads.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
POMS = HERE / "poms"


@dataclass(frozen=True)
class Input:
    """A text file that a program reads: ``text``, or ``line`` for each of ``rows``.

    In a line, ``{n}`` is the number of the row and ``{tens}`` is that number divided by 10, rounded down. For points of
    time series there are ``{seconds}``, ``{value}``, ``{series}`` (one of 100) and ``{core}`` (one of 4).
    """

    file: str
    rows: int = 0
    line: str = ""
    text: str = ""

    def lines(self) -> Iterator[str]:
        """The lines of ``rows``."""
        for n in range(self.rows):
            series, step = n % 100, n // 100
            seconds, value = 1_700_000_000 + 10 * step, (n * 7919) % 1009
            yield (
                self.line.format(n=n, tens=n // 10, seconds=seconds, value=value, series=series, core=series % 4) + "\n"
            )


@dataclass(frozen=True)
class Test:
    """A command and how its answer is found; see the module's description."""

    name: str
    run: tuple[str, ...] = ()
    python: str = ""
    answer: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    count: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    quick: bool = False
    seconds: int = 1800


@dataclass(frozen=True)
class Program:
    """A program with its tests. With ``endpoints``, the real HBase runs with the coprocessors of its distribution."""

    key: str
    title: str
    version: str
    license: str
    coordinates: tuple[str, ...]
    pom: Path
    tests: tuple[Test, ...]
    inputs: tuple[Input, ...] = ()
    tables: tuple[Mapping[str, Any], ...] = ()
    sources: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    endpoints: bool = False

    def select(self, names: Sequence[str]) -> Program:
        """The same program with only these tests and the tests that they need."""
        wanted = set(names)
        for test in reversed(self.tests):
            wanted |= set(test.needs) if test.name in wanted else set()
        if unknown := sorted(wanted - {test.name for test in self.tests}):
            raise ValueError(f"{self.title} has no tests {unknown}")
        return replace(self, tests=tuple(test for test in self.tests if test.name in wanted))


def read(key: str) -> Program:
    """The program that `programs/KEY.toml` describes."""
    found = tomllib.loads((PROGRAMS / f"{key}.toml").read_text())

    def sequences(table: Mapping[str, Any]) -> dict[str, Any]:
        return {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}

    tests = tuple(Test(**sequences(each)) for test in found.pop("test") for each in expand(test))
    inputs = tuple(Input(**each) for each in found.pop("input", ()))
    tables = tuple(found.pop("table", ()))
    pom = POMS / found.pop("pom")
    return Program(key=key, pom=pom, tests=tests, inputs=inputs, tables=tables, **sequences(found))


def expand(test: dict[str, Any]) -> list[dict[str, Any]]:
    """The tests that a description stands for: one, or one for each word of ``each``."""
    words = test.pop("each", None)
    if words is None:
        return [test]
    fill = {word: {**test, "name": test["name"].replace("{each}", word)} for word in words}
    return [{**each, "run": [part.replace("{each}", word) for part in test["run"]]} for word, each in fill.items()]


def list_keys() -> list[str]:
    """The keys of all programs."""
    return sorted(file.stem for file in PROGRAMS.glob("*.toml"))
