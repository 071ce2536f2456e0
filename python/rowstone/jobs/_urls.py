"""Imports from URLs and exports to them, through a local file."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
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

_DIGEST = 12


@dataclass(frozen=True)
class Source:
    """A local file with what is imported, its format, and the file of the progress.

    ``settings`` identify the import's source in the file of the progress.
    """

    path: Path
    form: str
    state: Path
    settings: Mapping[str, str]


def local_source(path: Path, form: str | None, state: str | os.PathLike[str] | None) -> Source:
    """Describe the import of a local file. Raises `InvalidArgument` for an unknown format."""
    settings = {"file": str(path.absolute())}
    return Source(path, format_of(path, form), Path(state or f"{path}.import.json"), settings)


def import_url(
    run: Callable[[Source], Imported], url: str, form: str | None, options: Mapping[str, Any], *, dry_run: bool
) -> Imported:
    """Fetch a file and import it. It stays next to the file of the progress until the import is complete.

    Both have a hash of the URL in their names, because other URLs have files of the same name.
    """
    name, digest = split_url(url)[1], hashlib.sha256(url.encode()).hexdigest()
    form = format_of(Path(name), form)
    state = Path(options["state"] or f"{name}.{digest[:_DIGEST]}.import.json")
    # A dry run leaves the copy of an unfinished import alone.
    local = state.with_name(f"{state.name}.{'checked' if dry_run else 'fetched'}-{digest[:_DIGEST]}.{form}")
    if dry_run or options["restart"] or not (state.exists() and local.exists()):
        new = local.with_name(f"{local.name}.new")
        _native.fetch_file(url, dict(options["storage_options"] or {}), str(new.absolute()))
        new.replace(local)
    # Passwords and signatures are not written to the file of the progress.
    shown = re.sub("//[^/@]*@", "//", url.partition("?")[0])
    try:
        return run(Source(local, form, state, {"file": shown, "url_sha256": digest}))
    finally:
        if dry_run or not state.exists():
            local.unlink()


def export_url(
    run: Callable[..., Exported], url: str, form: str | None, options: Mapping[str, Any], *, dry_run: bool
) -> Exported:
    """Export to a local file or folder and upload it. It starts over after an interruption."""
    place, name = split_url(url)
    is_file = Path(name).suffix.removeprefix(".") in ("parquet", "csv", "jsonl")
    folder = open_folder(place if is_file else url, options["storage_options"])
    there = [known for known, _, _ in folder.list_files("")]
    if name in there if is_file else there:
        raise ExistsError(f"'{url}' exists already: choose another name, or remove what an interrupted export left")
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
