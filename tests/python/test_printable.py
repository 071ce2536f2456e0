"""Human-readable bytes come from one function, HBase's ``Bytes.toStringBinary``; no control character is printed."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import codecs, errors
from rowstone._base.printable import from_printable, printable
from rowstone.cli import main
from tests.python.structure import ROOT

EVIL = b"\x1b[31m\xd8\xb5\\\x9b"
"""An escape code, a UTF-8 letter, a backslash, and a byte that is a control character in Latin-1."""
SHOWN = r"\x1B[31m\xD8\xB5\x5C\x9B"


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as own:
        own.create_table("t", ["f"])
        for _ in range(200):
            own.table("t").put(EVIL, {b"f:" + EVIL: EVIL})
        yield own


def _error(call: Callable[[], object]) -> str:
    with pytest.raises(errors.RowstoneError) as caught:
        call()
    return str(caught.value)


def test_python_and_rust_write_the_same() -> None:
    every = bytes(range(256))
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        for start in range(0, 256, 64):
            name = every[start : start + 64].replace(b":", b"")
            assert f"'{printable(name)}'" in _error(partial(db.table("t").get, "r", [name]))
    assert from_printable(printable(every)) == every


def test_the_text_is_hbases() -> None:
    assert printable(EVIL) == SHOWN
    assert printable(b" ~!@#$%^&*()-_=+[]{}|;:'\",.<>/?") == " ~!@#$%^&*()-_=+[]{}|;:'\",.<>/?"
    assert printable(bytes([0x1F, 0x7F])) == r"\x1F\x7F"
    assert from_printable(r"\x+5\xg0\x") == rb"\x+5\xg0\x"


PLACES: dict[str, Callable[[rs.Database], str]] = {
    "repr of a typed row": lambda db: repr(codecs.typed(db.table("t")).get(EVIL)).replace(repr(EVIL), SHOWN),
    "conceptual view": lambda db: str(db.table("t").conceptual_view()),
    "physical view": lambda db: str(db.table("t").physical_view("f")),
    "catalogue": lambda db: str(db.table("t").column_catalogue()),
    "catalogue as a dict": lambda db: db.table("t").column_catalogue().to_dict()["columns"][0]["column"],
    "row in a notebook": lambda db: db.table("t").get(EVIL)._repr_html_(),
    "scan in a notebook": lambda db: db.table("t").scan()._repr_html_(),
    "heat map": lambda db: str(db.admin.metrics.heat_map("t")),
    "heat map as SVG": lambda db: db.admin.metrics.heat_map("t").svg(),
    "explain_missing": lambda db: str(db.explain_missing("t", EVIL, b"f:" + EVIL)),
    "error of Python": lambda db: _error(lambda: db.table("t").rename_row(EVIL, EVIL)),
    "error of Rust": lambda db: _error(lambda: db.table("t").get("r", [EVIL])),
    "error of a family": lambda db: _error(lambda: db.explain("t", columns=[EVIL])),
    "error of a codec": lambda db: _error(lambda: codecs.codec("text").decode(EVIL)),
    "error of a key": lambda db: _error(lambda: rs.keys.Key(rs.keys.fixed("a", len(EVIL))).decode(EVIL)),
    "filter": lambda db: str(rs.filters.PrefixFilter(EVIL)),
    "explain with a filter": lambda db: str(db.explain("t", filter=rs.filters.PrefixFilter(EVIL))),
    "codec": lambda db: codecs.codec("bytes").show(EVIL),
    "schema": lambda db: str(_with_family(db).describe("t")),
}


def _with_family(db: rs.Database) -> rs.Admin:
    # HBase allows bytes above 0x7F in names of families, but no control characters.
    db.admin.tables.add_family("t", b"[31m\xd8\xb5\x9b", {})
    return db.admin


@pytest.mark.parametrize("place", PLACES)
def test_bytes_are_printable_ascii_at(place: str, db: rs.Database) -> None:
    text = PLACES[place](db)
    assert re.fullmatch(r"[ -~\n…█▓▒░─-╿]*", text), text
    assert SHOWN[4:16] in text


@pytest.mark.parametrize(
    "words",
    [("scan",), ("scan", "--format", "table"), ("scan", "--format", "json"), ("columns",), ("count", "--cells")],
)
def test_bytes_are_printable_ascii_on_the_command_line(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        db.table("t").put(EVIL, {b"f:" + EVIL: EVIL})
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main([words[0], f"{tmp_path}/db", "t", *words[1:]])
    text = out.getvalue()
    assert SHOWN.replace("\\", "\\\\" if "json" in words else "\\") in text
    assert re.fullmatch(r"[ -~\n]*", text), text


def test_a_constraint_checks_the_column_it_names() -> None:
    """Regression: a column that is not UTF-8 was stored as another one, and that one was checked after reopening."""
    with pytest.raises(errors.InvalidArgument, match=r"'f:\\xFF' is not UTF-8"):
        rs.coprocessors.constraints.Range(b"f:\xff", min_value=1)
    assert rs.coprocessors.constraints.Range("f:ü", min_value=1).arguments["column"] == "f:ü"


DECODED_OTHERWISE = {
    "_core/frames.py": "data: names and values of a frame",
    "jobs/splits/state.py": "a file: JSON with any text",
    "jobs/files/delimited.py": "a check of one character",
    "server/rest": "data: HBase's REST",
    "cli/shell": "strings as in HBase's Ruby shell",
    "server/thrift": "data: HBase's Thrift",
    "server/security": "a length in bytes",
    "schema/advise/rules/access.py": "a comparison",
    "server/acting.py": "the bytes of a user's name are counted, not shown",
}
"""Other conversions of bytes to text, each with its reason."""


def test_no_other_function_shows_bytes() -> None:
    package = ROOT / "python/rowstone"
    wrong = [
        f"{file.relative_to(package)}: {line.strip()}"
        for file in sorted(package.rglob("*.py"))
        if not str(file.relative_to(package)).startswith(tuple(DECODED_OTHERWISE))
        for line in file.read_text().splitlines()
        if re.search(r"errors=.(backslashreplace|replace|ignore)", line)
    ]
    assert not wrong
