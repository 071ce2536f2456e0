"""``rowstone compare``"""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rowstone._base.printable import counted, printable
from rowstone.cli.commands.copy import described, verified
from rowstone.cli.common.arguments import Json, key_of, open_database, plain, print_json
from rowstone.cli.common.output import progress_line
from rowstone.cli.common.status import INTERRUPTED, NO
from rowstone.cli.common.tables import open_tables, parse_table_address

if TYPE_CHECKING:
    from rowstone import Cell
    from rowstone.jobs import Comparison


def command(
    source: Annotated[str, typer.Argument(help="DIR/TABLE, or hbase://HOST:PORT/TABLE.", metavar="SOURCE")],
    target: Annotated[
        str | None, typer.Argument(help="The other table, in the same form; not with --hashes.", metavar="[TARGET]")
    ] = None,
    start: Annotated[str | None, typer.Option(help=r"First row, included; \x00 stands for a byte.")] = None,
    stop: Annotated[str | None, typer.Option(help="End row, excluded.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Include delete markers and deleted cells.")] = False,
    workers: Annotated[int, typer.Option(help="Number of regions processed in parallel.", min=1)] = 1,
    state: Annotated[Path | None, typer.Option(help="File of equal regions, to continue after Ctrl-C.")] = None,
    restart: Annotated[bool, typer.Option("--restart", help="Start over, ignoring --state.")] = False,
    write_hashes: Annotated[Path | None, typer.Option(help="Write digests of the table to this file.")] = None,
    hashes: Annotated[Path | None, typer.Option(help="Compare the table with the digests in this file.")] = None,
    as_json: Json = False,
) -> None:
    """Compare two tables cell by cell. Between distant sites, compare digests of ranges first."""
    from rowstone.errors import InvalidArgument

    if sum(given is not None for given in (target, write_hashes, hashes)) != 1:
        raise InvalidArgument("pass one of TARGET, --write-hashes FILE and --hashes FILE")
    try:
        if target is None:
            equal = _hashes(source, write_hashes, hashes, key_of(start), key_of(stop), workers, as_json)
        else:
            equal = _cells(source, target, key_of(start), key_of(stop), raw, workers, state, restart, as_json)
    except KeyboardInterrupt:
        typer.echo("interrupted" + ("" if state is None else ": the same command continues"), err=True)
        sys.exit(INTERRUPTED)
    if not equal:
        raise typer.Exit(NO)


def _cells(
    source: str,
    target: str,
    start: bytes | None,
    stop: bytes | None,
    raw: bool,
    workers: int,
    state: Path | None,
    restart: bool,
    as_json: bool,
) -> bool:
    from rowstone import jobs

    with ExitStack() as stack, progress_line() as show:
        (source_db, source_name), (target_db, target_name) = open_tables(stack, source, target, read_only=True)
        found = jobs.compare_tables(
            source_db,
            source_name,
            target_db,
            target_name,
            start=start,
            stop=stop,
            raw=raw,
            workers=workers,
            state=state,
            restart=restart,
            progress=lambda found: show(verified(found)),
        )
    if as_json:
        print_json({"are_equal": found.are_equal, **_with_cells(found)})
        return found.are_equal
    typer.echo(f"compared: {verified(found)}")
    for difference in found.differences:
        typer.echo(f"  {described(difference)}")
    return found.are_equal


def _hashes(
    source: str,
    out: Path | None,
    hashes: Path | None,
    start: bytes | None,
    stop: bytes | None,
    workers: int,
    as_json: bool,
) -> bool:
    from rowstone import jobs

    directory, table = parse_table_address(source)
    with open_database(directory) as db:
        if out is not None:
            ranges = jobs.hash_table(db, table, out, start=start, stop=stop, workers=workers)
            if as_json:
                print_json({"rows": sum(part.rows for part in ranges), "ranges": len(ranges), "file": str(out)})
                return True
            rows = counted(sum(part.rows for part in ranges), "row")
            typer.echo(f"{rows} in {counted(len(ranges), 'range')} written to {out}")
            return True
        found = jobs.compare_hashes(db, table, hashes or "", workers=workers)
    if as_json:
        print_json({"are_equal": not found.different, **plain(found)})
        return not found.different
    typer.echo(f"compared: {found.equal:,} ranges are the same, {len(found.different):,} differ")
    for part in found.different:
        typer.echo(f"  --start '{printable(part.start)}' --stop '{printable(part.stop)}'")
    return not found.different


def _with_cells(found: "Comparison") -> dict[str, Any]:
    """Convert a comparison to JSON; its cells are native objects."""
    names = ("row", "column", "timestamp", "type", "value")

    def cell(one: "Cell | None") -> dict[str, Any] | None:
        return None if one is None else {name: getattr(one, name) for name in names}

    counts = {name: getattr(found, name) for name in ("equal", "missing", "extra", "different")}
    pairs = [{"source": cell(one.source), "target": cell(one.target)} for one in found.differences]
    return {**counts, "differences": pairs}
