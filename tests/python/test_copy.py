"""`rowstone copy` and `rowstone.jobs.copy_table`: copies are equal cell by cell, and interrupted ones resume."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors, jobs
from rowstone.jobs.copies._schema import lossy_families, missing_families
from tests.python.test_tools import rowstone

FAMILIES = {"f": rs.Family(max_versions=3), "g": rs.Family(keep_deleted_cells="TRUE", max_versions=5)}


def cells(table: rs.Table, raw: bool) -> list[tuple[object, ...]]:
    return [
        (cell.row, cell.column, cell.timestamp, cell.type, cell.value, cell.tags)
        for row in table.scan(raw=raw, versions=None)
        for cell in row.cells
    ]


def fill(table: rs.Table, rows: int = 300, seed: int = 1) -> None:
    """Random puts, deletes of every kind, tags and TTLs."""
    chance = random.Random(seed)
    for _ in range(rows * 4):
        row, stamp = f"r{chance.randrange(rows):04}", chance.randrange(1, 12)
        column = chance.choice(["f:a", "f:b", "g:a", "g:"])
        kind = chance.randrange(12)
        if kind == 0:
            table.delete(row, [column], version=stamp)
        elif kind == 1:
            table.delete(row, [column], timestamp=stamp)
        elif kind == 2:
            table.delete(row, ["g"], timestamp=stamp)
        elif kind == 3:
            table.multi([rs.Delete(row).add_family_version("f", stamp)])
        elif kind == 4:
            table.put(row, {column: "tagged"}, timestamp=stamp, tags=[(70, b"tag")])
        elif kind == 5:
            table.put(row, {column: "mortal"}, timestamp=stamp, ttl_ms=10**15)
        else:
            table.put(row, {column: str(chance.random())}, timestamp=stamp)


@pytest.fixture
def databases() -> tuple[rs.Database, rs.Database]:
    here, there = rs.connect(":memory:"), rs.connect(":memory:")
    here.create_table("t", FAMILIES, splits=["r01", "r02"])
    return here, there


def test_every_cell_and_marker_arrives(databases: tuple[rs.Database, rs.Database]) -> None:
    here, there = databases
    fill(here.table("t"))
    assert jobs.create_table_like(here, "t", there)
    assert not jobs.create_table_like(here, "t", there)
    copied = jobs.copy_table(here, "t", there)
    expected = cells(here.table("t"), raw=True)
    assert cells(there.table("t"), raw=True) == expected
    assert cells(there.table("t"), raw=False) == cells(here.table("t"), raw=False)
    assert copied.cells + copied.markers == len(expected)
    assert copied.markers == sum(cell[3] != "Put" for cell in expected) > 50
    assert copied.rows == len({cell[0] for cell in expected})
    for raw in (False, True):
        compared = jobs.compare_tables(here, "t", there, raw=raw)
        assert compared.are_equal
        assert compared.equal == len(cells(here.table("t"), raw=raw))


def test_a_table_is_made_like_the_other(databases: tuple[rs.Database, rs.Database]) -> None:
    here, there = databases
    here.admin.alter_table("t", attributes={"OWNER": "me"}, configuration={"hbase.hstore.compaction.min": 4})
    jobs.create_table_like(here, "t", there, "ns:copy")
    ours, theirs = here.admin.describe("t"), there.admin.describe("ns:copy")
    assert (ours.families, ours.attributes, ours.configuration) == (
        theirs.families,
        theirs.attributes,
        theirs.configuration,
    )
    assert [region.start_key for region in there.admin.regions.list("ns:copy")] == [b"", b"r01", b"r02"]
    jobs.create_table_like(here, "t", there, "one", splits=[])
    assert len(there.admin.regions.list("one")) == 1
    assert lossy_families(ours, theirs) == {}
    there.create_table("less", {"f": {"max_versions": 1}})
    assert missing_families(ours, there.admin.describe("less")) == [b"g"]
    assert lossy_families(ours, there.admin.describe("less")) == {b"f": ["max_versions"]}


@pytest.mark.parametrize(
    ("name", "splits"), [("ns:t", ["b", "b"]), ("ns:t", "x"), ("ns:t", 5), ("ns:t:u", None), ("ns:", None), ("", None)]
)
def test_a_table_that_cannot_be_made_leaves_no_namespace(
    databases: tuple[rs.Database, rs.Database], name: str, splits: Any
) -> None:
    here, there = databases
    with pytest.raises(errors.UsageError):
        jobs.create_table_like(here, "t", there, name, splits=splits)
    assert there.admin.namespaces.list() == ["default", "hbase"]
    assert there.tables() == []


def test_a_range_is_copied_and_a_copy_goes_on(databases: tuple[rs.Database, rs.Database]) -> None:
    here, there = databases
    fill(here.table("t"))
    jobs.create_table_like(here, "t", there)
    jobs.copy_table(here, "t", there, stop="r0100")
    copied = {cell[0] for cell in cells(there.table("t"), raw=True)}
    assert max(copied) < b"r0100" <= max(cell[0] for cell in cells(here.table("t"), raw=True))  # type: ignore[type-var, operator]
    jobs.copy_table(here, "t", there, start="r0050")
    assert cells(there.table("t"), raw=True) == cells(here.table("t"), raw=True)


def test_an_interrupted_copy_says_where_to_go_on(databases: tuple[rs.Database, rs.Database]) -> None:
    here, there = databases
    with here.table("t").batch() as batch:
        for number in range(100):
            batch.put(f"r{number:04}", {"f:a": b"x" * 100_000})
    jobs.create_table_like(here, "t", there)
    copies = [jobs.Copied()]

    def stop(progress: jobs.Copied) -> None:
        copies.append(progress)
        if progress.rows > 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        jobs.copy_table(here, "t", there, progress=stop)
    row = copies[-1].resume_row
    assert row is not None
    before = [cell for cell in cells(here.table("t"), raw=True) if cell[0] < row]
    assert [cell for cell in cells(there.table("t"), raw=True) if cell[0] < row] == before  # type: ignore[operator]
    jobs.copy_table(here, "t", there, start=row)
    assert cells(there.table("t"), raw=True) == cells(here.table("t"), raw=True)


def test_a_row_wider_than_a_piece(databases: tuple[rs.Database, rs.Database]) -> None:
    here, there = databases
    here.table("t").put("wide", [(f"f:{number:06}", "v", 5) for number in range(25_000)])
    here.table("t").delete("wide", ["f:000001"], timestamp=9)
    jobs.create_table_like(here, "t", there)
    assert jobs.copy_table(here, "t", there).rows == 1
    assert cells(there.table("t"), raw=True) == cells(here.table("t"), raw=True)
    assert jobs.compare_tables(here, "t", there, raw=True).equal == 25_001


def test_without_deletes_only_what_reads_see(databases: tuple[rs.Database, rs.Database]) -> None:
    here, there = databases
    fill(here.table("t"))
    jobs.create_table_like(here, "t", there)
    assert jobs.copy_table(here, "t", there, deletes=False).markers == 0
    assert cells(there.table("t"), raw=True) == cells(here.table("t"), raw=False)


def test_differences_are_found_and_named(databases: tuple[rs.Database, rs.Database]) -> None:
    here, there = databases
    fill(here.table("t"))
    jobs.create_table_like(here, "t", there)
    jobs.copy_table(here, "t", there)
    [first, *_] = here.table("t").scan()
    column, stamp = next(iter(first)), first.timestamp(next(iter(first)))
    there.table("t").put(first.key, {column: "other"}, timestamp=stamp)
    there.table("t").put("a", {"f:a": "extra"}, timestamp=1)
    here.table("t").put("z", {"f:a": "missing"}, timestamp=1)
    compared = jobs.compare_tables(here, "t", there)
    assert (compared.missing, compared.extra, compared.different) == (1, 1, 1)
    extra, different, missing = compared.differences
    assert (extra.source, missing.target) == (None, None)
    assert different.target is not None
    assert different.target.value == b"other"
    assert not jobs.compare_tables(here, "t", there, max_differences=0).differences


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    with rs.connect(tmp_path / "a") as db:
        db.create_table("t", FAMILIES, splits=["r01"])
        fill(db.table("t"), rows=50)
    return tmp_path / "a"


def test_the_command_copies_and_compares(directory: Path, tmp_path: Path) -> None:
    output = rowstone("copy", f"{directory}/t", f"{tmp_path}/b/ns:copy")
    assert "table ns:copy created" in output
    assert " equal cell" in output
    assert rowstone("copy", f"{directory}/t", f"{tmp_path}/b/ns:copy", "--verify-only", "--raw")
    with rs.connect(tmp_path / "b") as db, rs.connect(directory, read_only=True) as source:
        assert cells(db.table("ns:copy"), raw=True) == cells(source.table("t"), raw=True)
        assert len(db.admin.regions.list("ns:copy")) == 2
        db.table("ns:copy").put("z", {"f:q": "extra"}, timestamp=1)
        db.table("ns:copy").put("r0001", {"f:a": "changed"}, timestamp=2**40)
    output = rowstone("copy", f"{directory}/t", f"{tmp_path}/b/ns:copy", "--verify-only", status=1)
    assert "2 are only there" in output
    assert "only there: z f:q 1 Put" in output


def test_the_command_copies_beside_a_writer_and_within_a_directory(directory: Path, tmp_path: Path) -> None:
    with rs.connect(directory) as db:
        db.table("t").put("new", {"f:q": "v"})
        rowstone("copy", f"{directory}/t", f"{tmp_path}/b/t", "--splits", "none")
    rowstone("copy", f"{directory}/t", f"{directory}/t2", "--splits", "r0010,r0020")
    with rs.connect(tmp_path / "b") as one, rs.connect(directory) as two:
        assert one.table("t").exists("new")
        assert len(one.admin.regions.list("t")) == 1
        assert [region.start_key for region in two.admin.regions.list("t2")] == [b"", b"r0010", b"r0020"]
        assert jobs.compare_tables(two, "t", two, "t2", raw=True).are_equal


def test_the_command_copies_ranges(directory: Path, tmp_path: Path) -> None:
    rowstone("copy", f"{directory}/t", f"{tmp_path}/b/t", "--stop", "r0010", "--no-verify")
    rowstone("copy", f"{directory}/t", f"{tmp_path}/b/t", "--verify-only", "--stop", "r0010")
    rowstone("copy", f"{directory}/t", f"{tmp_path}/b/t", "--verify-only", status=1)
    rowstone("copy", f"{directory}/t", f"{tmp_path}/b/t", "--start", "r0010")
    rowstone("copy", f"{directory}/t", f"{tmp_path}/b/t", "--verify-only")


def test_the_command_says_what_is_wrong(directory: Path, tmp_path: Path) -> None:
    assert "names no table" in rowstone("copy", "t", f"{tmp_path}/b/t", status=2)
    assert "no table 'none'" in rowstone("copy", f"{directory}/none", f"{tmp_path}/b/none", status=3)
    assert not (tmp_path / "c").exists()
    rowstone("copy", f"{directory}/t", f"{tmp_path}/c/t", "--verify-only", status=3)
    assert not (tmp_path / "c").exists()
    with rs.connect(tmp_path / "b") as db:
        db.create_table("less", ["f"])
        db.create_table("other", {"f": {"max_versions": 1}, "g": {}})
    assert "lacks the families g" in rowstone("copy", f"{directory}/t", f"{tmp_path}/b/less", status=2)
    assert "family f differs in max_versions" in rowstone("copy", f"{directory}/t", f"{tmp_path}/b/other", status=1)


def test_families_with_new_version_behavior_are_copied_without_markers(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "a") as db:
        db.create_table("t", {"f": rs.Family(new_version_behavior=True, max_versions=3)})
        for number in range(3):
            db.table("t").put("r", {"f:q": str(number)}, timestamp=number + 1)
        db.table("t").delete("r", ["f:q"], timestamp=2)
        db.table("t").put("r", {"f:q": "back"}, timestamp=1)
    output = rowstone("copy", f"{tmp_path}/a/t", f"{tmp_path}/b/t")
    assert "NEW_VERSION_BEHAVIOR" in output
    assert "0 delete markers" in output
    assert "2 equal cells" in output


def _log_bytes(database: Path) -> int:
    """Bytes of the log; files may appear and disappear meanwhile."""
    try:
        return sum(log.stat().st_size for log in (database / "WALs").glob("*"))
    except FileNotFoundError:
        return 0


def test_ctrl_c_says_where_to_go_on(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "a") as db:
        db.create_table("t", ["f"])
        with db.table("t").batch() as batch:
            for number in range(4_000):
                batch.put(f"r{number:06}", {"f:a": b"x" * 30_000})
    source, target = f"{tmp_path}/a/t", tmp_path / "b"
    # Background jobs of a shell inherit an ignored Ctrl-C.
    program = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    program += "from rowstone.cli import main; main()"
    command = [sys.executable, "-c", program, "copy", source, f"{target}/t"]
    copying = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not _log_bytes(target) > 10 << 20:
        assert copying.poll() is None
    copying.send_signal(signal.SIGINT)
    _, said = copying.communicate(timeout=120)
    assert copying.returncode == 130, said
    start = said.rpartition("--start '")[2].partition("'")[0]
    assert start.startswith("r00")
    rowstone("copy", source, f"{target}/t", "--verify-only", status=1)
    rowstone("copy", source, f"{target}/t", "--start", start, "--no-verify")
    rowstone("copy", source, f"{target}/t", "--verify-only")
