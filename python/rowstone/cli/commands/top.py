"""``rowstone top``"""

import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from rowstone._base.printable import printable, size_text
from rowstone.cli.common.arguments import Directory, Json, open_database, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from rowstone._base.stores import StoreReport, StoreStats

SHOWN_LINES = 40
_RATES = (("region_reads", "reads/s"), ("region_writes", "writes/s"), ("cache_hits", "hits/s"))
_SIZES = (
    ("memstore_bytes", "memstore"),
    ("store_file_bytes", "files"),
    ("index_bytes", "index"),
    ("bloom_bytes", "Bloom"),
    ("compaction_debt_bytes", "debt"),
)
_COUNTS = (("store_files", "count"), ("store_file_cells", "cells"), ("memstore_cells", "new cells"))


class By(StrEnum):
    """Unit of a line of the page."""

    table = "table"
    region = "region"
    family = "family"


def command(
    directory: Directory,
    table: Annotated[str | None, typer.Argument(help="Only this table.", metavar="[TABLE]")] = None,
    by: Annotated[By, typer.Option(help="A line for each table, region or family.")] = By.table,
    every: Annotated[float, typer.Option(help="Seconds between two refreshes.", min=0.1)] = 2.0,
    once: Annotated[bool, typer.Option("--once", help="Print the numbers once, and exit.")] = False,
    as_json: Json = False,
) -> None:
    """Show the size and load of tables until Ctrl-C. Of a directory, show what is on disk at each refresh."""
    if as_json:
        # A single sample: run the command again for the next.
        print_json(read_report(directory, table).sums(by.value))
        return
    from rich.console import Console

    console = Console()
    if once or not console.is_terminal:
        typer.echo(str(read_report(directory, table).sums(by.value)))
        return
    from rich.live import Live

    with Live(console=console, screen=True, auto_refresh=False) as live:
        try:
            for before, now, seconds in poll(directory, table, by, every):
                live.update(page(before, now, seconds, directory), refresh=True)
        except KeyboardInterrupt:
            return


def read_report(directory: str, table: str | None) -> "StoreReport":
    """Read the current numbers. A directory is opened again, because only then another process's writes show."""
    with open_database(directory) as db:
        return db.admin.metrics.stores(table)


def poll(directory: str, table: str | None, by: By, every: float) -> "Iterator[tuple[StoreReport, StoreReport, float]]":
    """Yield samples, each with the previous one and the seconds between them."""
    before, then = read_report(directory, table).sums(by.value), time.monotonic()
    yield before, before, every
    while True:
        time.sleep(every)
        now, at = read_report(directory, table).sums(by.value), time.monotonic()
        yield before, now, at - then
        before, then = now, at


def page(before: "StoreReport", now: "StoreReport", seconds: float, title: str) -> "Table":
    """Render one page, the busiest and largest first. Rates are since the previous sample."""
    from rich.table import Table

    page = Table(title=f"{title}  {time.strftime('%H:%M:%S')}", title_justify="left", expand=True)
    places = [
        place for place in ("table", "start_key", "family") if any(getattr(one, place) is not None for one in now)
    ]
    rates = [rate for rate in _RATES if any(getattr(one, rate[0]) for one in now)]
    for heading in (place.replace("_", " ") for place in places):
        page.add_column(heading)
    for _, heading in (*rates, *_SIZES, *_COUNTS):
        page.add_column(heading, justify="right")
    old = {(one.table, one.region, one.family): one for one in before}

    def rate(one: "StoreStats", name: str) -> float:
        earlier = old.get((one.table, one.region, one.family), one)
        return max(0, (getattr(one, name) or 0) - (getattr(earlier, name) or 0)) / seconds

    order = sorted(now, key=lambda one: (-sum(rate(one, name) for name, _ in rates), -(one.store_file_bytes or 0)))
    for one in order[:SHOWN_LINES]:
        cells = [_place(getattr(one, place)) for place in places]
        cells += [f"{rate(one, name):,.0f}" for name, _ in rates]
        cells += [_size(getattr(one, name)) for name, _ in _SIZES]
        cells += ["" if getattr(one, name) is None else f"{getattr(one, name):,}" for name, _ in _COUNTS]
        page.add_row(*cells)
    if len(order) > SHOWN_LINES:
        page.caption = f"{len(order) - SHOWN_LINES:,} more"
    return page


def _place(value: str | bytes | None) -> str:
    return printable(value) if isinstance(value, bytes) else value or ""


def _size(value: int | None) -> str:
    return "" if value is None else size_text(value)
