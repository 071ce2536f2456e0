"""``rowstone backup``, ``restore``, ``backups`` and ``prune``."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from rowstone._base.printable import counted, size_text
from rowstone.cli.common.arguments import Directory, Json, StorageOption, print_json, storage_options_of
from rowstone.cli.common.output import progress_bar

Url = Annotated[str, typer.Argument(help="The folder with the backups, such as s3://bucket/backups.", metavar="URL")]


def backup(
    directory: Directory,
    out: Annotated[
        str, typer.Argument(help="The copy's new directory, or a folder such as s3://bucket/backups.", metavar="OUT")
    ],
    name: Annotated[str | None, typer.Option(help="Name of a backup in an object store. Default: the time.")] = None,
    storage_option: StorageOption = None,
    as_json: Json = False,
) -> None:
    """Back up a database. DIR must not be open for writing; the URL of a server copies its database while it is in use.

    OUT shares its files with DIR if both are on one disk. In an object store, only what no other backup there has is
    sent; after an interruption the same command continues.
    """
    import rowstone

    options = storage_options_of(storage_option)
    with progress_bar() as progress:
        report = rowstone.backup(directory, out, name=name, storage_options=options, progress=progress)
    if as_json:
        print_json(report)
    else:
        typer.echo(str(report))


def restore(
    backup: Annotated[
        str, typer.Argument(help="The backup's directory; or the folder with the backups.", metavar="BACKUP")
    ],
    directory: Annotated[str, typer.Argument(help="The new directory for the database.", metavar="DIR")],
    name: Annotated[str | None, typer.Option(help="Name of a backup in an object store. Default: the newest.")] = None,
    storage_option: StorageOption = None,
    as_json: Json = False,
) -> None:
    """Restore a backup to a new directory. The backup itself is not changed."""
    import rowstone

    options = storage_options_of(storage_option)
    with progress_bar() as progress:
        report = rowstone.restore(backup, directory, name=name, storage_options=options, progress=progress)
    if as_json:
        print_json(report)
    else:
        typer.echo(str(report))


def backups(url: Url, storage_option: StorageOption = None, as_json: Json = False) -> None:
    """List the backups in an object store, oldest first. Incomplete ones are left out."""
    import rowstone

    found = rowstone.list_backups(url, storage_options=storage_options_of(storage_option))
    if as_json:
        print_json(found)
        return
    for one in found:
        time = datetime.fromtimestamp(one.created_ms / 1000, UTC)
        size = f"{counted(one.store_files, 'store file')}, {size_text(one.size_bytes)}"
        typer.echo(f"{one.name}  {time:%Y-%m-%d %H:%M:%S} UTC  {size}")


def prune(
    url: Url,
    keep: Annotated[int | None, typer.Option(help="Number of newest backups that stay. Default: all.", min=1)] = None,
    remove: Annotated[list[str] | None, typer.Option(help="Name of a backup to remove; may be repeated.")] = None,
    storage_option: StorageOption = None,
    as_json: Json = False,
) -> None:
    """Remove old backups from an object store. Also removes what interrupted backups left there."""
    import rowstone

    options = storage_options_of(storage_option)
    report = rowstone.prune_backups(url, keep=keep, remove=remove or (), storage_options=options)
    if as_json:
        print_json(report)
    else:
        typer.echo(str(report))
