"""Options of tables and families that are visible in their files (checklist 166-167, 245-249)."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import hfile
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, damage_data_blocks, file_paths, make

ROWS = 4_000


def described(db: rs.Database, name: str, **family: object) -> hfile.Description:
    """The file of a table with some thousand rows, in a family of these properties."""
    table = make(db, name=name, f=rs.Family(**family))  # type: ignore[arg-type]
    draw = random.Random(166)
    with table.batch() as writer:
        for number in range(ROWS):
            words = "".join(draw.choices(string.ascii_lowercase[:6], k=100))
            writer.put(f"a rather long row key with the number {number:08}", {"f:q": words})
    db.admin.flush(name)
    [path] = file_paths(db, name)
    return hfile.describe(path)


def data_blocks(of: hfile.Description) -> int:
    """Number of blocks with cells."""
    return sum(blocks.count for kind, blocks in of.blocks.items() if kind.startswith("DATABLK"))


def index_bytes(db: rs.Database, name: str) -> int:
    """Bytes of the index of a table's files."""
    return sum(one.index_bytes or 0 for one in db.admin.metrics.stores(name))


@checklist("166", clause="blocks of twice the size halve the index")
@checklist("248", clause="the number of blocks goes with the block size")
def test_the_index_goes_with_the_number_of_blocks(disk: rs.Database) -> None:
    sizes = (4_096, 8_192, 16_384, 65_536)
    blocks = {size: data_blocks(described(disk, f"t{size}", block_bytes=size)) for size in sizes}
    indexes = {size: index_bytes(disk, f"t{size}") for size in sizes}
    for size, double in ((4_096, 8_192), (8_192, 16_384)):
        assert blocks[double] == pytest.approx(blocks[size] / 2, rel=0.1)
        assert indexes[double] == pytest.approx(indexes[size] / 2, rel=0.1)
    assert blocks[65_536] == pytest.approx(blocks[8_192] / 8, rel=0.15)


@checklist("167", clause="with compression there is more index for each byte of data")
@checklist("247", clause="every codec brings back what was written, in fewer bytes")
def test_compression_makes_data_smaller_and_not_its_index(disk: rs.Database) -> None:
    plain = described(disk, "none", block_bytes=8_192)
    expected = [(cell.row, cell.value) for cell in hfile.read_cells(file_paths(disk, "none")[0])]
    for codec in ("GZ", "SNAPPY", "LZ4", "ZSTD"):
        name = codec.lower()
        packed = described(disk, name, block_bytes=8_192, compression=codec)
        assert packed.size_bytes < 0.8 * plain.size_bytes
        assert index_bytes(disk, name) / packed.size_bytes > index_bytes(disk, "none") / plain.size_bytes
        with disk.table(name).scan() as rows:
            assert [(row.key, row["f:q"]) for row in rows] == expected


@checklist("245", clause="a get of a row that is not there reads no block with cells")
@checklist("245", clause="nor, with ROWCOL, one of a column that is not there")
@pytest.mark.parametrize(("kind", "column"), [("ROW", None), ("ROWCOL", "f:absent"), ("NONE", None)])
def test_bloom_filters_spare_reads(tmp_path: Path, kind: str, column: str | None) -> None:
    """The cells cannot be read, so every read of them fails."""
    with rs.connect(tmp_path / "db", configuration=QUIET) as db:
        table = make(db, f=rs.Family(bloom_filter=kind))
        for number in range(2_000):
            table.put(f"row{number:05}", {"f:q": "v"})
        db.admin.flush("t")
        [path] = file_paths(db, "t")
    damage_data_blocks(path)
    # Rows between others, which the file's key range does not exclude; or existing rows without the column.
    asked = [f"row{number:05}" + ("" if column else "x") for number in range(500)]
    failed = 0
    with rs.connect(tmp_path / "db", configuration=QUIET) as db:
        for row in asked:
            try:
                assert not db.table("t").get(row, column and [column])
            except rs.errors.CorruptionError:
                failed += 1
    # A filter errs in one of a hundred.
    assert failed == len(asked) if kind == "NONE" else failed <= 20


@checklist("246", clause="a table is split at its own size")
def test_a_region_splits_at_the_size_of_its_table(tmp_path: Path) -> None:
    configuration = {"hbase.regionserver.region.split.policy": "ConstantSizeRegionSplitPolicy"}
    with rs.connect(tmp_path / "db", configuration=configuration) as db:
        for name, attributes in (("small", {"MAX_FILESIZE": 2 << 20}), ("large", {"MAX_FILESIZE": 1 << 30})):
            db.create_table(name, ["f"], attributes=attributes)
            with db.table(name).batch() as writer:
                for number in range(6_000):
                    writer.put(f"row{number:05}", {"f:q": b"v" * 1_000})
            db.admin.flush(name)
        assert len(db.admin.regions.list("large")) == 1
        assert regions_soon(db, "small") > 1


def regions_soon(db: rs.Database, name: str) -> int:
    """Number of a table's regions after its splits, which run in the background."""
    import time

    for _ in range(200):
        if (count := len(db.admin.regions.list(name))) > 1:
            return count
        time.sleep(0.05)
    return 1
