"""Families, regions and their rules of thumb (checklist 184-202)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import hfile
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, file_paths, keys, make

PATIENCE_S = 60.0
FLUSH_BYTES = 256 << 10


def wait_until(holds: Callable[[], bool]) -> None:
    """Until the background has done it."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        threading.Event().wait(0.01)


@pytest.mark.parametrize(("policy", "flushes_small"), [("FlushAllStoresPolicy", True), ("", False)])
@checklist("186", clause="a big family takes its small neighbors along, where all families are flushed")
@checklist("186", clause="by default only families above the lower bound are flushed")
def test_a_flush_by_size_takes_all_families_or_the_large_ones(tmp_path: Path, policy: str, flushes_small: bool) -> None:
    settings = {
        **QUIET,
        "hbase.hregion.memstore.flush.size": FLUSH_BYTES,
        "hbase.hregion.percolumnfamilyflush.size.lower.bound.min": FLUSH_BYTES // 4,
    }
    attributes = {"FLUSH_POLICY": f"org.apache.hadoop.hbase.regionserver.{policy}"} if policy else {}
    with rs.connect(tmp_path / "db", configuration=settings) as db:
        db.create_table("t", ["big", "small"], attributes=attributes)
        db.table("t").put("r", {"small:q": "1"})
        for number in range(2 * FLUSH_BYTES // 4096):
            db.table("t").put(f"r{number}", {"big:q": bytes(4096)})
        wait_until(lambda: bool(file_paths(db, "t", b"big")))
        assert bool(file_paths(db, "t", b"small")) == flushes_small
        db.admin.flush("t")
        assert file_paths(db, "t", b"small")


@checklist("187", clause="the third tiny file is one too many")
@checklist("187", clause="one huge file is not")
def test_files_are_counted_not_weighed(tmp_path: Path) -> None:
    settings = {"hbase.hstore.compaction.min": 3, "hbase.hregion.majorcompaction": 0}
    with rs.connect(tmp_path / "db", configuration=settings) as db:
        t = make(db, tiny={}, huge={})
        t.put("r", {"huge:q": bytes(3 << 20)})
        for number in range(2):
            t.put(f"r{number}", {"tiny:q": "1"})
            db.admin.flush("t")
        assert [one.compaction_debt_bytes for one in db.admin.metrics.stores("t")] == [0, 0]
        before = file_paths(db, "t", b"huge")
        t.put("r2", {"tiny:q": "1"})
        db.admin.flush("t")
        wait_until(lambda: len(file_paths(db, "t", b"tiny")) == 1)
        assert file_paths(db, "t", b"huge") == before
        assert len(keys(t, columns=["tiny"])) == 3


@checklist("188", clause="what flushes and compactions write is counted")
@checklist("188", clause="the same data in five families takes five times the files")
def test_many_families_write_more_files(disk: rs.Database) -> None:
    reports = {}
    for name, count in (("one", 1), ("five", 5)):
        families = [f"f{number}" for number in range(count)]
        disk.create_table(name, families)
        for flush in range(4):
            for number in range(100):
                column = f"{families[number % count]}:q"
                disk.table(name).put(f"{flush}{number}", {column: bytes(100)})
            disk.admin.flush(name)
        files = len(disk.admin.tables.store_files(name))
        disk.admin.major_compact(name)
        [reports[name]] = disk.admin.metrics.stores(name).sums("table")
        assert files == 4 * count
    for report in reports.values():
        assert report.flushed_bytes
        assert report.compacted_bytes
        assert report.store_file_bytes == report.compacted_bytes
        assert report.write_amplification == pytest.approx(1 + report.compacted_bytes / report.flushed_bytes)
    assert reports["five"].flushed_bytes > 2 * reports["one"].flushed_bytes


@checklist("197", clause="a region has a folder for each family, whose files hold only its cells")
def test_families_lie_apart_within_each_region(disk: rs.Database) -> None:
    disk.create_table("t", ["a", "b"], splits=["m"])
    for row in ("c", "x"):
        disk.table("t").put(row, {"a:q": "1", "b:q": "2"})
    disk.admin.flush("t")
    files = file_paths(disk, "t")
    assert len({file.parent for file in files}) == 4
    for file in files:
        assert {cell.family.decode() for cell in hfile.read_cells(file)} == {file.parent.name}
    assert len({file.parent.parent for file in files}) == 2


@checklist("198", clause="a cell takes 20 bytes and its row, family, qualifier and value")
def test_each_cell_holds_the_name_of_its_family(disk: rs.Database) -> None:
    t = make(disk, f={}, much_longer={})
    sizes = {}
    for family in ("f", "much_longer"):
        for number in range(100):
            t.put(f"row{number:03}", {f"{family}:q": b"value"})
    disk.admin.flush("t")
    for family in ("f", "much_longer"):
        [file] = file_paths(disk, "t", family.encode())
        cells = list(hfile.read_cells(file))
        sizes[family] = sum(20 + len(c.row) + len(c.family) + len(c.qualifier) + len(c.value) for c in cells)
        [store] = [one for one in disk.admin.metrics.stores("t") if one.family == family.encode()]
        # Besides the cells there are sequence ids of one byte each, and headers of blocks.
        assert store.uncompressed_bytes is not None
        assert sizes[family] <= store.uncompressed_bytes
        described = hfile.describe(file)
        assert described.average_key_bytes == 12 + len("row000") + len(family) + len("q")
    assert sizes["much_longer"] - sizes["f"] == 100 * (len("much_longer") - len("f"))


@checklist("200", clause="memory, files and cells are told for each family")
@checklist("200", clause="requests, cache and debt too, added up for regions and tables")
def test_numbers_of_families(disk: rs.Database) -> None:
    disk.create_table("t", ["f", "g"], splits=["m"])
    t = disk.table("t")
    t.put("a", {"f:q": "1", "g:q": "2"})
    t.put("b", {"f:q": "3"})
    report = disk.admin.metrics.stores("t")
    assert [(one.start_key, one.family) for one in report] == [(b"", b"f"), (b"", b"g"), (b"m", b"f"), (b"m", b"g")]
    assert [one.memstore_cells for one in report] == [2, 1, 0, 0]
    assert [(one.writes, one.region_writes) for one in report] == [(2, 2), (1, 2), (0, 0), (0, 0)]
    disk.admin.flush("t")
    t.get("a", "f:q")
    t.get("a", "f:q")
    with t.scan(columns=["g"]) as rows:
        assert len(list(rows)) == 1
    f, g, *others = disk.admin.metrics.stores("t")
    assert (f.memstore_bytes, f.memstore_cells, f.store_files, f.store_file_cells) == (0, 0, 1, 2)
    assert (f.reads, g.reads, f.region_reads) == (2, 1, 3)
    assert f.cache_hits
    assert f.cache_misses
    assert f.index_bytes
    assert f.bloom_bytes
    assert g.store_file_bytes
    assert f.compaction_debt_bytes == 0
    [total] = disk.admin.metrics.stores().sums("table")
    assert (total.store_files, total.store_file_cells, total.region_reads, total.region_writes) == (2, 3, 3, 2)
    assert [one.store_files for one in disk.admin.metrics.stores("t").sums("family")] == [1, 1]
    assert [one.region_writes for one in disk.admin.metrics.stores("t").sums("region")] == [2, 0]
    page = disk.admin.metrics.stores("t")._repr_html_()
    assert "compaction debt bytes" in page
    assert str(total.store_file_bytes) in str(disk.admin.metrics.stores().sums("table")).replace(",", "")
    with pytest.raises(rs.errors.InvalidArgument, match="'table', 'region' and 'family'"):
        report.sums("server")  # type: ignore[arg-type]
    with pytest.raises(rs.errors.TableNotFound):
        disk.admin.metrics.stores("nothing")
    assert others[0].store_files == 0


@checklist("202", clause="blocks of an IN_MEMORY family outlive a scan of much else")
@checklist("202", clause="its data is on the disk all the same")
def test_a_family_in_memory(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db", configuration=QUIET, cache_bytes=1 << 20) as db:
        make(db, name="hot", f={"in_memory": True})
        make(db, name="cold", f={})
        for number in range(100):
            db.table("hot").put(f"{number:03}", {"f:q": bytes(100)})
        with db.table("cold").batch() as batch:
            for number in range(1_000):
                batch.put(f"{number:04}", {"f:q": bytes(8192)})
        db.admin.flush()
        assert len(file_paths(db, "hot")) == 1

        def misses() -> int | None:
            [store] = db.admin.metrics.stores("hot")
            return store.cache_misses

        assert len(keys(db.table("hot"))) == 100
        before = misses()
        assert len(keys(db.table("cold"))) == 1_000
        assert len(keys(db.table("hot"))) == 100
        assert misses() == before
