"""Rows of a scan as a pandas DataFrame."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

    from rowstone import _native


def frame(scanner: "_native.Scanner", decode: str | None) -> "pandas.DataFrame":
    """A DataFrame of the rest of a scan: index ``row``, a column per column, None where a row has none.

    Column names are text. Keys and values are bytes, or text in the encoding ``decode``, bytes that are none escaped.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("scan(...).pandas() needs pandas: pip install 'rowstone[pandas]'") from error
    keys, columns = scanner.to_columns()

    def text(value: Any) -> Any:
        return value if decode is None or value is None else value.decode(decode, errors="backslashreplace")

    index = pandas.Index([text(key) for key in keys], name="row", dtype=object)
    data = {
        column.decode(errors="backslashreplace"): pandas.Series([text(value) for value in values], index, dtype=object)
        for column, values in sorted(columns.items())
    }
    return pandas.DataFrame(data, index=index)
