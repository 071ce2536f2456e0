"""``rowstone explore``"""

import html
import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rowstone import Database

Target = Annotated[
    str,
    typer.Argument(
        help="A directory, a cluster's URL, or an HBase root or exported snapshot (a directory, or root+URL).",
        metavar="TARGET",
    ),
]
Write = Annotated[bool, typer.Option("--write", help="Allow the pages to put, increment and delete.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the address only.")]


def command(
    target: Target,
    port: Annotated[int, typer.Option(help="Port on this machine; 0 for any free port.")] = 0,
    write: Write = False,
    no_browser: NoBrowser = False,
) -> None:
    """Explore tables in the browser until Ctrl-C."""
    from rowstone.cli.serving.logs import LOGS, shown_logins
    from rowstone.cli.serving.options import LogFormat
    from rowstone.cli.serving.run import end_asked_for
    from rowstone.server import dashboard

    with (
        end_asked_for() as wait,
        _open_target(target, write) as db,
        dashboard.explore(db, port=port, write=write) as page,
    ):
        # The last use is that of programs: the next explorer shows their traffic, not the reads of this one.
        db._keeps_use = False
        state = "changes are allowed" if write else "read-only"
        typer.echo(f"explorer of {target}, {state}: {page.url} (Ctrl-C ends it)")
        with shown_logins(LOGS[LogFormat.TEXT], write), _browser(page.url, is_wanted=not no_browser):
            wait()


def _open_target(target: str, write: bool) -> "Database":
    """Open the target; a directory without a manifest, but with HBase's folders, as a root of HBase."""
    import rowstone

    if "://" in target:
        return rowstone.connect(target)
    path = Path(target)
    has_data, snapshots = (path / "data").is_dir(), [one.name for one in path.glob(".hbase-snapshot/[!.]*")]
    if not (path / "MANIFEST").exists() and (has_data or snapshots):
        # A folder with nothing but one snapshot was exported.
        return rowstone.open_root(path, snapshot=snapshots[0] if not has_data and len(snapshots) == 1 else None)
    return rowstone.connect(target, read_only=not write, create=False)


@contextmanager
def _browser(url: str, *, is_wanted: bool) -> Iterator[None]:
    """Open the address in a browser during the block, if there is a desktop.

    The browser gets a file that leads to the address: other users of the machine could read the address in the list of
    processes.
    """
    has_desktop = sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if not (is_wanted and has_desktop):
        yield
        return
    with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="rowstone-") as file:
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={html.escape(url)}">')
        file.flush()
        webbrowser.open(Path(file.name).as_uri())
        yield
