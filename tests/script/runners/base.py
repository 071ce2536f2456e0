"""Interface of script runners, which execute one command at a time and print its answer."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Protocol

from tests.script.answers import Answer
from tests.script.commands import Command


class CannotAnswer(Exception):
    """This runner has no answer to this command; the message says why. The script continues."""


class CannotGoOn(Exception):
    """This runner cannot do something that later answers depend on; the message says why. The script ends."""


class Runner(Protocol):
    """One run of one script."""

    def run(self, command: Command) -> Answer:
        """The answer; raises CannotAnswer or CannotGoOn."""

    def close(self) -> None:
        """Release the resources of the run."""

    def __enter__(self) -> Runner: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def run_script(runner: Runner, commands: Iterable[Command]) -> list[Answer | None]:
    """One answer per command; None where the runner has none."""
    answers: list[Answer | None] = []
    able = True
    with runner:
        for command in commands:
            try:
                answers.append(runner.run(command) if able else None)
            except CannotAnswer:
                answers.append(None)
            except CannotGoOn:
                able = False
                answers.append(None)
    return answers


class BaseRunner:
    """The context-manager half of a runner."""

    def close(self) -> None:
        """Nothing to give back, unless a subclass has something."""

    def __enter__(self):  # type: ignore[no-untyped-def]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
