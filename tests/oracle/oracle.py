"""Scripts in, HBase's answers out.

    with Oracle() as oracle:
        answers = oracle.run(["table t f", "put r f:a 1 x", "scan"])
    # [[], [], ["r/f:a@1=x"]]

As a program: `python -m tests.oracle.oracle SCRIPT...` prints each script with HBase's answers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

from tests.oracle.process import HANG, OracleProcess

# A process collects garbage (closed regions, log files): it is replaced now and then.
SCRIPTS_PER_PROCESS = 400


def is_command(line: str) -> bool:
    """Whether a line of a script is one that gets an answer: not empty, not a comment."""
    return bool(line.strip()) and not line.startswith("#")


class Oracle:
    """Runs scripts in sequence, each from a clean state, in one process."""

    def __init__(self, command_timeout_ms: int = 20_000) -> None:
        self._command_timeout_ms = command_timeout_ms
        self._process: OracleProcess | None = None
        self._scripts_run = 0

    def run(self, lines: Iterable[str]) -> list[list[str]]:
        """One list of answer lines for each command; after a hang every answer is `[HANG]`."""
        if self._process is not None and self._scripts_run % SCRIPTS_PER_PROCESS == 0:
            self.close()
        self._scripts_run += 1
        commands = [line for line in lines if is_command(line)]
        process = self._running()
        process.answer("reset")
        answers: list[list[str]] = []
        for command in commands:
            answer = process.answer(command)
            if answer and answer[-1] == HANG:
                self.close()
                return answers + [[HANG]] * (len(commands) - len(answers))
            answers.append(answer)
        return answers

    def _running(self) -> OracleProcess:
        if self._process is None:
            self._process = OracleProcess(self._command_timeout_ms)
        return self._process

    def close(self) -> None:
        """Ends the process; the next script starts a new one."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def __enter__(self) -> Oracle:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def with_answers(lines: Sequence[str], answers: Sequence[Sequence[str]]) -> list[str]:
    """The script as a recorded case: comments as they are, commands after "> ", then answers."""
    text: list[str] = []
    left = iter(answers)
    for line in lines:
        if not is_command(line):
            text.append(line if line.strip() else "")
            continue
        text.append(f"> {line}")
        echo = line.startswith("echo")
        text.extend(answer if echo else f"   {answer}" for answer in next(left))
    return text


def main(paths: Sequence[str]) -> None:
    """Prints every script with HBase's answers."""
    with Oracle() as oracle:
        for path in paths:
            lines = Path(path).read_text().splitlines()
            print("\n".join(with_answers(lines, oracle.run(lines))))


if __name__ == "__main__":
    main(sys.argv[1:])
