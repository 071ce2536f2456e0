"""Region lists of the shell, with servers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rowstone import RegionInfo
from rowstone._base.printable import printable

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

COLUMNS = {
    "SERVER_NAME": 12, "REGION_NAME": 12, "START_KEY": 10, "END_KEY": 10, "SIZE": 5, "REQ": 5, "LOCALITY": 10,
}  # fmt: skip
"""Columns of ``list_regions`` with their minimum width."""


def _mebibytes(size: int) -> int:
    """Whole mebibytes; less than one counts as one. Source: ``roundSize`` of HBase's region server."""
    return max(size // 2**20, min(size, 1))


def places(session: Session, table: str) -> list[tuple[RegionInfo, str]]:
    """The regions of a table, each with its server."""
    if not session.is_cluster:
        return [(region, session.server_name()) for region in session.admin.regions.list(table)]
    return [(place.region, place.server or "") for place in session.admin.regions.locations(table)]


def region_text(region: RegionInfo) -> str:
    """A region in the format of Java's ``RegionInfo.toString``."""
    start, end = printable(region.start_key), printable(region.end_key)
    name = printable(region.name)
    return f"{{ENCODED => {region.encoded_name}, NAME => '{name}', STARTKEY => '{start}', ENDKEY => '{end}'}}"


def print_regions(
    session: Session, table: str, columns: list[str], server_begin: str, threshold: float | None = None
) -> None:
    """Print the table of ``list_regions``. Unknown values are empty fields."""
    numbers = _of_cluster(session) if session.is_cluster else _in_directory(session, table)
    rows = []
    for region, server in places(session, table):
        if not server.startswith(server_begin):
            continue
        size, requests, locality = numbers(region)
        if threshold is not None and locality and float(locality) > threshold:
            continue
        values = {
            "SERVER_NAME": server,
            "REGION_NAME": printable(region.name),
            "START_KEY": printable(region.start_key),
            "END_KEY": printable(region.end_key),
            "SIZE": size,
            "REQ": requests,
            "LOCALITY": locality,
        }
        rows.append([values[column] for column in columns])
    widths = [max([COLUMNS[name], *(len(row[place]) for row in rows)]) for place, name in enumerate(columns)]
    rules = ["-" * width for width in widths]
    for row in [columns, rules, *rows]:
        cells = zip(row, widths, strict=True)
        session.formatter.line("".join(f" {value.rjust(width)} |" for value, width in cells))
    session.formatter.line(f" {len(rows)} rows")


Numbers = Callable[[RegionInfo], tuple[str, str, str]]
"""Store file size in mebibytes, requests, locality; empty if unknown."""


def _in_directory(session: Session, table: str) -> Numbers:
    sizes: dict[str, int] = {}
    for file in session.admin.tables.store_files(table):
        sizes[file.region] = sizes.get(file.region, 0) + file.size_bytes

    def numbers(region: RegionInfo) -> tuple[str, str, str]:
        size = sizes.get(region.encoded_name, 0)
        return str(_mebibytes(size)), "0", "1.0" if size else "0.0"

    return numbers


def _of_cluster(session: Session) -> Numbers:
    loads = session.admin.metrics.regions()

    def numbers(region: RegionInfo) -> tuple[str, str, str]:
        load = loads.get(region.name)
        if load is None:
            name = printable(region.name)
            session.formatter.line(
                f"Can not find all details for region: {name} , it may be disabled or in transition\n"
            )
            return "", "", ""
        requests = load.get("read_requests_count", 0) + load.get("write_requests_count", 0)
        return str(load.get("storefile_size_mb", 0)), str(requests), str(float(load.get("data_locality", 0)))

    return numbers
