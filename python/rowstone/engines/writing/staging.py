"""Rows as store files in a shared folder, for a bulk load.

Each attempt of a task has a folder of its own, so a repeated or killed task leaves files that the driver does not know.
The driver loads the files of the attempts that succeeded, and removes the folder of the whole write.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowstone import _native
from rowstone._base.remote.files import SUCCESS, local_folder, send_files
from rowstone._base.remote.folder import is_url, open_folder
from rowstone._base.targets import local_path
from rowstone.admin._incoming_files import open_to_servers
from rowstone.errors import NotFoundError

if TYPE_CHECKING:
    from rowstone._core.database import Database

MEMORY_BYTES = 256 << 20
"""Cells of a task in memory. A task with more writes several files for each region."""


@dataclass(frozen=True)
class Staged:
    """The store files of an attempt of a task.

    Attributes:
        row_count: The number of rows that were written.
        files: Families and paths.
        folder: The folder of the attempt.
    """

    row_count: int
    files: tuple[tuple[bytes, str], ...]
    folder: str


class Staging:
    """A folder for the files of one write, in a file system that the servers can read.

    Args:
        parent: A path, or the URL of a folder in an object store. The write has a folder with a unique name in it.
        storage_options: Options of the object store.
    """

    def __init__(self, parent: str, storage_options: Mapping[str, str] | None) -> None:
        place = parent if is_url(parent) else str(Path(local_path(parent)).absolute())
        self.folder = f"{place.rstrip('/')}/{uuid.uuid4().hex}"
        self._storage_options = storage_options
        self._is_prepared = False

    def prepare(self) -> None:
        """Create the folder of the write, on a file system. A task that begins after its removal then fails.

        Others cannot list it, so they do not know the names of the folders in it. HBase protects its staging directory
        in the same way.
        """
        self._is_prepared = True
        if not is_url(self.folder):
            whole = Path(self.folder)
            whole.mkdir(parents=True, exist_ok=True)
            # Another user's task may have created it.
            with suppress(PermissionError):
                whole.chmod(0o711)

    def stage(self, target: Database, name: str, write: Callable[[_native.SortedFiles], int]) -> Staged:
        """Write the files of a task, in the formats of the table's families and for the regions that it has now.

        ``write`` adds rows to the files, and returns their number.
        """
        families = target.admin.describe(name).families
        formats = [(family, settings.to_attributes()) for family, settings in families.items()]
        splits = target.admin.regions.split_keys(name)
        folder = f"{self.folder}/{uuid.uuid4().hex}"
        with local_folder() if is_url(folder) else nullcontext(self._private_folder(folder)) as local:
            files = _native.SortedFiles(str(local), splits, formats, MEMORY_BYTES)
            row_count = write(files)
            written = [(family, Path(path)) for family, path in files.finish()]
            if is_url(folder):
                send_files(open_folder(folder, self._storage_options), local, SUCCESS)
            elif written:
                for path in (local, *local.rglob("*")):
                    open_to_servers(path)
            placed = [(family, f"{folder}/{path.relative_to(local).as_posix()}") for family, path in written]
        return Staged(row_count, tuple(placed), folder)

    def _private_folder(self, folder: str) -> Path:
        """Create the folder of an attempt, for this user alone until its files are complete."""
        if not self._is_prepared:
            self.prepare()
        own = Path(folder)
        own.mkdir(mode=0o700)
        return own

    def load(self, target: Database, name: str, staged: Iterable[Staged]) -> int:
        """Bulk load the files; return the number of rows. The folder is removed at the end."""
        files: dict[bytes, list[str]] = {}
        row_count = 0
        for one in staged:
            row_count += one.row_count
            for family, path in one.files:
                files.setdefault(family, []).append(path)
        target.admin.tables.bulk_load(name, files, move=True, storage_options=self._storage_options)
        return row_count

    def remove(self, staged: Iterable[Staged]) -> None:
        """Remove the files: all of them on a file system, only those of ``staged`` in an object store."""
        if not is_url(self.folder):
            shutil.rmtree(self.folder, ignore_errors=True)
            return
        for one in staged:
            folder = open_folder(one.folder, self._storage_options)
            names = [path.removeprefix(f"{one.folder}/") for _, path in one.files]
            for name in [*names, SUCCESS]:
                # The servers have moved it.
                with suppress(NotFoundError):
                    folder.delete(name)
