"""Bulk load through the region servers of a cluster: one call for the files of each region, repeated if it fails.

The client sends paths only, because the servers read the files themselves. A file that spans regions is cut into one
file for each. That happens again to the files of a region that was split meanwhile.

Source: HBase's ``BulkLoadHFilesTool`` and ``SecureBulkLoadManager``.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowstone._base.remote.folder import StorageOptions, in_parallel
from rowstone._base.schema import TableSchema
from rowstone.admin._area import Area, Message, packed, region, table
from rowstone.admin._descriptors import describe
from rowstone.admin._incoming_files import IncomingFile, check_names, cut_file, index_of, open_file
from rowstone.errors import (
    ConnectionFailed,
    OperationTimeout,
    RegionNotFound,
    RegionTooBusy,
    RemoteError,
    RowstoneError,
)

ATTEMPTS = 10
"""Calls for a file, as HBase's ``hbase.bulkload.retries.number``."""
REFUSALS = 3
"""Calls to a region that did not change before a load fails. A region that was split meanwhile has another name."""
_PAUSES = (0.1, 5.0)
"""First and longest pause between two attempts, in seconds."""
_REPEATED = (RegionNotFound, ConnectionFailed, RegionTooBusy)


@dataclass(frozen=True)
class _Region:
    """A region with its server, which is None while it moves."""

    name: bytes
    encoded_name: str
    start: bytes
    server: str | None


Loaded = tuple[str, IncomingFile]
"""The encoded name of a region, and a file that it took."""


class BulkLoad:
    """Bulk loads of a cluster's tables, for the area `Tables`. See `Tables.bulk_load`."""

    def __init__(self, area: Area) -> None:
        self._area = area

    def load(
        self, name: str, files: Iterable[tuple[bytes, str]], *, move: bool, storage_options: StorageOptions
    ) -> list[Loaded]:
        """Load the files (family, path); return those that were loaded, in parts where they had to be cut."""
        schema = describe(self._area._native, name)
        opened = (open_file(schema, family, path, storage_options) for family, path in files)
        waiting = [one for one in opened if one is not None]
        if not waiting:
            return []
        check_names(waiting)
        folders: list[Path] = []
        is_answered = True
        token = self._call(self._regions(name)[0], "PrepareBulkLoad", table_name=table(schema.name))["bulk_token"]
        try:
            return self._load_all(schema, waiting, folders, {"bulk_token": token, "copy_file": not move})
        except (OperationTimeout, KeyboardInterrupt):
            is_answered = False
            raise
        finally:
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)
            # A server that has not answered may still have files in the staging directory, maybe the only copy.
            if is_answered:
                with suppress(RowstoneError):
                    self._call(self._regions(name)[0], "CleanupBulkLoad", bulk_token=token)

    def _load_all(
        self, schema: TableSchema, waiting: list[IncomingFile], folders: list[Path], how: dict[str, Any]
    ) -> list[Loaded]:
        loaded: list[Loaded] = []
        refusals: Counter[str] = Counter()
        unanswered: set[str] = set()
        for pause in _pauses():
            regions = self._regions(schema.name)
            starts = [one.start for one in regions]
            groups: dict[int, list[IncomingFile]] = {}
            for file in _within_regions(schema, waiting, starts, folders):
                groups.setdefault(index_of(starts, file.first_row), []).append(file)
            work = [(regions[index], group) for index, group in groups.items()]
            waiting = []
            for (place, group), answer in zip(
                work, in_parallel(lambda one: self._load_region(*one, how), work), strict=True
            ):
                if answer:
                    loaded += [(place.encoded_name, file) for file in group]
                    continue
                waiting += group
                unanswered |= {file.path for file in group if answer is None}
                refusals[place.encoded_name] += answer is False
                if refusals[place.encoded_name] >= REFUSALS:
                    raise _refused(place, group, is_certain=unanswered.isdisjoint(file.path for file in group))
            if not waiting:
                return loaded
            time.sleep(pause)
        raise OperationTimeout(
            f"table '{schema.name}' took {len(loaded)} files, but not {len(waiting)} others, such as "
            f"{waiting[0].path}: their regions moved or were split during each of {ATTEMPTS} attempts. Load them again"
        )

    def _load_region(self, place: _Region, files: list[IncomingFile], how: dict[str, Any]) -> bool | None:
        """Whether a region has taken its files, all or none; None if it does not answer."""
        paths = [{"family": packed(file.family), "path": file.url} for file in files]
        try:
            answer = self._call(place, "BulkLoadHFile", family_path=paths, assign_seq_num=True, **how)
        except _REPEATED:
            return None
        return bool(answer["loaded"])

    def _call(self, place: _Region, method: str, **request: Any) -> Message:
        if place.server is None:
            raise RegionNotFound(f"region '{place.encoded_name}' is not assigned to a server")
        return self._area._call_service(
            "ClientService", method, {"region": region(place.name), **request}, place.server
        )

    def _regions(self, name: str) -> list[_Region]:
        places = self._area._cluster.region_locations(name)
        return [_Region(info[5], info[4], info[1], server) for info, server in places]


def _refused(place: _Region, files: list[IncomingFile], *, is_certain: bool) -> RemoteError:
    """The error for files that a region cannot take. HBase sends no reason."""
    if not is_certain:
        return RemoteError(
            f"region '{place.encoded_name}' may have taken {files[0].path} and {len(files) - 1} other files in a call "
            "that got no answer, and refused them afterwards: look at the table's rows before you load them again"
        )
    return RemoteError(
        f"region '{place.encoded_name}' refused {files[0].path} and {len(files) - 1} other files; the log of server "
        f"{place.server} has the reason. Often the client's user may not read and write the file where the servers see "
        "it: chmod a+rw, or connect with user="
    )


def _within_regions(
    schema: TableSchema, files: Iterable[IncomingFile], starts: list[bytes], folders: list[Path]
) -> Iterator[IncomingFile]:
    """Iterate over the files that are within one region, and the parts of the others."""
    for file in files:
        if index_of(starts, file.first_row) == index_of(starts, file.last_row):
            yield file
        else:
            yield from cut_file(file, starts, schema.families[file.family], folders)


def _pauses() -> Iterator[float]:
    """The pauses after each attempt, in seconds."""
    pause, longest = _PAUSES
    for _ in range(ATTEMPTS):
        yield pause
        pause = min(2 * pause, longest)
