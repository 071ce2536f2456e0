"""Folders in object stores, and bounded parallel work on them."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rowstone import _native
from rowstone._base.targets import FILE
from rowstone.errors import InvalidArgument, StorageError

if TYPE_CHECKING:
    from concurrent.futures import Future

StorageOptions = Mapping[str, str] | None
"""Options of a storage by name, as for `rowstone.open_root`."""
_PATIENCE = {"timeout": "5m", "attempt_timeout": "5m", "retry_timeout": "10m"}
"""Defaults for uploads: the requests at a time have 32 MiB, which takes a minute at 4 Mbit/s."""
WORKERS = 4
"""Requests at a time. Each has one chunk in memory."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def is_url(target: str | os.PathLike[str]) -> bool:
    """Whether a target is a URL of a storage, and not a path or ``file://`` URL of this machine."""
    text = os.fspath(target)
    return bool(_URL.match(text)) and not text.startswith(FILE)


def open_folder(url: str | os.PathLike[str], storage_options: StorageOptions) -> _native.RemoteFolder:
    """Open a folder of an object store. Raises `InvalidArgument`, and `UnsupportedOperation` for other storages."""
    given = {name.lower(): value for name, value in (storage_options or {}).items()}
    return _native.RemoteFolder(os.fspath(url), {**_PATIENCE, **given})


def check_name(name: str) -> str:
    """Return the name of a backup. Raises `InvalidArgument`."""
    if not _NAME.fullmatch(name):
        raise InvalidArgument(
            f"a backup cannot be named {name!r}: use at most 100 letters, digits, '.', '_', '-', "
            "and begin with a letter or a digit"
        )
    return name


def files_below(place: Path) -> list[Path]:
    """List the files below a local directory, in order. Raises `StorageError` if a part of it cannot be read."""

    def fail(error: OSError) -> None:
        raise StorageError(f"'{error.filename}' cannot be listed: {error.strerror}") from error

    return sorted(Path(folder) / name for folder, _, names in os.walk(place, onerror=fail) for name in names)


def in_parallel(work: Callable[[Item], Outcome], items: Iterable[Item]) -> Iterator[Outcome]:
    """Yield the result of each item, in their order. Few items are in work at a time, however many there are."""
    # Imported late: few programs upload.
    from concurrent.futures import ThreadPoolExecutor

    waiting: deque[Future[Outcome]] = deque()
    with ThreadPoolExecutor(WORKERS, thread_name_prefix="rowstone-upload") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > WORKERS:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
