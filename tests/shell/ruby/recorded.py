"""Expressions of Ruby with what JRuby answers: `python -m tests.shell.ruby.recorded` asks it again.

A file of `expressions/` holds expressions behind `>>> ` (`... ` for more lines), each followed by the answer of the
JRuby that HBase's shell runs on. A new expression is written without an answer, and recorded.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "expressions"
JUDGE = Path(__file__).with_name("judge.rb")


@dataclass(frozen=True)
class Expression:
    """An evaluated expression and its result: output, and the value or the error."""

    source: str
    answer: str


def expressions_of(text: str) -> list[Expression]:
    """The expressions of a file."""
    found: list[Expression] = []
    source: list[str] = []
    answer: list[str] = []
    for line in [*text.splitlines(), ">>> "]:
        if line.startswith(">>> "):
            if source:
                found.append(Expression("\n".join(source), "\n".join(answer)))
            source, answer = [line[4:]], []
        elif line.startswith("...") and not answer:
            source.append(line[4:])
        else:
            answer.append(line)
    return found


def written(expressions: list[Expression]) -> str:
    """The text of a file with these expressions."""
    lines = []
    for expression in expressions:
        first, *rest = expression.source.split("\n")
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in rest), expression.answer]
    return "\n".join(lines) + "\n"


def judged(sources: list[str]) -> list[str]:
    """JRuby's answers."""
    from tests.clients.test_shell import SHELL_POM
    from tests.oracle.build import fetched

    [jruby] = fetched(SHELL_POM, "shell").glob("jruby-complete-*.jar")
    done = subprocess.run(
        ["java", "-jar", str(jruby), str(JUDGE)],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        check=True,
        env={"TZ": "UTC", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/local/bin"},
    )
    answers: list[str] = json.loads(done.stdout.splitlines()[-1])
    return answers


def record() -> None:
    """Writes the answers of all files again."""
    for file in sorted(FOLDER.glob("*.txt")):
        sources = [expression.source for expression in expressions_of(file.read_text())]
        answers = judged(sources)
        file.write_text(written([Expression(*pair) for pair in zip(sources, answers, strict=True)]))
        print(f"{file.stem}: {len(sources)} expressions")


if __name__ == "__main__":
    record()
