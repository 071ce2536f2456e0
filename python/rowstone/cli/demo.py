"""``rowstone demo``"""

from typing import Annotated

import typer


def command(
    at: Annotated[str, typer.Option(help="Directory of the demo's database, or a cluster's URL.")] = "demo-data",
    flights: Annotated[int | None, typer.Option(help="Load only this many of the 336,776 flights.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Load the data again, even if it exists.")] = False,
) -> None:
    """Load real flights into tables, ask eight questions, show the webtable."""
    from rowstone.demo import run

    run(at, flight_count=flights, fresh=fresh)
