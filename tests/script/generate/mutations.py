"""Random mutations, as words of a script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from tests.script.generate.filters import Filters
from tests.script.generate.shape import FamilyShape, Shape

OPERATORS = ("EQUAL", "NOT_EQUAL", "LESS", "LESS_OR_EQUAL", "GREATER", "GREATER_OR_EQUAL")
COUNTER = "n"
"""The qualifier increments mostly go to, so that they find numbers."""


class Mutations:
    """Makes mutations for one script; values are numbered in the order of writing."""

    def __init__(self, random: Random, shape: Shape) -> None:
        self.random = random
        self.shape = shape
        self.values = 0
        self.filters = Filters(random, shape)
        self.writes: Counter[tuple[str, str, int]] = Counter()

    def of_one_row(self, row: str, count: int) -> str:
        """Some mutations of one row, of all kinds."""
        return self._together([row] * count, [self.put, self.put, self.delete, self.read_modify_write])

    def of_rows(self, rows: Sequence[str], with_counters: bool) -> str:
        """One mutation for each row."""
        counters = [self.read_modify_write] if with_counters else []
        return self._together(rows, [self.put, self.put, self.delete, *counters])

    def _together(self, rows: Sequence[str], kinds: Sequence[Callable[[str], str]]) -> str:
        """Mutations written at once; with NEW_VERSION_BEHAVIOR there is a delete among them only if it is alone, and
        no column is written twice."""
        if not self.shape.any_new_versions:
            return " ; ".join(self.random.choice(kinds)(row) for row in rows)
        if self.delete in kinds and self.random.random() < 0.3:
            return self.delete(rows[0])
        parts: list[str] = []
        written: set[tuple[str, str]] = set()
        for row in rows:
            part = self.random.choice([kind for kind in kinds if kind != self.delete])(row)
            columns = [(row, word) for word in part.split() if ":" in word]
            if not parts or not written.intersection(columns):
                parts.append(part)
                written.update(columns)
        return " ; ".join(parts)

    # ---- put

    def put(self, row: str) -> str:
        self.values += 1
        column = self.column()
        timestamp = self._timestamp(row, column)
        ttl = self._ttl(0.08)
        return f"put {row} {column} {timestamp} v{self.values}{ttl}"

    def _timestamp(self, row: str, column: str) -> str:
        if self.random.random() < 0.15:
            return "LATEST"
        stamp = self.random.choice(self.shape.timestamps)
        if self.shape.any_new_versions:
            self.writes[row, column, stamp] += 1
            if self.writes[row, column, stamp] > 2:
                return "LATEST"
        return str(stamp)

    # ---- delete

    def delete(self, row: str) -> str:
        stamp = self.random.choice(self.shape.timestamps)
        family = self.family().name
        column = self.column()
        at = "" if self.random.random() < 0.25 else f" {stamp}"
        forms = {
            f"delc {row} {column} {stamp}": 7,
            f"delc {row} {column}": 3,
            f"delcs {row} {column}{at}": 6,
            f"delf {row} {family}{at}": 3,
            f"delfv {row} {family} {stamp}": 3,
            f"del {row}{at}": 2,
            f"delcn {row} {column} {self.random.randint(2, 3)}": 1,
        }
        return self.random.choices(list(forms), list(forms.values()))[0]

    # ---- increment, append

    def read_modify_write(self, row: str) -> str:
        increment = self.random.random() < 0.6
        columns = [self._counter() if increment else self.column()]
        if self.random.random() < 0.3:
            columns.append(self._counter() if increment else self.column())
        ttl = self._ttl(0.15) + self._time_range(0.15)
        if increment:
            pairs = " ".join(f"{column} {self.random.randint(-3, 9)}" for column in columns)
            return f"inc {row} {pairs}{ttl}"
        self.values += 1
        return f"app {row} " + " ".join(f"{column} +{self.values}" for column in columns) + ttl

    def _counter(self) -> str:
        if self.random.random() < 0.05:
            return self.column()
        return f"{self.family().name}:{COUNTER}"

    # ---- check and mutate

    def check_and_mutate(self, row: str) -> str:
        count = 1 if self.random.random() < 0.7 else 2
        if self.random.random() < 0.2:
            return f"cam {row} FILTER {self.filters.text()} : {self.of_one_row(row, count)}"
        column = self.column()
        time_range = self._time_range(0.2)
        if self.random.random() < 0.15:
            check = f"{column} NOTEXISTS"
        else:
            operator = self.random.choice(OPERATORS)
            check = f"{column} {operator} {self._expected()}"
        return f"cam {row} {check}{time_range} : {self.of_one_row(row, count)}"

    def _expected(self) -> str:
        kind = self.random.random()
        if kind < 0.3:
            return "NULL"
        if kind < 0.4:
            return "''"
        return f"v{self.random.randint(1, max(1, self.values))}"

    # ---- parts

    def family(self) -> FamilyShape:
        return self.random.choice(self.shape.families)

    def column(self) -> str:
        return f"{self.family().name}:{self.random.choice(self.shape.qualifiers)}"

    def _ttl(self, share: float) -> str:
        if self.random.random() >= share:
            return ""
        return f" ttl={self.random.choice(self.shape.cell_ttls_ms)}"

    def _time_range(self, share: float) -> str:
        if self.shape.any_new_versions or self.random.random() >= share:
            return ""
        stamps = sorted(self.random.choice(self.shape.timestamps) for _ in range(2))
        return f" tr={stamps[0]},{stamps[1] + 1}"
