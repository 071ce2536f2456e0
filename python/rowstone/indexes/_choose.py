"""Recommendation of an index strategy, from five answers about its use."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, get_args

from rowstone._base.options.words import IndexStrategy
from rowstone.errors import InvalidArgument, InvalidType

Reports = Literal["fixed", "ad-hoc"]
Place = Literal["directory", "cluster"]


@dataclass(frozen=True)
class _Rates:
    """Approximate costs.

    Attributes:
        scanned_per_second: Rows of 100 bytes that a core reads and filters per second.
        dual_us, coprocessor_us: Additional time to write a row, for its index entries.
        rebuilt_us: Time per row whose entry a rebuild writes.
    """

    scanned_per_second: float
    dual_us: float
    coprocessor_us: float
    rebuilt_us: float


_RATES = {
    # docs/explanation/benchmarks.md has one to five million; docs/explanation/performance.md has 10 and 18.
    "directory": _Rates(1e6, 12, 20, 40),
    # Each get and put is a call: 30 us and more, on both sides together.
    "cluster": _Rates(2e5, 150, 150, 150),
}


@dataclass(frozen=True)
class Verdict:
    """Argument for or against one strategy."""

    strategy: IndexStrategy
    fits: bool
    why: str

    def __str__(self) -> str:
        return f"{'+' if self.fits else '-'} {self.strategy}: {self.why}"


@dataclass(frozen=True)
class Choice:
    """Result of `choose`.

    Attributes:
        strategy: For `Database.create_index`.
        why: The reason, in a sentence.
        verdicts: One for each of the five, from the cheapest to the most expensive. If none fits, ``strategy`` is the
            one with the fastest queries, and ``why`` names its problem.
    """

    strategy: IndexStrategy
    why: str
    verdicts: tuple[Verdict, ...]

    @property
    def fits(self) -> bool:
        """Whether the strategy meets all requirements."""
        return any(verdict.fits for verdict in self.verdicts if verdict.strategy == self.strategy)

    def __str__(self) -> str:
        return "\n".join([f"{self.strategy}: {self.why}", *map(str, self.verdicts)])

    def _repr_html_(self) -> str:
        from rowstone._base.html import table_html

        cells = [(each.strategy, "yes" if each.fits else "no", each.why) for each in self.verdicts]
        return table_html(("strategy", "fits", "why"), cells, f"{self.strategy}: {self.why}")


@dataclass(frozen=True)
class _Use:
    rates: _Rates
    users: int
    rows: float
    rows_per_second: float
    reports: str
    answer_seconds: float
    spare_cores: float
    stale_seconds: float
    place: str

    def verdicts(self) -> tuple[Verdict, ...]:
        return tuple(
            Verdict(name, *getattr(self, f"_{name}")())
            for name in ("filter", "summary", "periodic", "coprocessor", "dual")
        )

    def _filter(self) -> tuple[bool, str]:
        seconds = self.rows / self.rates.scanned_per_second * max(1.0, self.users / self.spare_cores)
        work = f"{_count(self.users, 'user')} on {_count(self.spare_cores, 'core')}"
        text = f"{_count(self.rows, 'row')} read for {work} take {_seconds(seconds)}"
        if seconds <= self.answer_seconds:
            return True, f"{text}, within {_seconds(self.answer_seconds)}; it needs no upkeep"
        return False, f"{text}, and {_seconds(self.answer_seconds)} is wanted"

    def _summary(self) -> tuple[bool, str]:
        if self.reports != "fixed":
            return False, "its buckets are fixed in advance, and the reports are ad hoc"
        fits, text = self._behind()
        return fits, f"counts and sums cost one row per predefined bucket, however wide the range; {text}"

    def _periodic(self) -> tuple[bool, str]:
        return self._behind()

    def _behind(self) -> tuple[bool, str]:
        """Whether rebuilds can be frequent enough for the required freshness, and keep up with the writes.

        Changed rows may be in any file, so each rebuild may have to read the whole table.
        """
        if self.stale_seconds <= 0:
            return False, "its answers are as old as the last rebuild, and they have to be right now"
        reading = self.rows / self.rates.scanned_per_second / self.stale_seconds
        busy = reading + self.rows_per_second * self.rates.rebuilt_us / 1e6
        text = f"a rebuild every {_seconds(self.stale_seconds)} takes up to {_count(busy, 'core')}, of {self._spare()}"
        return busy <= self.spare_cores, text

    def _coprocessor(self) -> tuple[bool, str]:
        if self.place != "directory":
            return False, "a cluster cannot run Rowstone's observers"
        return self._beside("coprocessor", "row and entry are in one log record, so a crash cannot separate them")

    def _dual(self) -> tuple[bool, str]:
        return self._beside("dual", "correct for all writes through the index; a crash may leave an extra entry")

    def _beside(self, strategy: str, what: str) -> tuple[bool, str]:
        busy = self.rows_per_second * getattr(self.rates, f"{strategy}_us") / 1e6
        if busy > self.spare_cores:
            return False, f"{self._arrivals()} with their entries take {_number(busy)} more cores, of {self._spare()}"
        return True, f"{what}; {self._arrivals()} take {_number(busy)} more cores, of {self._spare()}"

    def _arrivals(self) -> str:
        return f"{_count(self.rows_per_second, 'row')} a second"

    def _spare(self) -> str:
        return f"{_number(self.spare_cores)} to spare"


def choose(
    *,
    users: int,
    rows: float,
    rows_per_second: float,
    reports: Reports,
    answer_seconds: float,
    spare_cores: float,
    stale_seconds: float = 0,
    place: Place = "directory",
) -> Choice:
    """Recommend the cheapest index strategy that meets the requirements, with reasons for and against each.

    Args:
        users: Number of concurrent readers.
        rows: Rows in the table. rows_per_second: Rows written per second.
        reports: ``"fixed"`` if ranges, counts and sums are known in advance; ``"ad-hoc"`` for any range and whole rows.
        answer_seconds: Time that an answer may take; a minute and a half is often fine.
        spare_cores: Idle cores on the machine of the table.
        stale_seconds: Age that an answer may have; 0 requires up-to-date answers.
        place: ``"directory"`` or ``"cluster"``.

    The underlying rates are rounded. Those of a directory are measured, those of a cluster are less certain. Take the
    result as a first answer, and check it on your data with `Index.cost` and `IndexQuery.explain`.

    Raises:
        InvalidArgument, InvalidType: A number is out of range, or a word is unknown.

    Source: HBase's reference guide, "Secondary Indexes and Alternate Query Paths", which names these five questions.

    Example:
        >>> from rowstone.indexes import choose
        >>> found = choose(users=2, rows=5e6, rows_per_second=100, reports="ad-hoc", answer_seconds=90, spare_cores=1)
        >>> print(found.strategy, "-", found.why)
        filter - 5,000,000 rows read for 2 users on 1 core take 10 s, within 90 s; it needs no upkeep
    """
    numbers = {
        "users": (users, 1), "rows": (rows, 0), "rows_per_second": (rows_per_second, 0),
        "answer_seconds": (answer_seconds, 0), "spare_cores": (spare_cores, 0), "stale_seconds": (stale_seconds, 0),
    }  # fmt: skip
    for name, (number, least) in numbers.items():
        _check_number(name, number, least)
    for name, word, words in (("reports", reports, get_args(Reports)), ("place", place, get_args(Place))):
        if word not in words:
            raise InvalidArgument(f"{name} must be one of {', '.join(words)}, not {word!r}")
    if spare_cores == 0:
        raise InvalidArgument("spare_cores must be above 0: every strategy takes CPU time")
    use = _Use(_RATES[place], users, rows, rows_per_second, reports, answer_seconds, spare_cores, stale_seconds, place)
    verdicts = use.verdicts()
    fitting = next((verdict for verdict in verdicts if verdict.fits), None)
    if fitting is not None:
        return Choice(fitting.strategy, fitting.why, verdicts)
    fastest: IndexStrategy = "coprocessor" if place == "directory" else "dual"
    why = next(verdict.why for verdict in verdicts if verdict.strategy == fastest)
    return Choice(fastest, f"none of the five does all of it; its queries are the fastest, but {why}", verdicts)


def _check_number(name: str, given: Any, least: int) -> None:
    if isinstance(given, bool) or not isinstance(given, Real):
        raise InvalidType(f"{name} must be a number, not {type(given).__name__}")
    number: Any = given
    # Larger numbers would overflow a float in the computation.
    if not least <= number <= 1e18:
        raise InvalidArgument(f"{name} must be from {least} to 1e18, not {number}")
    if name == "users" and number % 1:
        raise InvalidArgument(f"users must be a whole number, not {number}")


def _number(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _count(number: float, of: str) -> str:
    return f"{_number(number) if number < 10 else f'{number:,.0f}'} {of}{'' if number == 1 else 's'}"


def _seconds(seconds: float) -> str:
    return f"{seconds / 3600:,.1f} h" if seconds >= 7200 else f"{_number(seconds)} s"
