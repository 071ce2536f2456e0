"""The advisor's report, for terminals, notebooks, programs and CI."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rowstone._base.html import table_html
from rowstone._base.lazy import import_optional
from rowstone.errors import InvalidArgument
from rowstone.schema.advise._rule import LEVELS, Level

if TYPE_CHECKING:
    import pandas

_HEADINGS = ("level", "rule", "table", "where", "finding", "remedy")


@dataclass(frozen=True)
class Advice:
    """A finding: level, rule, location, message; the reason, the remedy and the source."""

    level: str
    code: str
    name: str
    table: str
    place: str
    message: str
    reason: str
    remedy: str
    source: str

    def __str__(self) -> str:
        place = f", {self.place}" if self.place else ""
        return f"{self.level}: {self.code} {self.name}: {self.table}{place}: {self.message}"


@dataclass(frozen=True)
class Report:
    """All findings, most severe first. A report with findings is true.

    ``tables`` are those that were checked; ``silent`` are the rules without input, by code, with what
    they need; ``left_out`` are tables of index entries, whose schema Rowstone chooses.
    """

    findings: tuple[Advice, ...]
    tables: tuple[str, ...]
    silent: dict[str, str]
    left_out: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Advice]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def at_least(self, level: Level) -> list[Advice]:
        """Return the findings of this level (``"info"``, ``"warning"``, ``"error"``) or a more severe one."""
        if level not in LEVELS:
            raise InvalidArgument(f"level '{level}' is not one of: {', '.join(LEVELS)}")
        return [one for one in self.findings if LEVELS.index(one.level) >= LEVELS.index(level)]

    @property
    def summary(self) -> str:
        """One line about the findings and the rules that were not checked."""
        counts = {level: sum(one.level == level for one in self.findings) for level in reversed(LEVELS)}
        found = ", ".join(f"{count} {level}" for level, count in counts.items() if count) or "no findings"
        unasked = f"; {len(self.silent)} rules had no data to check" if self.silent else ""
        plural = "" if len(self.tables) == 1 else "s"
        left_out = f"; {len(self.left_out)} of index entries left out" if self.left_out else ""
        return f"{len(self.tables)} table{plural}: {found}{unasked}{left_out}"

    def lines(self) -> list[tuple[str, ...]]:
        """Return a line per finding: level, rule, table, location, message, remedy."""
        return [
            (one.level, f"{one.code} {one.name}", one.table, one.place, one.message, one.remedy)
            for one in self.findings
        ]

    def __str__(self) -> str:
        return "\n".join([*map(str, self.findings), self.summary])

    def _repr_html_(self) -> str:
        return table_html(_HEADINGS, self.lines(), self.summary)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain dicts and lists."""
        findings = [asdict(one) for one in self.findings]
        return {
            "tables": list(self.tables),
            "findings": findings,
            "silent": dict(self.silent),
            "left_out": list(self.left_out),
        }

    def to_json(self) -> str:
        """Return the report as JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def pandas(self) -> "pandas.DataFrame":
        """Return a DataFrame with a row per finding. Raises `ImportError` without pandas."""
        library = import_optional("pandas", "a report as a DataFrame", "pandas")
        columns = list(Advice.__dataclass_fields__)
        frame: pandas.DataFrame = library.DataFrame([asdict(one) for one in self.findings], columns=columns)
        return frame
