"""Directories that nobody has open: looked through, saved, copied."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

from rowstone import _native
from rowstone._base.lifecycle import writer_of
from rowstone._base.printable import printable
from rowstone._base.targets import new_directory
from rowstone._core.cluster import refuse
from rowstone.errors import DatabaseLocked

if TYPE_CHECKING:
    from rowstone._core.cluster import ClusterOptions

Path = str | os.PathLike[str]
Progress = Callable[[str, int, int], None]
"""Called now and then with the file that is read, the bytes done, and the bytes there are."""


def _text(data: bytes | None) -> str:
    return "" if data is None else printable(data)


@dataclass(frozen=True)
class Loss:
    """What a finding costs, as closely as it can be told; what is not known is None.

    Rows from ``first_row`` to ``last_row``, both included, may lack cells: None is the region's end on that side.
    ``sequence_ids`` are the first and last write of the region that are gone, of which some may never have been.
    """

    table: str | None
    region: str | None
    family: bytes | None
    first_row: bytes | None
    last_row: bytes | None
    cells: int | None
    sequence_ids: tuple[int, int] | None

    def __str__(self) -> str:
        name = self.table or "an unknown table"
        if self.family is not None:
            name += f", family {_text(self.family)}"
        if self.region is not None:
            name += f", region {self.region}"
        count = "cells" if self.cells is None else f"{self.cells:,} cells"
        if self.sequence_ids is not None:
            first, last = self.sequence_ids
            return f"{name}: writes {first} to {last}"
        return f"{name}: {count} of rows '{_text(self.first_row)}' to '{_text(self.last_row)}'"


@dataclass(frozen=True)
class Finding:
    """One thing that `check` found.

    ``problem`` is ``"damaged"`` or ``"missing"`` (then ``is_damage``), or a remark: ``"torn tail"`` such as a crash
    leaves, ``"unreachable"`` for a file that no table has, ``"unknown"``. ``file``, ``offset``, ``expected`` and
    ``found`` are those of a `CorruptionError`; ``effect`` says in words what is lost, ``losses`` where.
    """

    problem: str
    is_damage: bool
    file: str
    offset: int
    expected: str
    found: str
    effect: str
    losses: tuple[Loss, ...]


@dataclass(frozen=True)
class CheckReport:
    """What `check` looked at, and what it found. True where nothing is damaged or missing.

    ``cells`` and ``records`` count what can be read in store files and logs.
    """

    path: str
    findings: tuple[Finding, ...]
    tables: int
    regions: int
    store_files: int
    cells: int
    logs: int
    records: int
    size_bytes: int

    @property
    def is_clean(self) -> bool:
        """Whether nothing is damaged or missing; remarks do not count."""
        return not self.damage

    @property
    def damage(self) -> tuple[Finding, ...]:
        """The findings that are damage."""
        return tuple(finding for finding in self.findings if finding.is_damage)

    def __bool__(self) -> bool:
        return self.is_clean

    def __str__(self) -> str:
        counts = f"{self.tables:,} tables, {self.store_files:,} store files, {self.cells:,} cells, {self.logs:,} logs"
        lines = [f"{self.path}: {counts}, {self.records:,} records"]
        for finding in self.findings:
            lines.append(f"{finding.problem}: {finding.file} at {finding.offset}")
            lines.append(f"  expected {finding.expected}, found {finding.found}")
            lines.append(f"  lost: {finding.effect}")
            lines += [f"    {loss}" for loss in finding.losses]
        return "\n".join([*lines, "nothing is damaged" if self.is_clean else f"{len(self.damage):,} damaged"])

    def _repr_html_(self) -> str:
        from rowstone._base.html import table_html

        lines = [
            (found.problem, found.file, f"{found.offset:,}", found.expected, found.found, found.effect)
            for found in self.findings
        ]
        return table_html(("problem", "file", "offset", "expected", "found", "lost"), lines, f"check of {self.path}")


@dataclass(frozen=True)
class RepairReport:
    """What `repair` saved. True where all of the database is in the copy.

    ``checked`` is the report on the damaged directory: its losses are what the copy lacks. ``skipped_records`` could be
    read but came after a gap. Of ``is_manifest_rebuilt`` see `repair`.
    """

    path: str
    is_complete: bool
    is_manifest_rebuilt: bool
    tables: int
    copied_files: int
    rewritten_files: int
    lost_files: int
    cells: int
    records: int
    skipped_records: int
    checked: CheckReport = field(repr=False)

    def __bool__(self) -> bool:
        return self.is_complete

    def __str__(self) -> str:
        losses = [f"  {loss}" for found in self.checked.damage for loss in found.losses]
        rebuilt = ["the manifest was made of folders and files"] if self.is_manifest_rebuilt else []
        return "\n".join(
            [
                f"{self.path}: {self.tables:,} tables, {self.cells:,} cells, {self.records:,} logged writes saved",
                f"store files: {self.copied_files:,} copied, {self.rewritten_files:,} rewritten, "
                f"{self.lost_files:,} lost",
                f"logged writes left behind: {self.skipped_records:,}",
                *rebuilt,
                *(["lost:", *losses] if losses else ["nothing is lost" if self.is_complete else "some is lost"]),
            ]
        )

    def _repr_html_(self) -> str:
        from rowstone._base.html import table_html

        names = ("tables", "cells", "records", "skipped_records", "copied_files", "rewritten_files", "lost_files")
        lines = [(name.replace("_", " "), f"{getattr(self, name):,}") for name in names]
        return table_html(("saved", "count"), lines, f"repair into {self.path}") + self.checked._repr_html_()


@dataclass(frozen=True)
class BackupReport:
    """What a backup or a restored database holds. ``linked_bytes`` of its ``size_bytes`` are shared with the source."""

    path: str
    store_files: int
    logs: int
    size_bytes: int
    linked_bytes: int

    def __str__(self) -> str:
        files = f"{self.store_files:,} store files, {self.logs:,} logs"
        return f"{self.path}: {files}, {self.size_bytes:,} bytes, {self.linked_bytes:,} of them shared"

    def _repr_html_(self) -> str:
        from rowstone._base.html import table_html

        names = ("store_files", "logs", "size_bytes", "linked_bytes")
        lines = [(name.replace("_", " "), f"{getattr(self, name):,}") for name in names]
        return table_html(("copied", "count"), lines, f"copy in {self.path}")


def _report(path: str, facts: dict[str, Any]) -> CheckReport:
    findings = tuple(
        Finding(**{**found, "losses": tuple(Loss(*parts) for parts in found["losses"])}) for found in facts["findings"]
    )
    return CheckReport(path=path, **{**facts, "findings": findings})


def check(path: Path, *, progress: Progress | None = None) -> CheckReport:
    """What is damaged, missing or unknown in a database's directory, and what of it is lost.

    Every file is read: the manifest, the logs, and of store files every block, its checksum and its cells, index and
    Bloom filters. Nothing is changed but the lock file; no process may have the directory open for writing.

    Args:
        progress: Hears how far it is.

    Raises:
        DatabaseLocked, NotADatabase; StorageError where the machine fails. Damage is in the report.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect("db-to-check") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     db.table("t").put("row", {"f:q": "value"})
        >>> report = rs.check("db-to-check")
        >>> report.is_clean, report.tables, report.records
        (True, 1, 1)
    """
    name = os.fspath(path)
    return _report(name, _hinted(name, lambda: _native.check_directory(name, progress)))


def repair(path: Path, out: Path, *, past_damage: bool = False, progress: Progress | None = None) -> RepairReport:
    """Saves what can be read of a damaged database into the new directory ``out``; the damaged one stays as it is.

    Store files that are whole are copied, of others the whole blocks are rewritten. Logged writes are kept up to the
    first that is missing, region by region. Where the manifest is damaged, tables, families and regions are taken from
    what can be read of it, then from folders and files: a family of which nothing else is known keeps every version.

    A delete marker that is lost brings back what it hid.

    Args:
        past_damage: Keep logged writes after missing ones, too: a later write may then be there without an earlier one.
        progress: Hears how far it is.

    Raises:
        DatabaseLocked, NotADatabase; InvalidArgument where ``out`` is not empty, or within ``path``; DiskFull,
        StorageError.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect("db-to-repair") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     db.table("t").put("row", {"f:q": "value"})
        >>> report = rs.repair("db-to-repair", "db-saved")
        >>> report.is_complete, report.records
        (True, 1)
    """
    source, target = os.fspath(path), new_directory(out)
    found, saved = _hinted(source, lambda: _native.repair_directory(source, target, past_damage, progress))
    return RepairReport(path=target, checked=_report(source, found), **saved)


def backup(
    path: Path, out: Path, *, progress: Progress | None = None, **cluster: "Unpack[ClusterOptions]"
) -> BackupReport:
    """Copies a database that nobody has open into the new directory ``out``, which shares its files where it can.

    `Admin.backup` does that for a database that this process has open, while it is written to. Where ``path`` is the
    URL of a server or a cluster, its tables are copied while others go on writing: each as of one moment, by a
    snapshot, cell by cell, with old versions and delete markers. Needs the permission ADMIN there. Permissions, quotas
    and snapshots are not copied.

    Args:
        progress: Hears how far it is: of a URL with tables in place of files and bytes.
        cluster: Of a URL, what `rowstone.connect` takes.

    Raises:
        DatabaseLocked: Another process has it open. CorruptionError: A file is missing or of another length.
        InvalidArgument: ``out`` is not empty, or within ``path``. ConnectionFailed: No server answers at the URL.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect("db-to-copy") as db:
        ...     _ = db.create_table("t", ["f"])
        >>> rs.backup("db-to-copy", "db-copy").logs
        1
    """
    source, target = os.fspath(path), new_directory(out)
    if "://" in source:
        from rowstone.transfer._backup import backup_url

        return backup_url(source, out, progress=progress, **cluster)
    refuse(source, "a directory", cluster)
    return BackupReport(target, *_hinted(source, lambda: _native.copy_directory(source, target, True, progress)))


def restore(out: Path, path: Path, *, progress: Progress | None = None) -> BackupReport:
    """Copies the backup in ``out`` to the new directory ``path``, byte by byte; the backup stays, and shares nothing.

    Raises:
        NotADatabase: ``out`` has no manifest: the backup did not end. CorruptionError: A file of it is missing or cut.
        InvalidArgument: ``path`` is not empty, or within ``out``.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect("db-first") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     _ = db.admin.backup("db-kept")
        >>> _ = rs.restore("db-kept", "db-second")
        >>> with rs.connect("db-second") as db:
        ...     print(db.tables())
        ['t']
    """
    source, target = os.fspath(out), new_directory(path)
    return BackupReport(target, *_hinted(source, lambda: _native.copy_directory(source, target, False, progress)))


def _hinted(path: str, work: Callable[[], Any]) -> Any:
    try:
        return work()
    except DatabaseLocked as error:
        if writer_of(path) is not None:
            raise DatabaseLocked(
                f"the database at {path} is open in this process: close it first, or copy it while it runs with "
                "db.admin.backup(out)"
            ) from None
        hint = (
            "in the process that has it open, db.admin.backup(out) copies it while it runs; of a server, "
            "rowstone backup hbase://HOST:PORT OUT does"
        )
        raise DatabaseLocked(f"{error}; {hint}") from None
