"""Check and repair of directories that no process has open."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rowstone import _native
from rowstone._base.lifecycle import writer_of
from rowstone._base.printable import counted, counted_all, printable
from rowstone._base.targets import new_directory
from rowstone.errors import DatabaseLocked

Path = str | os.PathLike[str]
Progress = Callable[[str, int, int], None]
"""Called from time to time with the file being read, the bytes done, and the total bytes."""


_REBUILT = (
    "the manifest was rebuilt from its readable part, folders and files: what else it contained is lost, which may be "
    "settings of families (VERSIONS, TTL), table attributes, indexes, constraints, codecs, snapshots and region "
    "boundaries; check the schema"
)


def _text(data: bytes | None) -> str:
    return "" if data is None else printable(data)


@dataclass(frozen=True)
class Loss:
    """Data lost by a finding, as precisely as known; unknown values are None.

    Rows from ``first_row`` to ``last_row``, both included, may lack cells: None is the region's end on that side.
    ``sequence_ids`` are the first and last lost write of the region; not all numbers in between were necessarily used.
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
        count = "cells" if self.cells is None else counted(self.cells, "cell")
        if self.sequence_ids is not None:
            first, last = self.sequence_ids
            return f"{name}: writes {first} to {last}"
        return f"{name}: {count} of rows '{_text(self.first_row)}' to '{_text(self.last_row)}'"


@dataclass(frozen=True)
class Finding:
    """One finding of `check`.

    ``problem`` is ``"damaged"`` or ``"missing"`` (then ``is_damage``), or a remark: ``"torn tail"``, which a crash can
    leave, ``"unreachable"`` for a file that belongs to no table, ``"unknown"``. ``file``, ``offset``, ``expected`` and
    ``found`` are those of a `CorruptionError`. ``effect`` describes the loss, ``losses`` list where it is.
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
    """Result of `check`: the amount of data read, and the findings. True if nothing is damaged or missing.

    ``cells`` and ``records`` count what is readable in store files and logs.
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
        files = (self.tables, "table"), (self.store_files, "store file")
        counts = counted_all(*files, (self.cells, "cell"), (self.logs, "log"), (self.records, "record"))
        lines = [f"{self.path}: {counts}"]
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
    """Result of `repair`: the data saved. True if the copy contains all of the database.

    ``checked`` is the report on the damaged directory: its losses are what the copy lacks. ``skipped_records`` were
    readable but came after a gap. If ``is_manifest_rebuilt``, parts of the schema may be lost, which no loss
    lists: see `repair`. The copy then does not count as complete.
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
        saved = counted_all((self.tables, "table"), (self.cells, "cell"), (self.records, "logged write"))
        return "\n".join(
            [
                f"{self.path}: {saved} saved",
                f"store files: {self.copied_files:,} copied, {self.rewritten_files:,} rewritten, "
                f"{self.lost_files:,} lost",
                f"logged writes left behind: {self.skipped_records:,}",
                *([_REBUILT] if self.is_manifest_rebuilt else []),
                *(["lost:", *losses] if losses else ["nothing is lost" if self.is_complete else "some is lost"]),
            ]
        )

    def _repr_html_(self) -> str:
        from rowstone._base.html import table_html

        names = ("tables", "cells", "records", "skipped_records", "copied_files", "rewritten_files", "lost_files")
        lines = [(name.replace("_", " "), f"{getattr(self, name):,}") for name in names]
        return table_html(("saved", "count"), lines, f"repair into {self.path}") + self.checked._repr_html_()


def _report(path: str, facts: dict[str, Any]) -> CheckReport:
    findings = tuple(
        Finding(**{**found, "losses": tuple(Loss(*parts) for parts in found["losses"])}) for found in facts["findings"]
    )
    return CheckReport(path=path, **{**facts, "findings": findings})


def check(path: Path, *, progress: Progress | None = None) -> CheckReport:
    """Check a database's directory for damaged, missing and unknown files, and report the data lost.

    Every file is read: the manifest, the logs, and of store files every block with its checksum and cells, the index
    and the Bloom filters. Nothing but the lock file is changed. No process may have the directory open for writing.

    Args:
        progress: Called with the progress.

    Raises:
        DatabaseLocked, NotADatabase.
        StorageError: The disk or the operating system fails. Damage is reported, not raised.

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
    return _report(name, with_lock_hint(name, lambda: _native.check_directory(name, progress)))


def repair(path: Path, out: Path, *, past_damage: bool = False, progress: Progress | None = None) -> RepairReport:
    """Save the readable data of a damaged database into the new directory ``out``; the damaged one is left as it is.

    Intact store files are copied; of damaged ones the intact blocks are rewritten. Logged writes are kept up to the
    first that is missing, region by region. If the manifest is damaged, tables, families and regions are restored from
    its readable part, then from folders and files. A family of which nothing else is known keeps every version. What
    the readable part lacks of family settings, attributes, indexes, constraints and snapshots is lost; the report does
    not count as complete, because the extent of this loss is unknown.

    A lost delete marker brings back the cells that it hid.

    Args:
        past_damage: Also keep logged writes after missing ones: a later write may then exist without an earlier one.
        progress: Called with the progress.

    Raises:
        DatabaseLocked, NotADatabase.
        InvalidArgument: ``out`` is not empty, or within ``path``.
        DiskFull, StorageError.

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
    found, saved = with_lock_hint(source, lambda: _native.repair_directory(source, target, past_damage, progress))
    # What a damaged manifest contained is unknown, so the engine counts only lost cells and writes.
    saved["is_complete"] = saved["is_complete"] and not saved["is_manifest_rebuilt"]
    return RepairReport(path=target, checked=_report(source, found), **saved)


def with_lock_hint(path: str, work: Callable[[], Any]) -> Any:
    """Do work on a directory; a `DatabaseLocked` gets a hint of what copies a database in use."""
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
