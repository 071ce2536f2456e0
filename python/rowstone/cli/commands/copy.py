"""``rowstone copy``"""

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from rowstone._base.printable import counted, counted_all, printable, size_text
from rowstone.cli.common.arguments import key_of
from rowstone.cli.common.output import progress_line
from rowstone.cli.common.status import INTERRUPTED, NO
from rowstone.cli.common.tables import open_tables

if TYPE_CHECKING:
    from rowstone import Database
    from rowstone.jobs import Comparison, Copied, Difference


def command(
    source: Annotated[str, typer.Argument(help="DIR/TABLE, or hbase://HOST:PORT/TABLE.", metavar="SOURCE")],
    target: Annotated[str, typer.Argument(help="DIR/TABLE, or hbase://HOST:PORT/TABLE.", metavar="TARGET")],
    start: Annotated[str | None, typer.Option(help=r"First row, included; \x00 stands for a byte.")] = None,
    stop: Annotated[str | None, typer.Option(help="End row, excluded.")] = None,
    splits: Annotated[
        str, typer.Option(help="Splits of a new target table: same, none, or split keys separated by commas.")
    ] = "same",
    deletes: Annotated[bool, typer.Option(help="Include delete markers and deleted cells.")] = True,
    verify: Annotated[bool, typer.Option(help="Compare every cell afterwards.")] = True,
    verify_only: Annotated[bool, typer.Option("--verify-only", help="Only compare, copy nothing.")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="Also compare delete markers and deleted cells.")] = False,
) -> None:
    """Copy a table, then compare it cell by cell. Copies schema, all versions and delete markers."""
    with ExitStack() as stack:
        (source_db, source_name), (target_db, target_name) = open_tables(stack, source, target, verify_only)
        tables = _Tables(source_db, source_name, target_db, target_name)
        if not verify_only:
            _create(tables, splits)
            _copy(tables, key_of(start), key_of(stop), deletes=_check_families(tables, deletes))
        if verify or verify_only:
            _verify(tables, key_of(start), key_of(stop), raw)


class _Tables(NamedTuple):
    source: "Database"
    table: str
    target: "Database"
    target_table: str


def _create(tables: _Tables, splits: str) -> None:
    from rowstone import jobs

    keys = [key_of(key) or b"" for key in splits.split(",")] if splits not in ("same", "none") else None
    created = jobs.create_table_like(*tables, splits=[] if splits == "none" else keys)
    typer.echo(f"table {tables.target_table} {'created' if created else 'exists already'}", err=True)


def _check_families(tables: _Tables, deletes: bool) -> bool:
    """Whether delete markers can be copied. Prints what the target's families cannot store."""
    from rowstone.jobs.copies._schema import check_families, lossy_families

    ours, theirs = tables.source.admin.describe(tables.table), tables.target.admin.describe(tables.target_table)
    check_families(ours, theirs)
    for name, settings in lossy_families(ours, theirs).items():
        typer.echo(f"note: family {printable(name)} differs in {', '.join(settings)}", err=True)
    if deletes and any(family.new_version_behavior for family in ours.families.values()):
        typer.echo("note: without delete markers, as a family has NEW_VERSION_BEHAVIOR", err=True)
        return False
    return deletes


def _copy(tables: _Tables, start: bytes | None, stop: bytes | None, *, deletes: bool) -> None:
    from rowstone import jobs

    last = jobs.Copied()
    try:
        with progress_line() as show:

            def report(copied: jobs.Copied) -> None:
                nonlocal last
                last = copied
                show(f"{_counts(copied)}, at {printable(copied.resume_row or b'')}")

            copied = jobs.copy_table(*tables, start=start, stop=stop, deletes=deletes, progress=report)
    except BaseException as error:
        if last.resume_row is not None:
            typer.echo(f"copied {_counts(last)}; continue with --start '{printable(last.resume_row)}'", err=True)
        if isinstance(error, KeyboardInterrupt):
            sys.exit(INTERRUPTED)
        raise
    typer.echo(f"copied {_counts(copied)}")
    for index in tables.target.indexes(tables.target_table):
        if not index.definition.is_built and index.definition.strategy != "filter":
            call = f"db.index('{tables.target_table}', '{index.name}').rebuild()"
            typer.echo(f"note: index {index.name} is not built in the copy; build it with {call}", err=True)


def _counts(state: "Copied") -> str:
    counts = counted_all((state.rows, "row"), (state.cells, "cell"), (state.markers, "delete marker"))
    return f"{counts}, {size_text(state.value_bytes)} of values"


def _verify(tables: _Tables, start: bytes | None, stop: bytes | None, raw: bool) -> None:
    from rowstone import jobs

    with progress_line() as show:
        found = jobs.compare_tables(
            *tables, start=start, stop=stop, raw=raw, progress=lambda state: show(verified(state))
        )
    typer.echo(f"compared: {verified(found)}")
    for difference in found.differences:
        typer.echo(f"  {described(difference)}")
    if not found.are_equal:
        raise typer.Exit(NO)


def verified(found: "Comparison") -> str:
    """Describe how many cells are equal, and how many are not."""
    if found.are_equal:
        return f"{counted(found.equal, 'equal cell')}"
    wrong = f"{found.missing:,} are missing in the target, {found.extra:,} are only there, {found.different:,} differ"
    return f"{counted(found.equal, 'equal cell')}, {wrong}"


def described(difference: "Difference") -> str:
    """Describe a difference in one line."""
    cell = difference.source or difference.target
    if cell is None:
        return ""
    place = f"{printable(cell.row)} {printable(cell.column)} {cell.timestamp} {cell.type}"
    if difference.target is None:
        return f"missing:   {place}"
    return f"only there: {place}" if difference.source is None else f"different: {place}"
