"""What rules see of a table: its schema, and as far as there are any a sample of its data, its sizes, its use."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rowstone._base.printable import printable
from rowstone._base.schema import Family
from rowstone.advise._access import Access
from rowstone.advise._sample import Sample


@dataclass(frozen=True)
class Plans:
    """What nobody can see in a table, and its owner says in the settings (``[tables.NAME]``).

    ``planned_load_bytes`` are to be loaded in bulk; the key begins with one of ``buckets`` salts. ``key`` names the
    parts of the row key in their order, ``queries`` for each query the parts that it gives values or ranges for.
    """

    planned_load_bytes: float = 0
    buckets: int = 0
    key: tuple[str, ...] = ()
    queries: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class TableFacts:
    """A table, read only. ``now_ms`` is when it was looked at.

    ``file_bytes`` and ``file_counts`` are those of each family's store files and empty where nobody tells;
    ``regions`` counts regions that are or will be; ``cache_bytes`` is the block cache's limit, 0 where it is unknown;
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
        """How many regions it has."""
        return len(self.splits) + 1

    def has(self, need: str) -> bool:
        """Whether there is ``"data"``, ``"access"``, ``"files"`` or ``"queries"`` to look at."""
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
    """A family as findings name it."""
    return f"family {printable(name)}"


def column_place(family: bytes, qualifier: bytes) -> str:
    """A column as findings name it."""
    return f"column {printable(family)}:{printable(qualifier)}"


def row_place(key: bytes) -> str:
    """A row as findings name it, cut at 40 bytes."""
    return f"row {printable(key[:40])}" + ("…" if len(key) > 40 else "")
