"""Random scans and gets, as lines of a script."""

from __future__ import annotations

from random import Random

from tests.script.generate.filters import Filters
from tests.script.generate.mutations import COUNTER
from tests.script.generate.shape import Shape


class Reads:
    """Makes reads for one script."""

    def __init__(self, random: Random, shape: Shape) -> None:
        self.random = random
        self.shape = shape
        self.filters = Filters(random, shape)

    def scan(self) -> str:
        options = [*self._row_options(), *self._versions(), *self._ranges()]
        if self._happens(0.25):
            options.append("raw")
            if self._happens(0.2):
                options.append(f"cols={self._families()}")
        elif self._happens(0.45):
            options.append(f"cols={self._columns()}")
        options += self._page()
        filters = self._filter(0.4, options)
        if not filters and self._happens(0.12):
            options.append(f"batch={self.random.randint(1, 3)}")
        if self._happens(0.1):
            options.append(f"limit={self.random.randint(1, 3)}")
        return " ".join(["scan", *options, *filters])

    def get(self, row: str) -> str:
        options = [*self._versions(), *self._ranges(), *self._page()]
        if self._happens(0.6):
            options.append(f"cols={self._columns()}")
        if self._happens(0.15):
            options.append("exist")
        return " ".join(["get", row, *options, *self._filter(0.3, options)])

    def scanner_options(self) -> str:
        """Options of a scanner that stays open while other things happen; never a reversed one."""
        options = [word for word in self._row_options() if word != "rev"] + self._versions()
        if self._happens(0.3):
            options.append(f"cols={self._columns()}")
        return " ".join(options)

    # ---- parts

    def _filter(self, share: float, options: list[str]) -> list[str]:
        has_columns = any(option.startswith("cols=") for option in options)
        if not self._happens(share) or (has_columns and self.shape.any_new_versions):
            return []
        return [f"filter={self.filters.text('rev' in options, has_columns)}"]

    def _happens(self, share: float) -> bool:
        return self.random.random() < share

    def _row_options(self) -> list[str]:
        options = []
        if not self.shape.has_empty_qualifier and self._happens(0.2):
            options.append("rev")
        if self._happens(0.15):
            key = self.random.choice(["start", "xstart"])
            options.append(f"{key}={self.random.choice(self.shape.rows)}")
        if self._happens(0.15):
            key = self.random.choice(["stop", "istop"])
            options.append(f"{key}={self.random.choice(self.shape.rows)}")
        if not options and self._happens(0.08):
            options.append(f"prefix={self.random.choice(self.shape.rows)}")
        return options

    def _versions(self) -> list[str]:
        if not self._happens(0.7):
            return []
        return [f"versions={self.random.choice([1, 2, 3, 100, 'all'])}"]

    def _ranges(self) -> list[str]:
        if self.shape.any_new_versions:
            return []
        options = []
        if self._happens(0.3):
            options.append(f"tr={self._range()}")
        elif self._happens(0.08):
            options.append(f"ts={self.random.choice(self.shape.timestamps)}")
        if self._happens(0.1):
            family = self.random.choice(self.shape.families).name
            options.append(f"cftr={family},{self._range()}")
        return options

    def _range(self) -> str:
        stamps = sorted(self.random.choice(self.shape.timestamps) for _ in range(2))
        return f"{stamps[0]},{stamps[1] + self.random.randint(0, 1)}"

    def _page(self) -> list[str]:
        options = []
        if self._happens(0.12):
            options.append(f"mrpcf={self.random.randint(0, 3)}")
        if self._happens(0.12):
            options.append(f"ropcf={self.random.randint(1, 3)}")
        return options

    def _families(self) -> str:
        return self.random.choice(self.shape.families).name

    def _columns(self) -> str:
        names = [
            f"{family.name}:{qualifier}"
            for family in self.shape.families
            for qualifier in [*self.shape.qualifiers, COUNTER, "nope"]
        ]
        chosen = self.random.sample(names, self.random.randint(1, 3))
        if self._happens(0.15):
            chosen.append(self._families())
        return ",".join(chosen)
