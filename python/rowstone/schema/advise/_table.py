"""Facts about a table for the rules: its schema, and if available a data sample, sizes and access statistics."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rowstone._base.printable import printable
from rowstone._base.schema import Family
from rowstone.schema.advise._access import Access
from rowstone.schema.advise._sample import Sample


@dataclass(frozen=True)
class Plans:
    """Facts that cannot be read from a table; its owner states them in the settings (``[tables.NAME]``).

    ``planned_load_bytes`` will be bulk loaded; the key begins with one of ``buckets`` salts. ``key`` names the
    parts of the row key in order; ``queries`` lists for each query the parts that it gives values or ranges for.
    """

    planned_load_bytes: float = 0
    buckets: int = 0
    key: tuple[str, ...] = ()
    queries: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class TableFacts:
    """A table, read only. ``now_ms`` is the time of the analysis.

    ``file_bytes`` and ``file_counts`` are those of each family's store files, empty if unknown;
    ``regions`` counts existing or planned regions; ``cache_bytes`` is the block cache's limit, 0 if unknown;
    ``others`` are the names of the other tables.
    """

    name: str
    families: Mapping[bytes, Family]
    attributes: Mapping[str, str] = field(default_factory=dict)
    configuration: Mapping[str, str] = field(default_factory=dict)
    splits: tuple[bytes, ...] = ()
    sample: Sample | None = None
    access: Access | None = None
    plans: Plans = Plans()
    file_bytes: Mapping[bytes, int] = field(default_factory=dict)
    file_counts: Mapping[bytes, int] = field(default_factory=dict)
    cache_bytes: int = 0
    others: tuple[str, ...] = ()
    now_ms: int = 0

    @property
    def regions(self) -> int:
        """The number of regions."""
        return len(self.splits) + 1

    def has(self, need: str) -> bool:
        """Whether ``"data"``, ``"access"``, ``"files"`` or ``"queries"`` are available."""
        if need == "data":
            return self.sample is not None and len(self.sample.rows) > 0
        if need == "files":
            return bool(self.file_bytes)
        if need == "queries":
            return bool(self.plans.key and self.plans.queries)
        return self.access is not None

    @property
    def data(self) -> Sample:
        """The sample; only for rules that need data."""
        return self.sample or Sample(())

    @property
    def use(self) -> Access:
        """The access statistics; only for rules that need them."""
        return self.access or Access()


def family_place(name: bytes) -> str:
    """The location of a family, as printed in findings."""
    return f"family {printable(name)}"


def column_place(family: bytes, qualifier: bytes) -> str:
    """The location of a column, as printed in findings."""
    return f"column {printable(family)}:{printable(qualifier)}"


def row_place(key: bytes) -> str:
    """The location of a row, as printed in findings, cut at 40 bytes."""
    return f"row {printable(key[:40])}" + ("…" if len(key) > 40 else "")
