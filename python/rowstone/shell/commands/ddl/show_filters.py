"""``show_filters``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.values import Opaque, inspect

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The filters that the filter language has words for, as behind FILTER in get and scan.

  hbase> show_filters
"""


_FILTERS = (
    "DependentColumnFilter", "KeyOnlyFilter", "ColumnCountGetFilter", "SingleColumnValueFilter", "PrefixFilter",
    "SingleColumnValueExcludeFilter", "FirstKeyOnlyFilter", "ColumnRangeFilter", "ColumnValueFilter",
    "TimestampsFilter", "FamilyFilter", "QualifierFilter", "ColumnPrefixFilter", "RowFilter",
    "MultipleColumnPrefixFilter", "InclusiveStopFilter", "PageFilter", "ValueFilter", "ColumnPaginationFilter",
)  # fmt: skip


def command(session: Session) -> Any:
    for name in _FILTERS:
        session.formatter.row([name])
    return Opaque(f"#<Java::JavaUtil::HashMap::KeySet: {inspect(list(_FILTERS))}>")
