"""Random filters, nested, as text. What they keep away from is said in `scripts.py`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.script.generate.shape import Shape

OPERATORS = ("<", "<=", "=", "!=", ">=", ">")
LIST_SHARE = 0.45
WRAP_SHARE = 0.15
DEEPEST = 3


class Filters:
    """Makes filters for one script."""

    def __init__(self, random: Random, shape: Shape) -> None:
        self.random = random
        self.shape = shape
        self.reverse = self.columns = False

    def text(self, reverse: bool = False, columns: bool = False) -> str:
        """A filter for a read in that direction, of named columns or not."""
        self.reverse, self.columns = reverse, columns
        return self._filter(0, may_hint_rows=True)

    def _filter(self, depth: int, may_hint_rows: bool) -> str:
        chance = self.random.random()
        if depth < DEEPEST and chance < LIST_SHARE / (depth + 1):
            word = self.random.choice([" AND ", " OR "])
            count = self.random.randint(2, 3)
            return word.join(f"({self._filter(depth + 1, False)})" for _ in range(count))
        if depth < DEEPEST and chance < LIST_SHARE / (depth + 1) + WRAP_SHARE:
            word = "SKIP" if self.columns else self.random.choice(["SKIP", "WHILE"])
            return f"{word} ({self._filter(depth + 1, False)})"
        return self._leaf(may_hint_rows)

    def _leaf(self, may_hint_rows: bool) -> str:
        kinds: list[Callable[[], str]] = [
            self._of_value, self._of_value, self._of_row, self._of_qualifier, self._of_family, self._single_column,
            self._single_column, self._column_value, self._dependent, self._page, self._count, self._pagination,
            self._keys, self._timestamps, self._stop, self._first,
        ]  # fmt: skip
        if not self.shape.has_empty_qualifier:
            kinds += [self._column_prefix, self._column_prefixes, self._column_range, self._pagination_from]
        if not self.columns:
            kinds.append(self._prefix)
        if may_hint_rows:
            kinds += [self._ranges] if self.reverse else [self._fuzzy, self._ranges]
        return self.random.choice(kinds)()

    # ---- parts

    def _row(self) -> str:
        return self.random.choice([*self.shape.rows, "aa", "c"])

    def _qualifier(self) -> str:
        return self.random.choice([*self.shape.qualifiers, "n", "pp"])

    def _family(self) -> str:
        return self.random.choice(self.shape.families).name

    def _column(self) -> str:
        return f"'{self._family()}','{self._qualifier()}'"

    def _flag(self) -> str:
        return self.random.choice(["true", "false"])

    def _test(self, value: str) -> str:
        """An operator and a comparator for something like `value`."""
        kind = self.random.choice(["binary"] * 4 + ["binaryprefix", "substring", "regexstring", "null", "bit"])
        operator = self.random.choice(OPERATORS)
        if kind == "null":
            return f"{operator},'null:'"
        if kind == "bit":
            return f"{operator},'bit:{self.random.choice(['AND', 'OR', 'XOR'])}:{value}'"
        if kind in ("substring", "regexstring"):
            plain = value if value.isalnum() else "a"
            return f"{self.random.choice(['=', '!='])},'{kind}:{plain[:2]}'"
        return f"{operator},'{kind}:{value}'"

    def _value(self) -> str:
        return f"v{self.random.randint(1, 25)}"

    # ---- leaves

    def _of_value(self) -> str:
        return f"ValueFilter({self._test(self._value())})"

    def _of_row(self) -> str:
        return f"RowFilter({self._test(self._row())})"

    def _of_qualifier(self) -> str:
        return f"QualifierFilter({self._test(self._qualifier())})"

    def _of_family(self) -> str:
        return f"FamilyFilter({self._test(self._family())})"

    def _single_column(self) -> str:
        name = self.random.choice(["SingleColumnValueFilter"] * 2 + ["SingleColumnValueExcludeFilter"])
        flags = f",{self._flag()},{self._flag()}" if self.random.random() < 0.7 else ""
        return f"{name}({self._column()},{self._test(self._value())}{flags})"

    def _column_value(self) -> str:
        return f"ColumnValueFilter({self._column()},{self._test(self._value())})"

    def _dependent(self) -> str:
        more = self.random.choice(["", f",{self._flag()}", f",{self._flag()},{self._test(self._value())}"])
        return f"DependentColumnFilter({self._column()}{more})"

    def _page(self) -> str:
        return f"PageFilter({self.random.randint(0, 3)})"

    def _count(self) -> str:
        return f"ColumnCountGetFilter({self.random.randint(0, 4)})"

    def _pagination(self) -> str:
        return f"ColumnPaginationFilter({self.random.randint(0, 3)},{self.random.randint(0, 2)})"

    def _pagination_from(self) -> str:
        return f"ColumnPaginationFilter({self.random.randint(0, 3)},'{self._qualifier()}')"

    def _keys(self) -> str:
        return f"KeyOnlyFilter({self.random.choice(['', 'true', 'false'])})"

    def _timestamps(self) -> str:
        stamps = sorted({self.random.choice(self.shape.timestamps) for _ in range(self.random.randint(0, 4))})
        return f"TimestampsFilter({','.join(map(str, stamps))})"

    def _prefix(self) -> str:
        # With a prefix of one byte: HBase reads past the end of a row that is shorter than the prefix.
        return f"PrefixFilter('{self.random.choice(['a', 'b', 'c'])}')"

    def _stop(self) -> str:
        return f"InclusiveStopFilter('{self._row()}')"

    def _first(self) -> str:
        if self.random.random() < 0.5:
            return "FirstKeyOnlyFilter()"
        return f"FirstKeyValueMatchingQualifiersFilter('{self._qualifier()}','{self._qualifier()}')"

    def _column_prefix(self) -> str:
        return f"ColumnPrefixFilter('{self._qualifier()}')"

    def _column_prefixes(self) -> str:
        prefixes = sorted({self._qualifier() for _ in range(self.random.randint(1, 3))})
        return "MultipleColumnPrefixFilter(" + ",".join(f"'{prefix}'" for prefix in prefixes) + ")"

    def _column_range(self) -> str:
        ends = sorted(self.random.choice([self._qualifier(), self._qualifier(), ""]) for _ in range(2))
        return f"ColumnRangeFilter('{ends[0]}',{self._flag()},'{ends[1]}',{self._flag()})"

    def _fuzzy(self) -> str:
        keys = [self.random.choice(["a", "aa", "b", "ab"]) for _ in range(self.random.randint(1, 2))]
        masks = ["".join(self.random.choice([r"\x00", r"\x01"]) for _ in key) for key in keys]
        return "FuzzyRowFilter(" + ",".join(f"'{key}','{mask}'" for key, mask in zip(keys, masks, strict=True)) + ")"

    def _ranges(self) -> str:
        ranges = []
        for _ in range(self.random.randint(1, 2)):
            start, stop = sorted([self.random.choice(["a", "aa", "b"]), self.random.choice(["b", "c", "d"])])
            # A range of one row includes it: HBase accepts an empty range, and a reverse scan returns its row.
            flags = (self._flag(), self._flag()) if start != stop else ("true", "true")
            ranges.append(f"'{start}',{flags[0]},'{stop}',{flags[1]}")
        return f"MultiRowRangeFilter({','.join(ranges)})"
