"""Asks the real HBase for the answers of the scripts in this folder and writes the `.out` files.

    python -m tests.cases.record             every script; prints those whose answers changed
    python -m tests.cases.record s02 kdc     the scripts whose names contain one of the words

Scripts that use files of another machine (`place`) keep the answers they came with.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.oracle.oracle import Oracle, with_answers

CASES = Path(__file__).resolve().parent


def needs_foreign_files(lines: Sequence[str]) -> bool:
    """Whether a script reads files that only existed where it was first recorded."""
    return any(line.startswith("place ") for line in lines)


def record(words: Sequence[str]) -> list[Path]:
    """Writes the answers of the chosen scripts; returns the scripts whose answers changed."""
    changed = []
    with Oracle() as oracle:
        for script in sorted(CASES.glob("*.txt")):
            lines = script.read_text().splitlines()
            chosen = not words or any(word in script.stem for word in words)
            if not chosen or needs_foreign_files(lines):
                continue
            text = "\n".join(with_answers(lines, oracle.run(lines))) + "\n"
            recorded = script.with_suffix(".out")
            if not recorded.exists() or recorded.read_text() != text:
                recorded.write_text(text)
                changed.append(script)
    return changed


if __name__ == "__main__":
    for changed_script in record(sys.argv[1:]):
        print(f"changed: {changed_script.stem}")
