"""Makes a failing script small: drops lines for as long as it still fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Fails = Callable[[list[str]], bool]
MOST_RUNS = 600


def shrink(lines: Sequence[str], fails: Fails, most_runs: int = MOST_RUNS) -> list[str]:
    """Return a failing script from which no single line can be removed.

    Larger pieces are tried first, then half of that, down to single lines, then parts of the lines
    that have several. `fails` is asked at most `most_runs` times.
    """
    asked = _Counted(fails, most_runs)
    current = list(lines)
    size = max(1, len(current) // 2)
    while size:
        smaller = _without_pieces(current, size, asked)
        if smaller == current or size > 1:
            size //= 2
        current = smaller
    return _shorter_lines(current, asked)


def _without_pieces(lines: list[str], size: int, fails: Fails) -> list[str]:
    """Tries to drop every run of `size` lines, last first."""
    start = max(0, len(lines) - size)
    while True:
        candidate = lines[:start] + lines[start + size :]
        if candidate and fails(candidate):
            lines = candidate
        if start == 0:
            return lines
        start = max(0, start - size)


def _shorter_lines(lines: list[str], fails: Fails) -> list[str]:
    """Drops options of reads and members of batches, one at a time."""
    for index in range(len(lines)):
        changed = True
        while changed:
            changed = False
            for shorter in _shorter(lines[index]):
                candidate = [*lines[:index], shorter, *lines[index + 1 :]]
                if fails(candidate):
                    lines, changed = candidate, True
                    break
    return lines


def _shorter(line: str) -> list[str]:
    """The line without one of its parts."""
    if line.startswith(("batch ", "rowmut ")):
        head, _, rest = line.partition(" ")
        parts = rest.split(" ; ")
        return [f"{head} " + " ; ".join(parts[:i] + parts[i + 1 :]) for i in range(len(parts)) if len(parts) > 1]
    words = line.split()
    fixed = 2 if words[0] in ("get", "open") else 1
    if words[0] not in ("scan", "get", "open"):
        return []
    return [" ".join(words[:i] + words[i + 1 :]) for i in range(fixed, len(words))]


class _Counted:
    """Answers no after a maximum number of calls."""

    def __init__(self, fails: Fails, most_runs: int) -> None:
        self._fails = fails
        self._left = most_runs

    def __call__(self, lines: list[str]) -> bool:
        if self._left == 0:
            return False
        self._left -= 1
        return self._fails(lines)
