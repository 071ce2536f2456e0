"""The random table of a random script: families, rows, qualifiers and timestamps."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

TTL_SECONDS = 10
FIRST_LIVING = 990_000
"""The oldest timestamp a TTL of ten seconds allows when a script begins."""
TTL_STAMPS = [989_990, 989_999, 990_000, 990_001, 995_000, 999_000, 999_990, 1_000_000]


@dataclass(frozen=True)
class FamilyShape:
    """A family as the `table` command names it."""

    name: str
    options: tuple[tuple[str, str], ...]
    new_versions: bool

    def word(self) -> str:
        """The family as a word of the `table` command."""
        return ",".join([self.name, *(f"{key}={value}" for key, value in self.options)])


@dataclass(frozen=True)
class Shape:
    """The tables and columns that a script writes and reads."""

    families: tuple[FamilyShape, ...]
    configuration: tuple[tuple[str, str], ...]
    rows: tuple[str, ...]
    qualifiers: tuple[str, ...]
    timestamps: tuple[int, ...]
    cell_ttls_ms: tuple[int, ...] = (1, 500, 5000, 20000)
    one_write_a_row: bool = False
    """Whether each row occurs once in a batch: a server assigns timestamps to its parts in sequence."""

    @property
    def expires(self) -> bool:
        """Whether a family has a time to live."""
        return any(key == "TTL" for family in self.families for key, _ in family.options)

    @property
    def flushes_drop_what_is_read(self) -> bool:
        """Whether a flush may drop cells that an open scanner has still to show: what expired meanwhile; and, where
        deleted versions are kept and counted, those that are one too many then."""
        keeps = {("KDC", "TRUE"), ("KDC", "TTL")}
        return self.expires or any(keeps & set(family.options) for family in self.families)

    @property
    def any_new_versions(self) -> bool:
        return any(family.new_versions for family in self.families)

    @property
    def has_empty_qualifier(self) -> bool:
        return "" in self.qualifiers

    def header(self) -> list[str]:
        """The lines that create the table."""
        lines = [f"conf {key} {value}" for key, value in self.configuration]
        words = " ".join(family.word() for family in self.families)
        return [*lines, f"table t {words}"]


def random_shape(random: Random) -> Shape:
    """A random table and its data."""
    new_versions = random.random() < 0.15
    use_ttl = not new_versions and random.random() < 0.4
    names = random.choice([["f"], ["f"], ["f", "g"], ["a", "f", "g"]])
    families = tuple(_family(random, name, new_versions, use_ttl) for name in names)
    empty = random.random() < 0.4 and not new_versions
    timestamps = TTL_STAMPS if use_ttl else range(1, 11)
    return Shape(
        families=families,
        configuration=_configuration(random, new_versions),
        rows=tuple(random.choice([["a", "b"], ["a", "b", "c", "aa"], ["a", "b\\x00", "b", "\\xFF"]])),
        qualifiers=("", "p", "q", "z") if empty else ("p", "q", "r", "z"),
        timestamps=tuple(random.choice(timestamps) for _ in range(8)),
    )


def _configuration(random: Random, new_versions: bool) -> tuple[tuple[str, str], ...]:
    pairs = []
    if not new_versions and random.random() < 0.15:
        pairs.append(("hbase.hstore.time.to.purge.deletes", random.choice(["500", "5000"])))
    if random.random() < 0.05:
        pairs.append(("hbase.store.delete.expired.storefile", "false"))
    return tuple(pairs)


def _family(random: Random, name: str, new_versions: bool, use_ttl: bool) -> FamilyShape:
    versions = random.choice([1, 1, 2, 3, 5])
    options = [("VERSIONS", str(versions))]
    blooms = ["NONE", "ROW"] if new_versions else ["NONE", "ROW", "ROWCOL"]
    options.append(("BLOOM", random.choice(blooms)))
    if new_versions:
        return FamilyShape(name, (*options, ("NVB", "true")), True)
    keep_deleted = random.choice(["FALSE", "FALSE", "TRUE", "TTL"])
    if keep_deleted != "FALSE":
        options.append(("KDC", keep_deleted))
    if use_ttl and random.random() < 0.8:
        options.append(("TTL", str(TTL_SECONDS)))
        if versions > 1 and random.random() < 0.5:
            options.append(("MINV", str(random.randint(1, versions - 1))))
    return FamilyShape(name, tuple(options), False)
