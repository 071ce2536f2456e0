"""Files under their own names, for other programs: exports, snapshots, HFiles. A large one is uploaded in parts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rowstone._base.remote.folder import files_below, in_parallel
from rowstone.errors import StorageError

if TYPE_CHECKING:
    from rowstone._native import RemoteFolder

_PART_BYTES = 8 << 20
_MOST_PARTS = 10_000
SUCCESS = "_SUCCESS"
"""Written last, as Hadoop's programs do: the folder is complete."""


@contextmanager
def local_folder() -> Iterator[Path]:
    """Yield a directory for temporary files; it is removed at the end. ``TMPDIR`` chooses its disk."""
    with tempfile.TemporaryDirectory(prefix="rowstone-upload-") as place:
        yield Path(place)


def split_url(url: str) -> tuple[str, str]:
    """Split the URL of a file into that of its folder and its name."""
    folder, _, name = url.rstrip("/").rpartition("/")
    return folder, name


def send_files(folder: RemoteFolder, source: Path, last: str, immutable: str | None = None) -> None:
    """Upload the files of a directory, ``last`` after all others are there; it may be missing in the directory.

    Names below ``immutable`` have the same contents for ever: those that are there with their size are left.

    Raises:
        StorageError: A file could not be sent, or is not there with its size. ``last`` was not written then.
    """
    names = {path.relative_to(source).as_posix(): path for path in files_below(source)}
    final = names.pop(last, None)
    kept = {name: path for name, path in names.items() if immutable is not None and name.startswith(immutable)}
    there = _sizes(folder, kept)
    # The immutable ones first: other files refer to them.
    for name, path in {**kept, **names}.items():
        if name not in kept or there.get(name) != path.stat().st_size:
            send_file(folder, path, name)
    there = _sizes(folder, names)
    if missing := [name for name, path in names.items() if there.get(name) != path.stat().st_size]:
        raise StorageError(f"{len(missing)} sent files are not there, such as '{missing[0]}'; start it again")
    folder.put(last, b"" if final is None else final.read_bytes(), is_new=False)


def _sizes(folder: RemoteFolder, names: dict[str, Path]) -> dict[str, int]:
    """List the sizes of the files in the folders of these names."""
    found: dict[str, int] = {}
    for place in {name.rpartition("/")[0] for name in names}:
        before = f"{place}/" if place else ""
        found |= {f"{before}{name}": size for name, size, _ in folder.list_files(place)}
    return found


def send_file(folder: RemoteFolder, path: Path, name: str) -> None:
    """Upload a file. It appears when all of it is there."""
    size = path.stat().st_size
    part_bytes = max(_PART_BYTES, -(-size // _MOST_PARTS))
    if size <= part_bytes:
        folder.put(name, path.read_bytes(), is_new=False)
        return
    # Otherwise an equal size would not show that this upload has ended.
    was_there = name in _sizes(folder, {name: path})
    upload = folder.begin_upload(name)

    def send_part(index: int) -> str:
        with path.open("rb") as file:
            file.seek(index * part_bytes)
            return folder.put_part(name, upload, index, file.read(part_bytes))

    try:
        parts = list(in_parallel(send_part, range(-(-size // part_bytes))))
        try:
            folder.finish_upload(name, upload, parts)
        except StorageError:
            # If only the answer was lost, the file is there.
            if was_there or _sizes(folder, {name: path}).get(name) != size:
                raise
    except BaseException:
        with suppress(StorageError):
            folder.abort_upload(name, upload)
        raise
