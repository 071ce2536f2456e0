"""Typed columns of a pandas frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.values._typed import _decoded, _text

if TYPE_CHECKING:
    import pandas

    from rowstone import _native
    from rowstone.values._declared import Codecs


def frame(scanner: _native.Scanner, codecs: Codecs) -> pandas.DataFrame:
    """See `TypedScan.pandas`."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("a frame needs pandas: pip install 'rowstone[pandas]'") from error
    keys, columns = scanner.to_columns()
    index = pandas.Index(keys, name="row", dtype=object)
    data: dict[str, Any] = {}
    for column, values in sorted(columns.items()):
        found = codecs.of(column)
        decoded = [None if value is None else _decoded(codecs, column, value) for value in values]
        kind: Any = "object" if found is None else found.frame
        data[_text(column)] = pandas.Series(decoded, index, dtype=kind)
    return pandas.DataFrame(data, index=index)
