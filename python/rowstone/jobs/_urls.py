"""Imports from URLs and exports to them, through a local file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone._base.remote.files import SUCCESS, local_folder, send_file, send_files, split_url
from rowstone._base.remote.folder import open_folder
from rowstone.errors import ExistsError
from rowstone.jobs.files.formats import format_of

if TYPE_CHECKING:
    from rowstone.jobs._export_job import Exported
    from rowstone.jobs._import import Imported


def import_url(
    run: Callable[..., Imported], url: str, form: str | None, options: Mapping[str, Any], *, dry_run: bool
) -> Imported:
    """Fetch a file and import it. It stays next to the file of the progress until the import is complete."""
    name = split_url(url)[1]
    form = format_of(Path(name), form)
    state = Path(options["state"] or f"{name}.import.json")
    local = state.with_name(f"{state.name}.fetched.{form}")
    if not (state.exists() and local.exists()) or options["restart"]:
        new = local.with_name(f"{local.name}.new")
        _native.fetch_file(url, dict(options["storage_options"] or {}), str(new.absolute()))
        new.replace(local)
    given = {**options, "state": state, "storage_options": None}
    done = run(path=local, format=form, dry_run=dry_run, **given)
    local.unlink()
    return done


def export_url(
    run: Callable[..., Exported], url: str, form: str | None, options: Mapping[str, Any], *, dry_run: bool
) -> Exported:
    """Export to a local file or folder and upload it. It starts over after an interruption."""
    place, name = split_url(url)
    is_file = Path(name).suffix.removeprefix(".") in ("parquet", "csv", "jsonl")
    folder = open_folder(place if is_file else url, options["storage_options"])
    there = [known for known, _, _ in folder.list_files("")]
    if name in there if is_file else there:
        raise ExistsError(f"'{url}' is there already: choose another name, or remove what an interrupted export left")
    with local_folder() as local:
        done = run(out=local / name, format=form, dry_run=dry_run, **{**options, "storage_options": None})
        if dry_run:
            return done
        if is_file:
            send_file(folder, local / name, name)
            done.files = (url,)
        else:
            send_files(folder, local / name, SUCCESS)
            done.files = tuple(f"{url.rstrip('/')}/{os.fspath(Path(file).name)}" for file in done.files)
    return done
