"""Bulk loads and HFile exports: nothing is lost or half loaded, and wrong files are refused."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors, hfile, jobs

CellTuple = tuple[object, ...]


def write(path: Path, *cells: CellTuple, **options: object) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    hfile.write(path, cells, **options)  # type: ignore[arg-type]
    return str(path)


def values(table: rs.Table) -> list[tuple[bytes, bytes, int, bytes]]:
    return [
        (cell.row, cell.column, cell.timestamp, cell.value) for row in table.scan(versions=None) for cell in row.cells
    ]


def test_a_loaded_file_counts_as_written_at_that_moment(t: rs.Table, db: rs.Database, tmp_path: Path) -> None:
    file = write(tmp_path / "1", ("r", "f:a", 10, "loaded"), ("r", "f:b", 10, "new"))
    t.put("r", {"f:a": "before"}, timestamp=10)
    [info] = db.admin.tables.bulk_load("t", {"f": [file]})
    assert (info.family, info.entry_count, info.is_major) == (b"f", 2, False)
    assert info.path.endswith(f"_SeqId_{info.max_sequence_id}_")
    assert t.get("r").to_dict() == {b"f:a": b"loaded", b"f:b": b"new"}
    t.put("r", {"f:a": "after"}, timestamp=10)
    assert t.get("r")["f:a"] == b"after"
    db.admin.flush("t")
    assert t.get("r")["f:a"] == b"after"
    db.admin.major_compact("t")
    assert t.get("r").to_dict() == {b"f:a": b"after", b"f:b": b"new"}
    assert Path(file).exists()


def test_sequence_ids_in_the_file_do_not_count(t: rs.Table, db: rs.Database, tmp_path: Path) -> None:
    file = write(tmp_path / "1", ("r", "f:a", 10, "loaded"), sequence_id=999_999)
    db.admin.tables.bulk_load("t", {"f": [file]})
    assert t.get("r")["f:a"] == b"loaded"
    t.put("r", {"f:a": "after"}, timestamp=10)
    assert t.get("r")["f:a"] == b"after"


def test_a_file_that_keeps_its_sequence_ids(t: rs.Table, db: rs.Database, tmp_path: Path) -> None:
    """As in HBase, a file with SKIP_RESET_SEQ_ID does not hide cells newer than its own."""
    file = write(tmp_path / "1", ("r", "f:a", 10, "old"), sequence_id=1, properties={b"SKIP_RESET_SEQ_ID": b"\x01"})
    t.put("r", {"f:b": "x"}, timestamp=10)
    t.put("r", {"f:a": "mem"}, timestamp=10)
    db.admin.tables.bulk_load("t", {"f": [file]})
    assert t.get("r")["f:a"] == b"mem"


def test_delete_markers_are_loaded(t: rs.Table, db: rs.Database, tmp_path: Path) -> None:
    t.put("r", {"f:a": "1", "f:b": "2"}, timestamp=5)
    file = write(tmp_path / "1", ("r", "f:a", 7, "", "DeleteColumn"))
    db.admin.tables.bulk_load("t", {"f": [file]})
    assert t.get("r").to_dict() == {b"f:b": b"2"}
    db.admin.tables.bulk_load("t", {"f": [write(tmp_path / "2", ("r", "f:", 100, "", "DeleteFamily"))]})
    assert not t.get("r")


def test_a_file_over_regions_is_cut(db: rs.Database, tmp_path: Path) -> None:
    db.create_table("s", {"f": {"compression": "GZ", "max_versions": 3}}, splits=["c", "e", "m"])
    cells = [(f"{letter}{number:03}", "f:q", 1, "v") for letter in "abcdefgh" for number in range(200)]
    within = write(tmp_path / "2", ("n", "f:q", 1, "v"))
    loaded = db.admin.tables.bulk_load("s", {"f": [write(tmp_path / "1", *cells), within]})
    assert len(loaded) == len({file.region for file in loaded}) == 4
    assert sum(file.entry_count for file in loaded) == len(cells) + 1
    assert [row for row, *_ in values(db.table("s"))] == [str(cell[0]).encode() for cell in cells] + [b"n"]


def test_a_region_between_the_rows_of_a_file_takes_no_part(db: rs.Database, tmp_path: Path) -> None:
    """Regression, found by random crashes: the region was flushed too, and edits that skipped the log survived a
    crash."""
    db.create_table("s", ["f"], splits=["e", "m"])
    db.table("s").put("k", {"f:q": "v"}, durability="SKIP_WAL")
    cells = [("a", "f:q", 1, "v"), ("z", "f:q", 1, "v")]
    loaded = db.admin.tables.bulk_load("s", {"f": [write(tmp_path / "1", *cells)]})
    assert len(loaded) == 2
    assert {file.region for file in db.admin.tables.store_files("s")} == {file.region for file in loaded}


def test_families_become_visible_together(db: rs.Database, tmp_path: Path) -> None:
    db.create_table("s", {"f": {"max_versions": 1}, "g": {"max_versions": 1}})
    table = db.table("s")
    done = threading.Event()
    torn: list[dict[bytes, bytes]] = []

    def read() -> None:
        while not done.is_set():
            for row in (table.get("r"), next(table.scan(), None)):
                torn.extend([row.to_dict()] if row and len(set(row.values())) != 1 else [])

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(40):
        files = {
            family: [write(tmp_path / f"{family}{number}", ("r", f"{family}:q", 1, str(number)))] for family in "fg"
        }
        db.admin.tables.bulk_load("s", files)
    done.set()
    for thread in threads:
        thread.join()
    assert not torn
    assert table.get("r").to_dict() == {b"f:q": b"39", b"g:q": b"39"}


def test_an_open_scan_does_not_see_it(t: rs.Table, db: rs.Database, tmp_path: Path) -> None:
    for number in range(3):
        t.put(f"r{number}", {"f:a": "before"}, timestamp=10)
    scan = t.scan()
    next(scan)
    db.admin.tables.bulk_load(
        "t", {"f": [write(tmp_path / "1", ("r1", "f:a", 10, "loaded"), ("r3", "f:a", 10, "loaded"))]}
    )
    assert [row.to_dict() for row in scan] == [{b"f:a": b"before"}] * 2
    assert len(list(t.scan())) == 4


def test_wrong_files_are_refused_and_change_nothing(t: rs.Table, db: rs.Database, tmp_path: Path) -> None:
    t.put("r", {"f:a": "v"}, timestamp=1)
    right = write(tmp_path / "right", ("r", "f:a", 10, "loaded"))
    damaged = tmp_path / "damaged"
    damaged.write_bytes(Path(right).read_bytes()[:-100])
    for files, error in (
        ({"f": [right], "none": [right]}, rs.errors.NoSuchColumnFamily),
        ({"f": [right], "g": [right]}, rs.errors.InvalidArgument),
        ({"f": [right, str(damaged)]}, rs.errors.CorruptionError),
        ({"f": [right, str(tmp_path / "missing")]}, rs.errors.StorageError),
    ):
        with pytest.raises(error):
            db.admin.tables.bulk_load("t", files)
        assert t.get("r")["f:a"] == b"v"
    with pytest.raises(rs.errors.TableNotFound):
        db.admin.tables.bulk_load("missing", {"f": [right]})
    db.admin.disable_table("t")
    with pytest.raises(rs.errors.TableNotEnabled):
        db.admin.tables.bulk_load("t", {"f": [right]})


def test_an_empty_file_and_no_file(t: rs.Table, db: rs.Database, tmp_path: Path) -> None:
    assert db.admin.tables.bulk_load("t", {"f": [write(tmp_path / "empty")]}) == []
    assert db.admin.tables.bulk_load("t", {}) == []


def test_loaded_files_survive_reopening_compactions_and_truncation(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", {"f": {"max_versions": 3}})
        db.table("t").put("r", {"f:a": "before"}, timestamp=10)
        db.admin.tables.bulk_load("t", {"f": [write(tmp_path / "1", ("r", "f:a", 10, "first"), sequence_id=7)]})
        db.admin.tables.bulk_load("t", {"f": [write(tmp_path / "2", ("r", "f:a", 10, "second"))]})
    with rs.connect(tmp_path / "db") as db:
        table = db.table("t")
        assert table.get("r")["f:a"] == b"second"
        table.put("r", {"f:a": "third"}, timestamp=10)
        assert table.get("r")["f:a"] == b"third"
    with rs.connect(tmp_path / "db") as db:
        assert db.table("t").get("r")["f:a"] == b"third"
        db.admin.major_compact("t")
        assert db.table("t").get("r")["f:a"] == b"third"
        assert len(db.admin.tables.store_files("t")) == 1
        db.admin.disable_table("t")
        db.admin.truncate_table("t")
        assert not db.table("t").get("r")
    with rs.connect(tmp_path / "db", read_only=True) as db, pytest.raises(rs.errors.ReadOnly):
        db.admin.tables.bulk_load("t", {"f": [str(tmp_path / "1")]})


def fill(table: rs.Table) -> None:
    with table.batch() as batch:
        for number in range(500):
            batch.put(f"r{number:04}", {"f:a": str(number), "f:b": "x", "g:": "y"}, timestamp=number % 7 + 1)
            if number % 3 == 0:
                batch.put(f"r{number:04}", {"f:a": "newer"}, timestamp=20)
            if number % 10 == 0:
                batch.delete(f"r{number:04}", ["f:b"], timestamp=3)
    table.put("tagged", {"f:a": "v"}, timestamp=1, tags=[(70, b"tag")])
    table.put("mortal", {"f:a": "v"}, timestamp=1, ttl_ms=10**15)


@pytest.mark.parametrize("options", [{}, {"compression": "ZSTD", "data_block_encoding": "FAST_DIFF"}])
def test_an_export_is_the_table(tmp_path: Path, options: dict[str, str]) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", {"f": {"max_versions": 3, **options}, "g": options, "empty": {}}, splits=["r01", "r03"])
        fill(db.table("t"))
        db.admin.flush("t")
        db.table("t").put("recent", {"f:a": "v"}, timestamp=1)
        exported = db.admin.tables.export_hfiles("t", tmp_path / "out")
        borders = {region.encoded_name: (region.start_key, region.end_key) for region in db.admin.regions.list("t")}
        for file in exported:
            assert Path(file.path).parent == tmp_path / "out" / file.family.decode()
            assert hfile.verify(file.path) == file.entry_count > 0
            start, end = borders[file.region]
            assert all(start <= cell.row and (not end or cell.row < end) for cell in hfile.read_cells(file.path))
        assert len(exported) == 6
        assert sorted(str(path) for path in (tmp_path / "out").rglob("*") if path.is_file()) == sorted(
            file.path for file in exported
        )
        with rs.connect(":memory:") as other:
            jobs.create_table_like(db, "t", other, splits=["r02"])
            loads = {family: [file.path for file in exported if file.family == family] for family in (b"f", b"g")}
            other.admin.tables.bulk_load("t", loads)
            assert jobs.compare_tables(db, "t", other).are_equal
            assert other.table("t").get("tagged").cells[0].tags == [(70, b"tag")]
            other.table("t").put("r0000", {"f:b": "hidden"}, timestamp=2)
            assert "f:b" not in other.table("t").get("r0000")


def test_an_export_into_a_folder_with_files_is_refused(tmp_path: Path) -> None:
    """The files of an earlier export were loaded too, with rows that were deleted since."""
    (out := tmp_path / "out").mkdir()
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.table("t").put("r", {"f:q": "v"})
        assert len(db.admin.tables.export_hfiles("t", out)) == 1
        left = sorted(out.rglob("*"))
        with pytest.raises(rs.errors.ExistsError, match="out' has 'f': choose another folder, or remove what"):
            db.admin.tables.export_hfiles("t", out)
        assert sorted(out.rglob("*")) == left


def test_an_export_beside_a_writer_and_of_nothing(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        db.create_table("none", ["f"])
        db.table("t").put("r", {"f:q": "v"})
        with rs.connect(tmp_path / "db", read_only=True) as looking:
            assert [file.entry_count for file in looking.admin.tables.export_hfiles("t", tmp_path / "out")] == [1]
        assert db.admin.tables.export_hfiles("none", tmp_path / "none") == []
        with pytest.raises(rs.errors.TableNotFound):
            db.admin.tables.export_hfiles("missing", tmp_path / "missing")


def test_a_written_file_is_what_was_asked_for(tmp_path: Path) -> None:
    family = rs.Family(compression="GZ", data_block_encoding="DIFF", bloom_filter="ROWCOL")
    path = write(tmp_path / "f", ("a", "f:q", 9, "v"), ("a", "f:q", 8, "w"), family=family)
    described = hfile.describe(path)
    assert (described.compression, described.encoding, described.bloom_filter) == ("GZ", "DIFF", "ROWCOL")
    assert [(cell.timestamp, cell.value) for cell in hfile.read_cells(path)] == [(9, b"v"), (8, b"w")]
    copy = tmp_path / "copy"
    assert hfile.write(copy, hfile.read_cells(path)) == 2


@pytest.mark.parametrize(
    "cells",
    [
        [("b", "f:q", 1, ""), ("a", "f:q", 1, "")],
        [("a", "f:q", 1, ""), ("a", "f:q", 2, "")],
        [("a", "f:q", 1, ""), ("b", "g:q", 1, "")],
        [("", "f:q", 1, "")],
        [("a", "f", 1, "")],
        [("a", "f:q", 1, "", "Nonsense")],
    ],
)
def test_cells_that_no_file_can_hold_leave_none(tmp_path: Path, cells: list[CellTuple]) -> None:
    with pytest.raises(rs.errors.InvalidArgument):
        hfile.write(tmp_path / "f", cells)
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize("properties", [{}, {b"MOB_FILE_REFS": b"t/file"}])
def test_references_to_large_values_are_not_loaded(
    t: rs.Table, db: rs.Database, tmp_path: Path, properties: dict[bytes, bytes]
) -> None:
    """Regression: only the command line refused them. Reads then looked for MOB files of another database."""
    with rs.connect(tmp_path / "photos") as photos:
        photos.create_table("t", {"f": rs.Family(attributes={"IS_MOB": True, "MOB_THRESHOLD": 10})})
        photos.table("t").put("large", {"f:q": "x" * 100})
        photos.admin.flush("t")
        [file] = photos.admin.tables.store_files("t")
        copy = tmp_path / "copy"
        # HBase lists the MOB files in the properties since 2.5; before, only the cells have tags.
        hfile.write(copy, hfile.read_cells(file.path), has_tags=True, properties=properties)
    for path in (file.path, copy):
        with pytest.raises(errors.InvalidArgument, match="refers to large values in MOB files"):
            db.admin.tables.bulk_load("t", {"f": [path]})
    assert list(t) == []


def test_a_failed_export_leaves_nothing_behind(tmp_path: Path) -> None:
    """Regression: the files of the first regions stayed, so that the next export into the folder was refused."""
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f", "g"], splits=["m"])
        for row in ("a", "z"):
            db.table("t").put(row, {"f:q": "1", "g:q": "1"})
        db.admin.flush("t")
        damaged = Path(db.admin.tables.store_files("t")[-1].path)
    data = damaged.read_bytes()
    damaged.write_bytes(data[:40] + bytes(20) + data[60:])
    (tmp_path / "empty").mkdir()
    with rs.connect(tmp_path / "db") as db:
        for out in (tmp_path / "empty", tmp_path / "new"):
            with pytest.raises(errors.CorruptionError):
                db.admin.tables.export_hfiles("t", out)
        assert list((tmp_path / "empty").iterdir()) == []
        assert not (tmp_path / "new").exists()
    damaged.write_bytes(data)
    with rs.connect(tmp_path / "db") as db:
        assert len(db.admin.tables.export_hfiles("t", tmp_path / "empty")) == 4
