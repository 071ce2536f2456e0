"""Filters: which rows and cells a read returns, evaluated where the data is stored.

Three ways to write one, all for the keyword ``filter=`` of `Table.get`, `Table.scan`, `Table.exists`,
`Table.get_many` and `Table.check_and_mutate`:

* **Expressions**, the readable form: ``rs.column("f:age", "int64") >= 25``, ``rs.row.startswith("user-")``, combined
  with ``&``, ``|`` and ``~``. If HBase cannot express one, it raises with the reason.
* **Classes** with HBase's names, fields and behavior, quirks included: all 26 filters and 9 comparators.
* **Text** in HBase's filter language, as `str` or `bytes`: ``"PrefixFilter('user-') AND PageFilter(10)"``. `parse`
  converts it to classes, ``filter.language()`` converts classes to text.

Example:
    >>> import rowstone as rs
    >>> with rs.connect(":memory:") as db:
    ...     _ = db.create_table("people", ["f"])
    ...     people = db.table("people")
    ...     people.put("ann", {"f:age": (31).to_bytes(8, "big"), "f:town": "Oslo"})
    ...     people.put("bob", {"f:age": (19).to_bytes(8, "big"), "f:town": "Bergen"})
    ...     adults = rs.column("f:age", "int64") >= 25
    ...     print([row.key for row in people.scan(filter=adults)])
    ...     print([row.key for row in people.scan(filter=~adults)])
    ...     print([row.key for row in people.scan(filter="ValueFilter(=,'substring:berg')")])
    [b'ann']
    [b'bob']
    [b'bob']
"""

from rowstone.filters._base import Comparator, Filter, FilterList, SkipFilter, WhileMatchFilter, parse
from rowstone.filters._cells import (
    ColumnCountGetFilter,
    ColumnPaginationFilter,
    ColumnPrefixFilter,
    ColumnRangeFilter,
    ColumnValueFilter,
    DependentColumnFilter,
    FamilyFilter,
    FirstKeyOnlyFilter,
    FirstKeyValueMatchingQualifiersFilter,
    KeyOnlyFilter,
    MultipleColumnPrefixFilter,
    QualifierFilter,
    TimestampsFilter,
    ValueFilter,
)
from rowstone.filters._comparators import (
    BigDecimalComparator,
    BinaryComparator,
    BinaryComponentComparator,
    BinaryPrefixComparator,
    BitComparator,
    LongComparator,
    NullComparator,
    RegexStringComparator,
    SubstringComparator,
)
from rowstone.filters._expressions import Expression
from rowstone.filters._rows import (
    FuzzyRowFilter,
    InclusiveStopFilter,
    MultiRowRangeFilter,
    PageFilter,
    PrefixFilter,
    RandomRowFilter,
    RowFilter,
    SingleColumnValueExcludeFilter,
    SingleColumnValueFilter,
)
from rowstone.filters._tests import Column, Part, column, family, qualifier, row, value

__all__ = [
    "BigDecimalComparator",
    "BinaryComparator",
    "BinaryComponentComparator",
    "BinaryPrefixComparator",
    "BitComparator",
    "Column",
    "ColumnCountGetFilter",
    "ColumnPaginationFilter",
    "ColumnPrefixFilter",
    "ColumnRangeFilter",
    "ColumnValueFilter",
    "Comparator",
    "DependentColumnFilter",
    "Expression",
    "FamilyFilter",
    "Filter",
    "FilterList",
    "FirstKeyOnlyFilter",
    "FirstKeyValueMatchingQualifiersFilter",
    "FuzzyRowFilter",
    "InclusiveStopFilter",
    "KeyOnlyFilter",
    "LongComparator",
    "MultiRowRangeFilter",
    "MultipleColumnPrefixFilter",
    "NullComparator",
    "PageFilter",
    "Part",
    "PrefixFilter",
    "QualifierFilter",
    "RandomRowFilter",
    "RegexStringComparator",
    "RowFilter",
    "SingleColumnValueExcludeFilter",
    "SingleColumnValueFilter",
    "SkipFilter",
    "SubstringComparator",
    "TimestampsFilter",
    "ValueFilter",
    "WhileMatchFilter",
    "column",
    "family",
    "parse",
    "qualifier",
    "row",
    "value",
]
