"""Columns as HBase's gateways read them: ``family:qualifier``, or ``family`` alone for all of it."""

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
    """Columns as `rowstone.Table.get` takes them; None or nothing for all. See `wanted_columns`."""
    return wanted_columns(split_column(column) for column in columns or ())


def wanted_columns(pairs: Iterable[tuple[bytes, bytes | None]]) -> list[Column] | None:
    """Pairs of family and qualifier, or None, as `rowstone.Table.get` takes them; None for no pairs.

    A column behind its family narrows it to that column, a family behind its columns widens it to all: so it is in
    HBase's ``Get``.
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
