"""Column names of HBase's gateways: ``family:qualifier``, or ``family`` for the whole family."""

from collections.abc import Iterable

from rowstone._base.schema import as_bytes

Column = bytes | tuple[bytes, bytes]


def split_column(column: str | bytes) -> tuple[bytes, bytes | None]:
    """Family and qualifier; None without a colon. ``"family:"`` is the column with the empty qualifier.

    Source: HBase's ``CellUtil.parseColumn``.
    """
    family, colon, qualifier = as_bytes(column).partition(b":")
    return family, qualifier if colon else None


def one_column(column: str | bytes) -> Column:
    """A column, or a whole family, as `rowstone.Table.get` takes it."""
    family, qualifier = split_column(column)
    return family if qualifier is None else (family, qualifier)


def columns_of(columns: Iterable[str | bytes] | None) -> list[Column] | None:
    """Return columns as `rowstone.Table.get` takes them; None selects all. See `wanted_columns`."""
    return wanted_columns(split_column(column) for column in columns or ())


def wanted_columns(pairs: Iterable[tuple[bytes, bytes | None]]) -> list[Column] | None:
    """Return pairs of family and qualifier (or None) as `rowstone.Table.get` takes them; None if there are none.

    As in HBase's ``Get``, a column that follows its family narrows the family to that column, and a family that
    follows its columns selects all of them.
    """
    wanted: dict[bytes, list[bytes] | None] = {}
    for family, qualifier in pairs:
        present = wanted.get(family)
        if qualifier is None:
            wanted[family] = None
        elif present is None:
            wanted[family] = [qualifier]
        else:
            present.append(qualifier)
    if not wanted:
        return None
    result: list[Column] = []
    for family, qualifiers in wanted.items():
        result += [family] if qualifiers is None else [(family, qualifier) for qualifier in qualifiers]
    return result
