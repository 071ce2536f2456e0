"""A call of an observer's hook: measures its time and adds names to its errors."""

import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

from rowstone.errors import CoprocessorError, InvalidType, RowstoneError

_log = logging.getLogger("rowstone")


@dataclass(frozen=True)
class ObserverStats:
    """Cost of the calls of one hook of one observer. Concurrent calls may be counted slightly too low.

    ``total_ns`` and ``longest_ns`` are nanoseconds of wall-clock time, waiting included. ``failures`` counts calls that
    raised, ``late`` those that exceeded the budget.
    """

    observer: str
    hook: str
    calls: int
    failures: int
    late: int
    total_ns: int
    longest_ns: int


class Call:
    """A hook of an observer, ready to be called."""

    __slots__ = (
        "budget_ns",
        "calls",
        "failures",
        "function",
        "hook",
        "late",
        "longest_ns",
        "observer",
        "table",
        "total_ns",
    )

    def __init__(self, function: Callable[..., Any], *, observer: str, hook: str, table: str, budget_ms: float) -> None:
        self.function = function
        self.observer = observer
        self.hook = hook
        self.table = table
        self.budget_ns = int(budget_ms * 1_000_000)
        self.calls = self.failures = self.late = self.total_ns = self.longest_ns = 0

    def __call__(self, *arguments: Any) -> Any:
        started = perf_counter_ns()
        try:
            answer = self.function(*arguments)
        except Exception as error:
            self.failures += 1
            raise self._annotate(error) from (None if isinstance(error, RowstoneError) else error)
        if isinstance(answer, Coroutine):
            answer.close()
            self.failures += 1
            raise InvalidType(f"{self._where()} is an async function: nothing awaits it; define it with def")
        taken = perf_counter_ns() - started
        self.calls += 1
        self.total_ns += taken
        if taken > self.longest_ns:
            self.longest_ns = taken
            if taken > self.budget_ns:
                self._too_late(taken)
        elif taken > self.budget_ns:
            self._too_late(taken)
        return answer

    def _where(self) -> str:
        return f"observer {self.observer} in {self.hook} of table '{self.table}'"

    def _annotate(self, error: Exception) -> Exception:
        """Rowstone's errors keep their class and get a note; others are wrapped in one that names the observer."""
        if isinstance(error, RowstoneError):
            note = f"raised by {self._where()}"
            if note not in getattr(error, "__notes__", ()):
                error.add_note(note)
            return error
        return CoprocessorError(f"{self._where()} failed: {type(error).__name__}: {error}")

    def _too_late(self, taken_ns: int) -> None:
        self.late += 1
        said = f"{self._where()} took {taken_ns / 1e6:.1f} ms, its budget is {self.budget_ns / 1e6:g} ms"
        if self.hook.startswith("pre_"):
            raise CoprocessorError(f"{said}; the operation was not done")
        _log.warning("%s", said)

    def stats(self) -> ObserverStats:
        """Return the cost so far."""
        counts = (self.calls, self.failures, self.late, self.total_ns, self.longest_ns)
        return ObserverStats(self.observer, self.hook, *counts)
