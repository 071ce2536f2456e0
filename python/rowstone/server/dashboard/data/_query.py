r"""The query of a page: which rows and columns of a table, and how to show them.

Keys and columns are text with ``\xHH`` for a byte, as HBase's shell prints them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rowstone._base.printable import from_printable, printable
from rowstone._core.inspect.explain import rows_of
from rowstone.errors import InvalidArgument
from rowstone.filters import Filter, parse
from rowstone.keys import Key, parse_key
from rowstone.server.dashboard._site import Request, address_of
from rowstone.server.dashboard._words import not_a
from rowstone.server.dashboard.data._budget import PAGE
from rowstone.server.dashboard.data._condition import condition_of

SHOWN = {"decoded": "decoded", "escaped": "escaped bytes", "hex": "hexadecimal"}
"""Forms of values by the parameter ``show``."""
DEFAULT_ROWS = 20
"""Rows of a page without the parameter ``limit``."""
_MOST_FILTER_CHARACTERS = 10_000
_MOST_COLUMNS = 100
_MOST_PREFIX_CHARACTERS = 1_000
_BROKEN_ESCAPE = re.compile(r"\\x(?![0-9a-fA-F]{2}).{0,2}", re.DOTALL)
_BYTE_HELP = r"write \x and two hexadecimal digits, \x5C for a backslash"
_FILTER_HELP = (
    "a filter looks like Name('argument', ...), such as ValueFilter(=, 'substring:word') "
    "or SingleColumnValueFilter('family', 'qualifier', =, 'binary:value')"
)


@dataclass(frozen=True)
class Query:
    """A scan of a table.

    Attributes:
        start: First key. stop: Key before which the scan ends; empty for the table's end. prefix: Prefix of all keys.
        after: Last key of the page before this one.
        columns: Families, and columns as ``family:qualifier``; empty for all.
        filter: A filter in HBase's filter language; empty for none.
        limit: Rows of a page. skip: Columns of each family that are skipped in each row.
        show: A form of values in `SHOWN`.
        layout: Parts of the row keys, as `rowstone.keys` prints them; empty if they are plain bytes.
    """

    table: str
    start: bytes = b""
    stop: bytes = b""
    prefix: bytes = b""
    after: bytes | None = None
    columns: tuple[bytes, ...] = ()
    filter: str = ""
    limit: int = DEFAULT_ROWS
    skip: int = 0
    show: str = "decoded"
    layout: str = ""

    def range(self) -> tuple[bytes, bytes, bool]:
        """The first key, the end key (excluded; empty: the table's end), and whether the first is included.

        >>> Query("t", prefix=b"a", after=b"ab").range(), Query("t", start=b"m", stop=b"n").range()
        ((b'ab', b'b', False), (b'm', b'n', True))
        """
        first, stop = rows_of(None, None, self.prefix or None)
        first = max(first, self.start)
        stop = min(filter(None, (stop, self.stop)), default=b"")
        if self.after is not None and self.after >= first:
            return self.after, stop, False
        return first, stop, True

    @property
    def is_empty(self) -> bool:
        """Whether no key can be in the range."""
        first, stop, _ = self.range()
        return bool(stop) and first >= stop

    @property
    def families(self) -> tuple[bytes, ...]:
        """Families of the columns; empty for all."""
        return tuple(dict.fromkeys(column.partition(b":")[0] for column in self.columns))

    def parsed_filter(self) -> Filter | None:
        """The filter. Raises `InvalidArgument` if it is too long or HBase's parser refuses it."""
        if not self.filter:
            return None
        if len(self.filter) > _MOST_FILTER_CHARACTERS:
            raise InvalidArgument(
                f"the filter has {len(self.filter)} characters; the limit is {_MOST_FILTER_CHARACTERS}"
            )
        if not re.search(r"[A-Za-z]\s*\(", self.filter):
            raise InvalidArgument(not_a(self.filter, "filter", _FILTER_HELP))
        try:
            return parse(self.filter.encode(errors="surrogateescape"))
        except InvalidArgument as error:
            raise InvalidArgument(f"{error}; {_FILTER_HELP}") from None

    def key(self) -> Key | None:
        """The key that decodes the row keys. Raises `InvalidArgument` if the layout is not one."""
        return parse_key(self.layout) if self.layout else None

    def parameters(self, **changes: Any) -> dict[str, str]:
        """The parameters of an address for this query with some attributes changed; defaults are left out."""
        changed = replace(self, **changes)
        found = {
            "from": printable(changed.start),
            "to": printable(changed.stop),
            "prefix": printable(changed.prefix),
            "after": "" if changed.after is None else printable(changed.after),
            "columns": ", ".join(_column_text(column) for column in changed.columns),
            "filter": changed.filter,
            "limit": "" if changed.limit == DEFAULT_ROWS else str(changed.limit),
            "skip": "" if not changed.skip else str(changed.skip),
            "layout": changed.layout,
            "show": "" if changed.show == "decoded" else changed.show,
        }
        return {name: text for name, text in found.items() if text}

    def address(self, page: str, **changes: Any) -> str:
        """The address of a page with this query."""
        return address_of(page, self.table, **self.parameters(**changes))


def bytes_of(text: str, name: str) -> bytes:
    r"""Bytes of a field's text. Raises `InvalidArgument` if a ``\x`` does not begin a byte.

    >>> bytes_of(r"web\x00", "prefix")
    b'web\x00'
    """
    if broken := _BROKEN_ESCAPE.search(text):
        raise InvalidArgument(f"{name} '{text[:100]}': {not_a(broken[0], 'byte', _BYTE_HELP)}")
    return from_printable(text)


def query_of(request: Request) -> Query:
    """The query of a request, with the condition of the form as a filter. Raises `InvalidArgument` if one is wrong."""
    given = request.query
    columns, words = columns_of(given.get("columns", "")), given.get("filter", "").strip()
    if condition := condition_of(given):
        words = f"({words}) AND {condition}" if words else str(condition)
        compared = condition.column.encode(errors="surrogateescape")
        if columns and compared and not {compared, compared.partition(b":")[0]} & set(columns):
            # A filter does not see a column that is not read.
            columns = (*columns, compared)
    if len(columns) > _MOST_COLUMNS:
        raise InvalidArgument(f"{len(columns)} columns are named; the limit is {_MOST_COLUMNS}")
    layout = given.get("layout", "").strip()
    after = given.get("after", "")
    return Query(
        request.rest,
        bytes_of(given.get("from", ""), "start row"),
        bytes_of(given.get("to", ""), "end row"),
        _prefix_of(given.get("prefix", ""), layout),
        bytes_of(after, "after") if after else None,
        columns,
        words,
        min(request.number("limit", DEFAULT_ROWS), PAGE.rows),
        request.number("skip", 0, least=0),
        given.get("show", "") if given.get("show", "") in SHOWN else "decoded",
        layout,
    )


def _prefix_of(text: str, layout: str) -> bytes:
    r"""A prefix: bytes, or with a layout the values of its first parts.

    >>> _prefix_of(r"com.\x00", ""), _prefix_of("host='web1'", "text('host'), int64('seq')")
    (b'com.\x00', b'web1\x00')
    """
    if not layout or not re.match(r"\s*[A-Za-z_]\w*\s*=", text):
        return bytes_of(text, "row prefix")
    wrong = InvalidArgument(not_a(text, "list of values of key parts", "write name=value, ..., such as host='web1'"))
    try:
        call = ast.parse(f"f({text[:_MOST_PREFIX_CHARACTERS]})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise wrong
        values = {str(part.arg): ast.literal_eval(part.value) for part in call.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise wrong from None
    key = parse_key(layout)
    return key.encode(**values) if set(values) == set(key.fields) else key.prefix(**values)


def columns_of(text: str) -> tuple[bytes, ...]:
    r"""Columns and families from text, separated by commas or spaces; ``\x2C`` is a comma in a name.

    >>> columns_of(r"info:name, log f:a\x20b")
    (b'info:name', b'log', b'f:a b')
    """
    return tuple(dict.fromkeys(bytes_of(word, "column") for word in re.split(r"[,\s]+", text) if word))


def column_of(text: str) -> bytes:
    """The bytes of ``family:qualifier``. Raises `InvalidArgument` for anything else."""
    column = bytes_of(text, "column")
    if b":" not in column:
        raise InvalidArgument(not_a(text, "column", "write family:qualifier"))
    return column


def check_families(columns: Iterable[bytes], families: Iterable[bytes]) -> None:
    """Raise `InvalidArgument` for the first column whose family the table does not have."""
    known = list(families)
    for column in columns:
        if column.partition(b":")[0] not in known:
            names = ", ".join(map(printable, known))
            raise InvalidArgument(
                f"no column family '{printable(column.partition(b':')[0], 100)}': "
                f"a column is family:qualifier; the families are: {names}"
            )


def _column_text(column: bytes) -> str:
    return printable(column).replace(",", "\\x2C").replace(" ", "\\x20")
