"""`rowstone.jobs.import_file`: the table has the rows of the file, bad lines are named, an import can be resumed."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import codecs, jobs


def cells(table: rs.Table) -> list[tuple[bytes, bytes, int, bytes]]:
    return [
        (cell.row, cell.column, cell.timestamp, cell.value) for row in table.scan(versions=None) for cell in row.cells
    ]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Thirty thousand rows: more than one piece."""
    path = tmp_path / "people.csv"
    path.write_text("id,age,name\n" + "".join(f"r{n:05},{n % 90},name {n}\n" for n in range(30_000)))
    return path


def test_csv_with_quotes_and_bytes_that_are_no_text(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'\xef\xbb\xbfid,name\r\nr1,"a ""b"", c\r\nd"\r\n\r\nr2,\xff\xfe\r\nr3,\n')
    done = jobs.import_file(db, "t", path, {"f:n": "name", "g:n": "name"}, key="id", timestamp=7)
    assert (done.rows, done.cells, done.line, done.offset) == (3, 6, 6, path.stat().st_size)
    assert cells(t) == [
        (row, column, 7, value)
        for row, value in ((b"r1", b'a "b", c\r\nd'), (b"r2", b"\xff\xfe"), (b"r3", b""))
        for column in (b"f:n", b"g:n")
    ]


def test_tsv_as_import_tsv_reads_it(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text('1\tr1\tx\t"a\n2\tr2\ty\n3\tr3\n')
    done = jobs.import_file(db, "t", path, ["HBASE_TS_KEY", "HBASE_ROW_KEY", "", "f:q"], bad_lines="skip")
    assert cells(t) == [(b"r1", b"f:q", 1, b'"a')]
    assert (done.rows, done.skipped) == (1, 2)
    done = jobs.import_file(db, "t", path, ["HBASE_TS_KEY", "HBASE_ROW_KEY", "f:p", "f:q"], bad_lines="skip")
    assert (done.rows, done.skipped) == (2, 1)
    assert cells(t) == [(b"r1", b"f:p", 1, b"x"), (b"r1", b"f:q", 1, b'"a'), (b"r2", b"f:p", 2, b"y")]


def test_json_lines_are_imported(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [
        {"id": "r1", "v": 1.5, "at": 5},
        {"id": 2, "v": None, "at": 6},
        {"id": "r3", "v": {"base64": "/w=="}, "at": 7},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"id": "r4", "v": ["é", true], "at": 8}')
    jobs.import_file(db, "t", path, {"f:v": "v"}, key="id", timestamp_field="at")
    assert cells(t) == [
        (b"r1", b"f:v", 5, b"1.5"),
        (b"r3", b"f:v", 7, b"\xff"),
        (b"r4", b"f:v", 8, '["é",true]'.encode()),
    ]


def test_numbers_of_json_keep_their_text(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    numbers = ["1E400", "-1e-999", "0.1000000000000000000001", "1.10", "12345678901234567890123", '[1.10,{"a":2.50}]']
    path.write_text("".join(f'{{"id": "r{n}", "v": {number}}}\n' for n, number in enumerate(numbers)))
    jobs.import_file(db, "t", path, {"f:v": "v"}, key="id", timestamp=1)
    assert [row["f:v"].decode() for row in t.scan()] == numbers
    # Encoders receive numbers.
    encode = {"f:v": codecs.codec("float64").encode}
    done = jobs.import_file(db, "t", path, {"f:v": "v"}, key="id", encode=encode, bad_lines="skip", timestamp=2)
    assert t["r3"]["f:v"] == struct.pack(">d", 1.1)
    assert (done.refused[0].line, str(done.refused[0].value)) == (1, "1E400")
    assert "too large for a float" in str(done.refused[0])


def test_constants_that_are_no_json_are_refused(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    constants = ["NaN", "Infinity", "-Infinity", "[NaN]", "[" * 100_000]
    path.write_text("".join(f'{{"id": "r", "v": {constant}}}\n' for constant in constants))
    done = jobs.import_file(db, "t", path, {"f:v": "v"}, key="id", bad_lines="skip")
    assert (done.rows, done.skipped) == (0, len(constants))
    assert str(done.refused[0]) == "a.jsonl line 1: not JSON: NaN is not a JSON value"
    path.write_text('{"id": "r", "v": 1, "at": 1e999}')
    with pytest.raises(jobs.BadInput, match="'1e999': not a timestamp"):
        jobs.import_file(db, "t", path, {"f:v": "v"}, key="id", timestamp_field="at", restart=True)


def test_encoders_make_values_and_keys(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("host,at,n\nh,5,300\n")
    jobs.import_file(
        db,
        "t",
        path,
        {"f:n": "n"},
        key=["host", "at"],
        encode={"f:n": lambda value: int(value).to_bytes(8, "big")},
        encode_key=lambda host, at: host + b"-" + at.zfill(4),
        timestamp=1,
    )
    assert cells(t) == [(b"h-0005", b"f:n", 1, (300).to_bytes(8, "big"))]


BAD = 'id,age,at\nr1,1,1\nr2,old,2\n,3,3\nr4,4,x\nr5,5,5,5\nr6,"6"6,6\nr7,7,-1\nr8,8,8\n'


def test_a_refused_line_is_named_and_ends_the_import(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(BAD)
    encode = {"f:a": lambda value: b"%d" % int(value)}
    with pytest.raises(jobs.BadInput, match=r"^bad.csv line 3, column 'age': 'old': invalid literal") as caught:
        jobs.import_file(db, "t", path, {"f:a": "age"}, key="id", timestamp_field="at", encode=encode)
    assert (caught.value.line, caught.value.column, caught.value.value) == (3, "age", b"old")
    assert [row.key for row in t.scan()] == [b"r1"]
    path.write_text("id,age,at\nr1,1,1\nr2,2,2\nr3,3,3\n")
    done = jobs.import_file(db, "t", path, {"f:a": "age"}, key="id", timestamp_field="at", encode=encode)
    assert done.resumed
    assert done.rows == 3
    assert [row.key for row in t.scan()] == [b"r1", b"r2", b"r3"]


def test_refused_lines_are_skipped_counted_and_kept(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path, kept = tmp_path / "bad.csv", tmp_path / "kept"
    path.write_text(BAD)
    options = {"key": "id", "timestamp_field": "at", "encode": {"f:a": lambda value: b"%d" % int(value)}}
    done = jobs.import_file(db, "t", path, {"f:a": "age"}, **options, bad_lines="skip", bad_file=kept)  # type: ignore[arg-type]
    assert (done.rows, done.skipped) == (2, 6)
    assert [(error.line, error.column) for error in done.refused] == [
        (3, "age"), (4, "id"), (5, "at"), (6, ""), (7, ""), (8, "at")
    ]  # fmt: skip
    assert kept.read_text() == "".join(BAD.splitlines(keepends=True)[2:8])
    assert [row.key for row in t.scan()] == [b"r1", b"r8"]


@pytest.mark.parametrize("name", ["short.csv", "short.tsv"])
@pytest.mark.parametrize("shuffle", [False, True])
def test_a_line_with_a_key_and_nothing_else_is_refused(
    db: rs.Database, t: rs.Table, tmp_path: Path, name: str, shuffle: bool
) -> None:
    path, tab = tmp_path / name, "," if name.endswith("csv") else "\t"
    path.write_text("id,age,city\nr1,1,Rome\nr2\nr3,3\nr4,4,Oslo\n".replace(",", tab))
    columns, fields = {"f:a": "age", "f:c": "city"}, ["HBASE_ROW_KEY", "f:a", "f:c"]
    with pytest.raises(jobs.BadInput, match=rf"^{name} line 3: it has 1 field, fewer than 3$"):
        jobs.import_file(db, "t", path, columns, key="id")
    done = jobs.import_file(
        db, "t", path, columns, key="id", bad_lines="skip", bad_file=tmp_path / "kept", shuffle=shuffle, restart=True
    )
    assert (done.rows, done.skipped, done.without_cells) == (2, 2, 0)
    assert sorted((tmp_path / "kept").read_text().splitlines()) == ["r2", f"r3{tab}3"]
    assert [row.key for row in t.scan()] == [b"r1", b"r4"]
    # Without a header, as ImportTsv has it, the last fields of a line may be missing.
    done = jobs.import_file(db, "t", path, fields, bad_lines="skip")
    assert (done.rows, [str(error) for error in done.refused]) == (
        4, [f"{name} line 3: it has 1 field, fewer than 2"]
    )  # fmt: skip


def test_lines_without_a_cell_are_counted_over_an_interruption(
    db: rs.Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rowstone.jobs._import._PIECE_LINES", 10)
    path = tmp_path / "a.csv"
    path.write_text("id,v\n" + "".join(f"r{n},{'' if n % 4 == 0 else n}\n" for n in range(100)))

    def stop(done: jobs.Imported) -> None:
        raise Stop

    with pytest.raises(Stop):
        jobs.import_file(db, "t", path, {"f:v": "v"}, key="id", skip_empty=True, progress=stop)
    done = jobs.import_file(db, "t", path, {"f:v": "v"}, key="id", skip_empty=True)
    assert (done.resumed, done.rows, done.skipped, done.without_cells) == (True, 75, 0, 25)
    (tmp_path / "a.jsonl").write_text('{"id": "r1", "v": null}\n{"id": "r2"}\n{"id": "r3", "v": 1}\n')
    done = jobs.import_file(db, "t", tmp_path / "a.jsonl", {"f:v": "v"}, key="id")
    assert (done.rows, done.without_cells) == (1, 2)


@pytest.mark.parametrize("is_taken_away", [False, True])
def test_skipped_lines_are_kept_once_over_an_interruption(
    db: rs.Database, tmp_path: Path, is_taken_away: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rowstone.jobs._import._PIECE_LINES", 10)
    path, kept = tmp_path / "a.tsv", tmp_path / "kept"
    path.write_text("".join(f"r{n}\tv\n" if n % 4 else f"\t{n}\n" for n in range(100)))
    calls = 0

    def stop(done: jobs.Imported) -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise Stop

    fields, options = ["HBASE_ROW_KEY", "f:q"], {"bad_lines": "skip", "bad_file": kept}
    with pytest.raises(Stop):
        jobs.import_file(db, "t", path, fields, progress=stop, **options)  # type: ignore[arg-type]
    assert kept.read_text() == "".join(f"\t{n}\n" for n in range(0, 50, 4))
    if is_taken_away:
        kept.unlink()
    done = jobs.import_file(db, "t", path, fields, **options)  # type: ignore[arg-type]
    assert (done.rows, done.skipped) == (75, 25)
    assert kept.read_text() == "".join(f"\t{n}\n" for n in range(52 if is_taken_away else 0, 100, 4))


def test_a_cell_that_the_table_refuses_is_a_refused_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"id": f"r{n}", "v": "x" * n * 1000}) + "\n" for n in range(4)))
    with rs.connect(":memory:", configuration={"hbase.server.keyvalue.maxsize": 2500}) as db:
        db.create_table("t", ["f"])
        done = jobs.import_file(db, "t", path, {"f:v": "v"}, key="id", bad_lines="skip")
        assert [row.key for row in db.table("t").scan()] == [b"r0", b"r1", b"r2"]
    assert [error.line for error in done.refused] == [4]


def test_lines_that_are_no_json(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "r1", "v": 1}\n{"id":\n[1]\n\n{"v": 1}\n{"id": "\\ud800", "v": 1}\n')
    done = jobs.import_file(db, "t", path, {"f:v": "v"}, key="id", bad_lines="skip")
    assert done.rows == 1
    assert [error.line for error in done.refused] == [2, 3, 5, 6]


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rowstone.jobs._import._PIECE_LINES", 20_000)


class Stop(BaseException):
    """Like Ctrl-C, at any point of the import."""


def test_an_interrupted_import_goes_on(db: rs.Database, t: rs.Table, people: Path) -> None:
    def stop(done: jobs.Imported) -> None:
        raise Stop

    with pytest.raises(Stop):
        jobs.import_file(db, "t", people, {"f:a": "age"}, key="id", progress=stop)
    assert (state := Path(f"{people}.import.json")).exists()
    assert len(list(t)) == 20_000
    with pytest.raises(rs.errors.InvalidArgument, match=r"columns was"):
        jobs.import_file(db, "t", people, {"f:b": "age"}, key="id")
    with pytest.raises(rs.errors.InvalidArgument, match=r"timestamp was null and is 5"):
        jobs.import_file(db, "t", people, {"f:a": "age"}, key="id", timestamp=5)
    done = jobs.import_file(db, "t", people, {"f:a": "age"}, key="id")
    assert done.resumed
    assert done.rows == 30_000
    assert not state.exists()
    found = cells(t)
    assert {stamp for _, _, stamp, _ in found} == {done.timestamp}
    assert [(row, value) for row, _, _, value in found] == [
        (b"r%05d" % n, b"%d" % (n % 90)) for n in range(30_000)
    ]  # fmt: skip


def test_an_import_does_not_go_on_in_another_file(db: rs.Database, t: rs.Table, people: Path) -> None:
    def stop(done: jobs.Imported) -> None:
        raise Stop

    with pytest.raises(Stop):
        jobs.import_file(db, "t", people, {"f:a": "age"}, key="id", progress=stop)
    people.write_text(people.read_text().replace("name", "eman"))
    with pytest.raises(rs.errors.InvalidArgument, match="the file changed"):
        jobs.import_file(db, "t", people, {"f:a": "age"}, key="id")
    assert not jobs.import_file(db, "t", people, {"f:a": "age"}, key="id", restart=True).resumed


def test_a_dry_run_writes_nothing(db: rs.Database, t: rs.Table, people: Path) -> None:
    before = sorted(people.parent.iterdir())
    done = jobs.import_file(db, "t", people, {"f:a": "age", "g:n": "name"}, key="id", dry_run=True)
    assert (done.rows, done.cells) == (30_000, 60_000)
    assert list(t) == []
    assert sorted(people.parent.iterdir()) == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b" id ,age\n", r"has no field 'id'; it has ' id ', 'age'"),
        ("id,age\n".encode("utf-16"), r"it has '\\xFF\\xFEi\\x00d\\x00', '"),
        (b"id,age\ra,1\r", "has no header in its first line: new-line character"),
        (b"", "has no header in its first line: it is empty"),
    ],
)
def test_a_header_without_the_field_is_shown_as_it_is(
    db: rs.Database, t: rs.Table, tmp_path: Path, content: bytes, message: str
) -> None:
    """Spaces around names could not be seen, and bytes of UTF-16 reached the terminal."""
    path = tmp_path / "people.csv"
    path.write_bytes(content)
    with pytest.raises(rs.errors.InvalidArgument, match=message):
        jobs.import_file(db, "t", path, {"f:a": "age"}, key="id")


def test_wrong_calls_change_nothing(db: rs.Database, t: rs.Table, people: Path) -> None:
    for columns, options, message in [
        ({"x:a": "age"}, {"key": "id"}, "no family x"),
        ({"f:a": "nothing"}, {"key": "id"}, "no field 'nothing'"),
        ({"f:a": "age"}, {}, "key="),
        (["HBASE_TS_KEY", "f:a"], {}, "HBASE_ROW_KEY once"),
        (["HBASE_ROW_KEY", "HBASE_CELL_TTL"], {}, "HBASE_CELL_TTL"),
        ({"f:a": "age"}, {"key": ["id", "name"]}, "encode_key"),
        ({"f:a": "age"}, {"key": "id", "separator": "ab"}, "separator"),
        ({"f:a": "age"}, {"key": "id", "bad_lines": "hide"}, "bad_lines"),
        ({"f:a": "age"}, {"key": "id", "format": "xml"}, "xml"),
        ({"f:a": "age"}, {"key": "id", "encode": {"f:b": bytes}}, "f:b"),
        ("f:a", {"key": "id"}, "mapping"),
        (b"f:a", {"key": "id"}, "mapping"),
        ({"f": "age"}, {"key": "id"}, "column 'f' has no colon"),
        ({"f:a": "age"}, {"key": []}, "key has no fields"),
        ({"f:a": "age"}, {"key": b"id"}, "key must be a list"),
        ({"f:a": "age"}, {"key": "id", "timestamp": -1}, "^timestamp is -1"),
        ({"f:a": "age"}, {"key": "id", "timestamp": -1, "bad_lines": "skip"}, "^timestamp is -1"),
        ({"f:a": "age"}, {"key": "id", "durability": "SYNC"}, "^durability 'SYNC' is unknown"),
    ]:
        with pytest.raises(rs.errors.UsageError, match=message):
            jobs.import_file(db, "t", people, columns, **options)  # type: ignore[arg-type]
    with pytest.raises(rs.errors.UsageError, match=r"^timestamp is -1"):
        jobs.import_file(db, "new", people, {"f:a": "age"}, key="id", timestamp=-1, create=True)
    assert db.tables() == ["t"]
    assert list(t) == []
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]


@pytest.mark.parametrize("name", ["bad.csv", "bad.jsonl"])
def test_a_timestamp_that_is_no_whole_number_is_refused(
    db: rs.Database, t: rs.Table, tmp_path: Path, name: str
) -> None:
    stamps = {"bad.csv": ["1_0", "1.5", "", "x"], "bad.jsonl": ['"1_0"', "1.5", "true", "[]"]}[name]
    lines = [f'{{"id": "r", "a": "1", "at": {stamp}}}' for stamp in [*stamps, "1e3"]]
    if name == "bad.csv":
        lines = ["id,a,at", *(f"r,1,{stamp}" for stamp in [*stamps, "1000"])]
    (tmp_path / name).write_text("\n".join(lines) + "\n")
    done = jobs.import_file(db, "t", tmp_path / name, {"f:a": "a"}, key="id", timestamp_field="at", bad_lines="skip")
    assert [error.column for error in done.refused] == ["at"] * 4
    assert [cell.timestamp for row in t.scan(versions=None) for cell in row.cells] == [1000]
