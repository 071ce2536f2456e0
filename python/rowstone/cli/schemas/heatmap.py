"""``rowstone heatmap``"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowstone.cli.common.arguments import Directory, Json, TableName, print_json

if TYPE_CHECKING:
    from rowstone.schema.heat import HeatMap


def command(
    directory: Directory,
    table: TableName,
    seconds: Annotated[float, typer.Option(help="How long to watch a cluster's regions.", min=0.1)] = 20.0,
    svg: Annotated[Path | None, typer.Option(help="SVG file to draw it to, with times and keys.")] = None,
    png: Annotated[Path | None, typer.Option(help="PNG file to draw it to, without labels.")] = None,
    as_json: Json = False,
) -> None:
    """Draw which keys of a table are read and written. Shows the last use of a directory, or a cluster from now on."""
    found = _find_map(directory, table, seconds)
    if as_json:
        print_json(found)
    else:
        typer.echo(str(found))
    if svg is not None:
        svg.write_text(found.svg(), encoding="utf-8")
    if png is not None:
        png.write_bytes(found.png())


def _find_map(target: str, table: str, seconds: float) -> "HeatMap":
    from rowstone._base import last_use as _last_use
    from rowstone.errors import NotFoundError
    from rowstone.schema import heat

    if "://" in target:
        import rowstone

        with rowstone.connect(target) as db:
            return heat.watch(db, table, seconds=seconds)
    path = Path(target)
    saved = path / _last_use.NAME if path.is_dir() else path
    if not saved.exists():
        raise NotFoundError(f"'{saved}' is not there: it is written when a database that was used is closed")
    return heat.load(saved, table)
