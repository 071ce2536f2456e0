"""Scans that threads read ahead return the same rows in the same order as those of one thread."""

import contextlib
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.errors import CorruptionError, DatabaseClosed, InvalidArgument, InvalidType

ROWS = 3000
THREADS = 3
TASKS = Path("/proc/self/task")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with three regions, two files in each, large enough for several pieces of a scan, and small blocks."""
    folder = tmp_path_factory.mktemp("threads") / "root"
    chosen = random.Random(11)
    family = {"max_versions": 3, "block_bytes": 1024, "data_block_encoding": "FAST_DIFF", "compression": "SNAPPY"}
    with rs.connect(":memory:", configuration={"rowstone.compaction.background": False}) as db:
        table = db.create_table("web", {"f": family, "g": {"block_bytes": 2048}}, splits=["1000", "2000"])
        table = db.table("web")
        for _ in range(2):
            for number in range(ROWS):
                columns = {f"f:q{column}": chosen.randbytes(chosen.randrange(600)) for column in range(4)}
                table.put(f"{number:04}", {**columns, "g:x": f"{number % 7}"}, timestamp=chosen.randrange(1, 50))
                if number % 40 == 0:
                    table.delete(f"{chosen.randrange(ROWS):04}")
            db.admin.flush("web")
        db.admin.snapshot("nightly", "web")
        db.admin.snapshots.export("nightly", folder)
    return folder


def text_of(row: rs.Row) -> tuple[object, ...]:
    return (row.key, *((cell.column, cell.timestamp, cell.value) for cell in row.cells))


def rows_of(db: rs.Database, **options: object) -> list[tuple[object, ...]]:
    return [text_of(row) for row in db.table("web").scan(**options)]


def options_of(chosen: random.Random) -> dict[str, object]:
    """Options of a random scan; most scans are long."""
    reverse = chosen.random() < 0.3
    ends = sorted((f"{chosen.randrange(300):04}", f"{chosen.randrange(2000, ROWS + 500):04}"), reverse=reverse)
    all_options = {
        "start": ends[0],
        "stop": ends[1],
        "limit": chosen.choice([1, 40, 700, 2100]),
        "versions": chosen.choice([1, 3]),
        "batch": chosen.choice([1, 3]),
        "columns": chosen.choice([["f"], ["g"], ["f:q1", "g:x"]]),
        "filter": chosen.choice(
            [
                "PageFilter(300)",
                "WHILE RowFilter(<, 'binary:1500')",
                "ValueFilter(=, 'binary:3')",
                "SKIP ValueFilter(!=, 'binary:3')",
                "ColumnPaginationFilter(2, 1)",
            ]
        ),
        "cache_blocks": False,
    }
    options = {name: value for name, value in all_options.items() if chosen.random() < 0.3}
    if reverse:
        options |= {"reverse": True, "start": ends[0], "stop": ends[1]}
    if "filter" in options:
        options.pop("batch", None)
    return options


def test_random_scans_are_the_same(root: Path) -> None:
    chosen, lengths = random.Random(23), []
    with (
        rs.open_root(root, snapshot="nightly", threads=0) as plain,
        rs.open_root(root, snapshot="nightly", threads=THREADS, cache_bytes=chosen.choice([0, 1 << 20])) as ahead,
    ):
        for _ in range(60):
            options = options_of(chosen)
            expected = rows_of(plain, **options)
            assert rows_of(ahead, **options) == expected, options
            lengths.append(len(expected))
    assert sum(length > 1000 for length in lengths) > 15


def test_frames_are_the_same(root: Path) -> None:
    pytest.importorskip("pyarrow")
    with rs.open_root(root, snapshot="nightly", threads=0) as plain, rs.open_root(root, snapshot="nightly") as ahead:
        for form in ("cells", "rows"):
            tables = [db.table("web").scan().arrow(form).read_all() for db in (plain, ahead)]
            assert tables[0].num_rows > 2000
            assert tables[0] == tables[1]


def test_a_directory_reads_ahead_on_request(tmp_path: Path) -> None:
    """A scan of a directory is not disturbed by writes, flushes and a compaction while threads read it."""
    with rs.connect(tmp_path / "db", configuration={"rowstone.scan.threads": 2}) as db:
        db.create_table("web", {"f": {"max_versions": 3, "block_bytes": 1024}, "g": {}})
        table = db.table("web")
        for number in range(ROWS):
            table.put(f"{number:04}", {"f:a": str(number)})
        db.admin.flush("web")
        scanned = table.scan()
        found = [next(scanned).key for _ in range(200)]
        for number in range(0, ROWS, 5):
            table.delete(f"{number:04}")
        db.admin.flush("web")
        db.admin.major_compact("web")
        found += [row.key for row in scanned]
        assert found == [f"{number:04}".encode() for number in range(ROWS)]
        assert sum(1 for _ in table.scan()) == ROWS - ROWS // 5


def until_error(db: rs.Database) -> Iterator[object]:
    try:
        for row in db.table("web").scan():
            yield text_of(row)
    except CorruptionError as error:
        yield str(error)


def test_an_error_comes_before_the_damaged_row_and_after_whole_batches(root: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "root"
    for path in root.rglob("*"):
        if path.is_file():
            copy = damaged / path.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    file = sorted(path for path in damaged.rglob("f/*") if path.is_file())[2]
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    found = []
    for threads in (0, THREADS):
        with rs.open_root(damaged, snapshot="nightly", threads=threads) as db:
            found.append(list(until_error(db)))
    with rs.open_root(damaged, snapshot="nightly", threads=THREADS) as db, db.table("web").scan() as failed:
        with pytest.raises(CorruptionError):
            list(failed)
        with pytest.raises(rs.errors.RowstoneError, match="failed before"):
            next(failed)
    with rs.open_root(root, snapshot="nightly") as db:
        whole = rows_of(db)
    for *rows, error in found:
        assert 100 < len(rows) < len(whole)
        assert rows == whole[: len(rows)]
        assert error == found[0][-1]
    assert file.name in str(found[0][-1])


def count_scan_threads() -> int:
    found = 0
    for path in TASKS.glob("*/comm"):
        # A thread may end between the listing and the reading.
        with contextlib.suppress(OSError):
            found += path.read_text().strip() == "rowstone-scan"
    return found


def await_scan_threads(count: int) -> None:
    """A thread that was joined is listed a moment longer."""
    deadline = time.monotonic() + 60
    while count_scan_threads() != count and time.monotonic() < deadline:
        time.sleep(0.01)
    assert count_scan_threads() == count


def test_threads_end_with_the_database(root: Path) -> None:
    await_scan_threads(0)
    with rs.open_root(root, snapshot="nightly", threads=THREADS) as db:
        assert list(db.table("web").scan(columns=["g"], limit=5))
        assert count_scan_threads() == 0, "a short scan starts no thread"
        for length in (100, 500, 900):
            with db.table("web").scan() as scanner:
                for _, row in zip(range(length), scanner, strict=False):
                    assert row
        await_scan_threads(THREADS)
        abandoned = db.table("web").scan()
        assert next(abandoned)
        unread = [next(abandoned).key for _ in range(100)]
    await_scan_threads(0)
    assert len(unread) == 100
    with pytest.raises(DatabaseClosed):
        list(abandoned)


def test_a_scan_that_was_left_has_read_little(root: Path) -> None:
    """Threads read at most two batches and a few blocks ahead."""
    with rs.open_root(root, snapshot="nightly", threads=THREADS) as db:
        with db.table("web").scan() as scanner:
            assert [next(scanner).key for _ in range(60)]
        few = db.admin.metrics.stats()["cache_misses"]
        assert sum(1 for _ in db.table("web").scan()) > 2800
        assert few < db.admin.metrics.stats()["cache_misses"] / 4


def test_the_number_of_threads_is_checked(root: Path) -> None:
    for wrong in (-1, 65):
        with pytest.raises(InvalidArgument, match="0 to 64"):
            rs.open_root(root, snapshot="nightly", threads=wrong)
    with pytest.raises(InvalidType, match="int"):
        rs.open_root(root, snapshot="nightly", threads=True)
    with rs.open_root(root, snapshot="nightly", threads=2) as db:
        assert db.configuration["rowstone.scan.threads"] == 2
