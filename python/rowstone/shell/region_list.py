"""Regions with their servers, as lists of the shell show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone import RegionInfo
from rowstone.shell.values import binary_text

if TYPE_CHECKING:
    from rowstone.shell.session import Session

COLUMNS = {
    "SERVER_NAME": 12, "REGION_NAME": 12, "START_KEY": 10, "END_KEY": 10, "SIZE": 5, "REQ": 5, "LOCALITY": 10,
}  # fmt: skip
"""Columns of ``list_regions`` with the width they have at least."""


def places(session: Session, table: str) -> list[tuple[RegionInfo, str]]:
    """The regions of a table, each with its server."""
    if not session.is_cluster:
        return [(region, session.server_name()) for region in session.admin.regions(table)]
    return [(place.region, place.server or "") for place in session.admin.region_places(table)]


def region_text(region: RegionInfo) -> str:
    """A region as Java's ``RegionInfo.toString`` writes it."""
    start, end = binary_text(region.start_key), binary_text(region.end_key)
    name = binary_text(region.name)
    return f"{{ENCODED => {region.encoded_name}, NAME => '{name}', STARTKEY => '{start}', ENDKEY => '{end}'}}"


def print_regions(session: Session, table: str, columns: list[str], server_begin: str) -> None:
    """The table of ``list_regions``. What a database does not tell of a region is an empty field."""
    sizes = _sizes(session, table)
    rows = []
    for region, server in places(session, table):
        if not server.startswith(server_begin):
            continue
        size = sizes.get(region.encoded_name)
        values = {
            "SERVER_NAME": server,
            "REGION_NAME": binary_text(region.name),
            "START_KEY": binary_text(region.start_key),
            "END_KEY": binary_text(region.end_key),
            "SIZE": "" if session.is_cluster else str((size or 0) // 2**20),
            "REQ": "" if session.is_cluster else "0",
            "LOCALITY": "" if session.is_cluster else "1.0" if size else "0.0",
        }
        rows.append([values[column] for column in columns])
    widths = [max([COLUMNS[name], *(len(row[place]) for row in rows)]) for place, name in enumerate(columns)]
    rules = ["-" * width for width in widths]
    for row in [columns, rules, *rows]:
        cells = zip(row, widths, strict=True)
        session.formatter.line("".join(f" {value.rjust(width)} |" for value, width in cells))
    session.formatter.line(f" {len(rows)} rows")


def _sizes(session: Session, table: str) -> dict[str, int]:
    """Bytes of each region's files, where the database tells."""
    sizes: dict[str, int] = {}
    if not session.is_cluster:
        for file in session.admin.store_files(table):
            sizes[file.region] = sizes.get(file.region, 0) + file.size_bytes
    return sizes
