"""Golden directories: what an earlier version wrote is read, checked, upgraded, written and compacted by this one.

A directory of each version is in this folder for good (`digests.txt`). Its expected contents were computed when it
was made: `generate.py` ran what was written through the model in `tests/reference`.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.golden import plan
from tests.golden.digests import DIGESTS, HERE, digest_lines, golden_directories
from tests.golden.facts import SETTINGS, read_facts
from tests.golden.runner import TablesRunner, expected_contents, read_tables, scripts_of
from tests.script.parse import parse_script

VERSIONS = golden_directories()
DROPPED = {"dropped": "last"}
"""Tables that exist only in a snapshot, with the snapshot's name."""
DISABLED = "disabled"
READ_ONLY = "settings"
MORE = [
    "now 1750003601000",
    "put zz-new {family}:q LATEST new",
    "put r001 {family}:q LATEST newer",
    "delf r002 {family}",
    "flush",
    "major",
]
"""What the upgraded directory is given, in a family of each table."""


@pytest.fixture(params=VERSIONS, ids=lambda path: path.name)
def golden(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture
def copy(golden: Path, tmp_path: Path) -> Path:
    """A copy of the directory."""
    return Path(shutil.copytree(golden / "db", tmp_path / "db"))


def opened(directory: Path, **options: Any) -> tuple[rs.Database, ManualClock]:
    clock = ManualClock(plan.READ_MS)
    return rs.connect(directory, clock=clock, configuration=SETTINGS, create=False, **options), clock


def written(golden: Path) -> str:
    return (golden / "written.txt").read_text()


def contents(golden: Path, tables: set[str]) -> list[str]:
    """The recorded contents of these tables."""
    lines, is_asked = [], False
    for line in (golden / "contents.txt").read_text().splitlines():
        is_asked = line in tables if not line.startswith(" ") else is_asked
        if is_asked:
            lines.append(line)
    return lines


def files_of(directory: Path) -> dict[str, bytes]:
    """All files but the lock, whose text names the last opener."""
    files = (path for path in directory.rglob("*") if path.is_file() and path.name != "LOCK")
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


def test_no_file_of_a_golden_directory_ever_changes() -> None:
    """Every file has the recorded digest; none is missing and none was added."""
    found = [line for directory in golden_directories() for line in digest_lines(directory)]
    assert sorted(found) == sorted(DIGESTS.read_text().splitlines())
    folders = {path.name for path in HERE.iterdir() if path.is_dir() and not path.name.startswith("__")}
    assert folders == {directory.name for directory in golden_directories()}


def test_this_version_has_a_golden_directory() -> None:
    assert rs.__version__ in {directory.name for directory in golden_directories()}


def test_the_model_gives_the_recorded_contents(golden: Path) -> None:
    assert expected_contents(written(golden), plan.READ_MS) == (golden / "contents.txt").read_text().splitlines()


def test_it_is_read_whole_and_nothing_changes(golden: Path, copy: Path) -> None:
    before = files_of(copy)
    tables = set(scripts_of(written(golden))) - {*DROPPED, DISABLED}
    db, clock = opened(copy, read_only=True)
    with db:
        assert read_tables(db, clock, tables) == contents(golden, tables)
        assert read_facts(db) == json.loads((golden / "facts.json").read_text())
    assert files_of(copy) == before


def test_a_check_finds_nothing(copy: Path) -> None:
    report = rs.check(copy)
    assert not report.findings, report.findings
    assert report.tables > 10


def test_it_is_upgraded_written_compacted_and_reopened(golden: Path, copy: Path) -> None:
    scripts = scripts_of(written(golden))
    db, clock = opened(copy)
    with db:
        for table, snapshot in DROPPED.items():
            db.admin.snapshots.clone(snapshot, table)
        db.admin.enable_table(DISABLED)
        assert read_tables(db, clock, scripts) == contents(golden, set(scripts))
        db.admin.alter_table(READ_ONLY, attributes={"READONLY": None})
        runner = TablesRunner(db, clock)
        for table in scripts:
            for command in parse_script(more(table)):
                answer = runner.run_on(table, command)
                assert not answer or not answer[0].startswith("!!"), (table, command, answer)
        assert not db.index("indexed", "by_item").verify()
    expected = [line for table in sorted(scripts) for line in expected_after(scripts[table], more(table))]
    assert not rs.check(copy).findings
    for read_only in (False, True):
        db, clock = opened(copy, read_only=read_only)
        with db:
            assert read_tables(db, clock, scripts) == expected


def more(table: str) -> list[str]:
    family = "f" if table not in plan.FAMILY_NAMES else plan.FAMILY_NAMES[table][0]
    return [line.format(family=family) for line in MORE]


def expected_after(script: list[str], after: list[str]) -> list[str]:
    """The model's contents after more commands, for readers whose clock is at `READ_MS`."""
    return expected_contents("\n".join(script), plan.READ_MS, [*after, f"now {plan.READ_MS}"])


def test_a_newer_manifest_is_refused_and_nothing_changes(copy: Path) -> None:
    """Its error names the file, its version and ours. The other files' versions: crates/engine/tests/golden.rs."""
    manifest = copy / "MANIFEST"
    header = bytearray(manifest.read_bytes()[:28])
    supported = int.from_bytes(header[8:12])
    header[8:12] = (supported + 1).to_bytes(4)
    manifest.write_bytes(header + crc32c(bytes(header)).to_bytes(4) + manifest.read_bytes()[32:])
    before = files_of(copy)
    for read_only in (False, True):
        with pytest.raises(rs.errors.UnsupportedOperation) as refused:
            opened(copy, read_only=read_only)
        assert all(word in str(refused.value) for word in (str(manifest), f"{supported + 1}", f"{supported}"))
    assert files_of(copy) == before


def crc32c(data: bytes) -> int:
    """CRC-32 of Castagnoli, bit by bit."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF
