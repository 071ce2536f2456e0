"""Removal of old backups, and of chunks that no backup has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone._base.printable import counted
from rowstone._base.remote import lists
from rowstone._base.remote.chunks import list_chunks, object_of
from rowstone._base.remote.folder import in_parallel
from rowstone._base.remote.marks import Mark, marked
from rowstone.errors import InvalidArgument, NotFoundError, RetryError

if TYPE_CHECKING:
    from rowstone._native import RemoteFolder

_ID_LENGTH = 17


@dataclass(frozen=True)
class PruneReport:
    """Result of `prune_backups`: backups removed and kept, by name, and the objects that were freed with them."""

    removed: tuple[str, ...]
    kept: tuple[str, ...]
    objects: int
    size_bytes: int

    def __str__(self) -> str:
        removed = f"{counted(len(self.removed), 'backup')} removed, {len(self.kept):,} kept"
        return f"{removed}; {counted(self.objects, 'object')} with {self.size_bytes:,} bytes freed"


def prune(folder: RemoteFolder, keep: int | None, remove: list[str]) -> PruneReport:
    """Remove backups, then the chunks that no other has.

    Raises:
        NotFoundError, InvalidArgument.
        RetryError: A backup is in progress, or another removal.
        CorruptionError: The list of a backup that stays is damaged. No chunk was removed.
    """
    with marked(folder, "prune") as mark:
        # First: a run that was taken for a killed one, and goes on, finds its mark missing and removes its list again.
        for name in _void_marks(mark):
            folder.delete(f"marks/{name}")
        names = [name for _, name in lists.list_names(folder)]
        removed = _removed(names, keep, remove)
        kept = [name for name in names if name not in removed]
        # All lists are read before any of them is removed.
        wanted: set[str] = set()
        for name in kept:
            mark.renew()
            wanted.update(digest for file in lists.read_list(folder, name).files for digest in file.chunks)
        for name in removed:
            mark.renew()
            lists.remove_list(folder, name)
        unused = {digest: size for digest, size in list_chunks(folder).items() if digest not in wanted}
        _remove_chunks(folder, mark, unused)
    return PruneReport(tuple(removed), tuple(kept), len(unused), sum(unused.values()))


def _remove_chunks(folder: RemoteFolder, mark: Mark, digests: Iterable[str]) -> None:
    """Remove chunks. Raises `RetryError` as soon as a backup may have begun that counts on them."""

    def remove(digest: str) -> None:
        mark.check()
        folder.delete(object_of(digest))

    mark.renew()
    for _ in in_parallel(remove, digests):
        mark.renew()


def _void_marks(mark: Mark) -> list[str]:
    """List the void marks of others. Raises `RetryError` if there are marks in force."""
    in_force, void = mark.others()
    for other in in_force:
        if other.startswith("backup-"):
            name = other.removeprefix("backup-")[:-_ID_LENGTH]
            raise RetryError(
                f"backup '{name}' is in progress, or was killed less than an hour ago; try again when it has ended"
            )
        raise RetryError("another process removes old backups, or was killed less than an hour ago; try again later")
    return void


def _removed(names: list[str], keep: int | None, remove: list[str]) -> list[str]:
    """Select the backups to remove: those named, and all but the newest ``keep``."""
    if unknown := [name for name in remove if name not in names]:
        raise NotFoundError(f"there is no backup '{unknown[0]}' (newest: {', '.join(names[-5:]) or 'none'})")
    if keep is not None and keep < 1:
        raise InvalidArgument(f"keep is {keep}: at least 1; name backups to remove all")
    old = names[: max(len(names) - keep, 0)] if keep is not None else []
    return [name for name in names if name in remove or name in old]
