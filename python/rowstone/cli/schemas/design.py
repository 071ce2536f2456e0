"""``rowstone design``"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rowstone.cli.common.arguments import Json, print_json

app = typer.Typer(
    help="Compare row keys and index strategies. Works on a sample, before a table exists.", no_args_is_help=True
)


class Reports(StrEnum):
    """Kinds of queries on an index."""

    FIXED = "fixed"
    AD_HOC = "ad-hoc"


class DatabaseKind(StrEnum):
    """Kinds of databases."""

    DIRECTORY = "directory"
    CLUSTER = "cluster"


@app.command()
def simulate(
    sample: Annotated[
        Path,
        typer.Argument(help="A CSV file with names in its first line, rows as they will be written.", metavar="CSV"),
    ],
    key: Annotated[list[str], typer.Option(help="A key, such as \"salt(8), text('host'), time('at')\"; give several.")],
    query: Annotated[
        list[str] | None,
        typer.Option(
            help='"NAME: host=web1, at=100..200": a value, a range from..to (to excluded), or a start such as web*.'
        ),
    ] = None,
    regions: Annotated[int, typer.Option(help="Regions of the table; a bucketed key gets one per bucket.")] = 10,
    splits: Annotated[Path | None, typer.Option(help="A file with the table's split keys, one per line.")] = None,
    windows: Annotated[int, typer.Option(help="Number of time windows to examine.")] = 50,
    svg: Annotated[Path | None, typer.Option(help="SVG file to draw the hottest region over time.")] = None,
    as_json: Json = False,
) -> None:
    """Compare row keys. Shows the distribution of writes, the cost of queries and the size of the keys."""
    import csv

    from rowstone.errors import InvalidArgument
    from rowstone.keys import parse_key
    from rowstone.schema import design

    rows: list[dict[str, Any]] = []
    with sample.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file, strict=True)
        try:
            for row in reader:
                if None in row or None in row.values():
                    raise InvalidArgument(
                        f"'{sample}', line {reader.line_num}: it has not as many fields as there are names"
                    )
                rows.append(dict(row))
        except (csv.Error, UnicodeDecodeError) as error:
            raise InvalidArgument(f"'{sample}', line {reader.line_num}: {error}") from None
    found = design.simulate(
        {text: parse_key(text) for text in key},
        rows,
        regions=regions,
        splits=splits,
        queries=dict(map(_query, query or [])),
        windows=windows,
        from_text=True,
    )
    if as_json:
        print_json(found)
    else:
        typer.echo(str(found))
    if svg is not None:
        svg.write_text(found.svg(), encoding="utf-8")


@app.command()
def index(
    users: Annotated[int, typer.Option(prompt="How many ask at the same time", help="Number of concurrent readers.")],
    rows: Annotated[float, typer.Option(prompt="How many rows the table has", help="Rows of the table.")],
    rows_per_second: Annotated[float, typer.Option(prompt="Rows written a second", help="Rows written a second.")],
    reports: Annotated[
        Reports,
        typer.Option(
            prompt="Reports: ranges and sums that are known before, or any",
            help="Whether ranges and sums are known before.",
        ),
    ],
    answer_seconds: Annotated[
        float,
        typer.Option(
            prompt="Seconds that an answer may take (90 is often fine)", help="Seconds that an answer may take."
        ),
    ],
    spare_cores: Annotated[float, typer.Option(prompt="Cores with nothing else to do", help="Number of idle cores.")],
    stale_seconds: Annotated[
        float,
        typer.Option(
            prompt="Seconds that an answer may be old",
            help="Seconds; 0 for always up to date.",
        ),
    ] = 0,
    place: Annotated[
        DatabaseKind,
        typer.Option(prompt="Where it is", help="Where the table is."),
    ] = DatabaseKind.DIRECTORY,
    as_json: Json = False,
) -> None:
    """Recommend a strategy for a secondary index. Asks for every answer that no option gives."""
    from rowstone.indexes import choose

    found = choose(
        users=users,
        rows=rows,
        rows_per_second=rows_per_second,
        reports=reports.value,
        answer_seconds=answer_seconds,
        spare_cores=spare_cores,
        stale_seconds=stale_seconds,
        place=place.value,
    )
    if as_json:
        print_json(found)
    else:
        typer.echo(str(found))


def _query(text: str) -> tuple[str, dict[str, Any]]:
    """Parse the name and the conditions of a query.

    >>> _query("last hour: host=web1, at=100..")
    ('last hour', {'host': 'web1', 'at': ('100', None)})
    """
    from rowstone.errors import InvalidArgument

    name, colon, conditions = text.partition(":")
    where = {}
    for condition in conditions.split(","):
        part, sign, wanted = condition.strip().partition("=")
        if not colon or not sign or not part.strip():
            raise InvalidArgument(f'query {text!r} is not of the form "NAME: part=value, part=from..to"')
        where[part.strip()] = _condition(wanted.strip())
    return name.strip(), where


def _condition(text: str) -> Any:
    from rowstone.keys import startswith

    low, dots, high = text.partition("..")
    if dots:
        return low or None, high or None
    return startswith(text[:-1]) if text.endswith("*") else text
