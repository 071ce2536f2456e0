"""Files on disk: a store per family in separate folders, and immutable files (checklist 020-023, 032, 070)."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import hfile
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, damage_data_blocks, file_bytes, file_paths, keys, make, stamps

ENCODINGS = ["NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"]
COMPRESSIONS = ["NONE", "GZ", "SNAPPY", "LZ4", "ZSTD"]


@checklist("020", clause="a scan of one family touches no file of another")
def test_a_scan_of_one_family_leaves_the_others_files_alone(tmp_path: Path, clock: ManualClock) -> None:
    with rs.connect(tmp_path / "db", clock=clock, configuration=QUIET) as db:
        t = make(db, a={}, b={})
        t.put("r", {"a:q": "1", "b:q": "2"})
        db.admin.flush("t")
        [other] = file_paths(db, "t", b"b")
    damage_data_blocks(other)
    with rs.connect(tmp_path / "db", clock=clock, configuration=QUIET) as db:
        t = db.table("t")
        with t.scan(columns=["a"]) as rows:
            assert [dict(row) for row in rows] == [{b"a:q": b"1"}]
        assert t.get("r", "a:q")["a:q"] == b"1"
        with pytest.raises(rs.errors.CorruptionError):
            keys(t, columns=["b"])


@checklist("021", clause="each family has its own directory")
@checklist("021", clause="its files hold only its cells")
def test_families_lie_apart(disk: rs.Database) -> None:
    t = make(disk, f1={}, f2={})
    for number in range(50):
        t.put(f"{number}", {"f1:a": "1", "f1:b": "2", "f2:a": "3"})
    disk.admin.flush("t")
    [first], [second] = file_paths(disk, "t", b"f1"), file_paths(disk, "t", b"f2")
    assert (first.parent.name, second.parent.name) == ("f1", "f2")
    assert first.parent.parent == second.parent.parent
    assert {cell.family for cell in hfile.read_cells(first)} == {b"f1"}
    assert {cell.family for cell in hfile.read_cells(second)} == {b"f2"}
    assert hfile.verify(first) == 100
    assert hfile.verify(second) == 50


@checklist("022", clause="each flush adds a file to the store written to")
@checklist("022", clause="a family without data has an empty directory")
def test_a_store_per_family_with_many_files(disk: rs.Database) -> None:
    t = make(disk, used={}, unused={})
    for number in range(3):
        t.put("r", {"used:q": str(number)})
        disk.admin.flush("t")
    paths = file_paths(disk, "t")
    assert len(paths) == 3
    [store] = {path.parent for path in paths}
    assert sorted(store.iterdir()) == sorted(paths)
    other = store.parent / "unused"
    assert other.is_dir()
    assert list(other.iterdir()) == []


def _combinations() -> dict[str, rs.Family]:
    mixed = itertools.product(ENCODINGS, COMPRESSIONS, [True, False], [True, False])
    return {
        f"f{number:02}": rs.Family(
            data_block_encoding=encoding,
            compression=compression,
            block_cache=cache,
            in_memory=memory,
            block_bytes=1_024,
        )
        for number, (encoding, compression, cache, memory) in enumerate(mixed)
    }


@checklist("023", clause="every combination reads back")
def test_every_combination_of_storage_properties_reads_back(disk: rs.Database) -> None:
    families = _combinations()
    assert len(families) == 100
    disk.create_table("t", families)
    t = disk.table("t")
    with t.batch() as batch:
        for number in range(20):
            batch.put(f"row {number}", {f"{name}:q": f"value {number}" * 5 for name in families})
    disk.admin.flush("t")
    assert disk.admin.metrics.stats("t")["memstore_cells"] == 0
    expected = {f"{name}:q".encode() for name in families}
    with t.scan() as rows:
        found = list(rows)
    assert len(found) == 20
    assert all(set(row) == expected and len(set(row.values())) == 1 for row in found)
    for file in disk.admin.tables.store_files("t"):
        described = hfile.describe(file.path)
        family = families[file.family.decode()]
        assert (described.encoding, described.compression) == (family.data_block_encoding, family.compression)


@checklist("023", clause="describe shows the values")
def test_describe_shows_storage_properties(db: rs.Database) -> None:
    families = _combinations()
    db.create_table("t", families)
    schema = db.admin.describe("t")
    for line, (name, family) in zip(str(schema).splitlines()[1:], families.items(), strict=True):
        assert f"NAME => '{name}'" in line
        assert f"DATA_BLOCK_ENCODING => '{family.data_block_encoding}'" in line
        assert f"COMPRESSION => '{family.compression}'" in line
        assert f"BLOCKCACHE => '{str(family.block_cache).lower()}'" in line
        assert f"IN_MEMORY => '{str(family.in_memory).lower()}'" in line


@checklist("032", clause="in a file")
@checklist("032", clause="in a get")
def test_versions_are_stored_newest_first(disk: rs.Database) -> None:
    t = make(disk, f=rs.Family(max_versions=10))
    for timestamp in (30, 10, 50, 20, 40):
        t.put("r", {"f:a": "v", "f:b": "v"}, timestamp=timestamp)
    disk.admin.flush("t")
    [path] = file_paths(disk, "t")
    stored = [(cell.qualifier, cell.timestamp) for cell in hfile.read_cells(path)]
    assert stored == [(name, timestamp) for name in (b"a", b"b") for timestamp in (50, 40, 30, 20, 10)]
    assert stamps(t.get("r", "f:a", versions=3)) == [50, 40, 30]


@checklist("070", clause="files stay as they are until a compaction replaces them")
def test_files_never_change(disk: rs.Database) -> None:
    t = make(disk, f={})
    t.put("a", {"f:q": "1"})
    t.put("b", {"f:q": "2"})
    disk.admin.flush("t")
    before = file_bytes(disk, "t")
    t.put("a", {"f:q": "changed"})
    t.delete("b")
    t.increment("c", "f:n")
    disk.admin.flush("t")
    after = file_bytes(disk, "t")
    assert len(after) == 2
    assert {path: content for path, content in after.items() if path in before} == before
    disk.admin.major_compact("t")
    assert not set(file_bytes(disk, "t")) & set(after)
    assert t.get("a")["f:q"] == b"changed"
    assert not t.exists("b")
