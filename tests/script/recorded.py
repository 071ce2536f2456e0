"""Recorded cases: scripts with the answers HBase gave."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.oracle.oracle import is_command
from tests.script.answers import Answer
from tests.script.commands import Command
from tests.script.parse import parse

CASES = Path(__file__).resolve().parent.parent / "cases"


@dataclass(frozen=True)
class Case:
    """A script and HBase's answers, one for each command."""

    name: str
    lines: list[str]
    commands: list[Command]
    answers: list[Answer]


def load_cases(folder: Path = CASES) -> list[Case]:
    """Every recorded case of the folder, by name."""
    return [load_case(path) for path in sorted(folder.glob("*.out"))]


def load_case(path: Path) -> Case:
    """Load a case from its `.out` file, which contains script and answers."""
    lines: list[str] = []
    answers: list[Answer] = []
    for text in path.read_text().splitlines():
        if text.startswith("> "):
            lines.append(text[2:])
            answers.append([])
        elif answers and is_command(text):
            answers[-1].append(text.removeprefix("   "))
    return Case(path.stem, lines, [parse(line) for line in lines], answers)
