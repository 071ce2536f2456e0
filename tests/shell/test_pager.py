"""Long output on a terminal goes through a pager, which can be quit."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop
from rowstone.cli.shell.terminal.pager import Pager, paged, pager_command

HEIGHT = 10


def test_a_page_that_fits_is_shown_as_it_is(tmp_path: Path) -> None:
    out = io.StringIO()
    pager = Pager(out, f"cat > {tmp_path}/paged", lambda: HEIGHT)
    pager.write("a\n" * (HEIGHT - 2))
    assert out.getvalue() == ""
    pager.flush()
    assert out.getvalue() == "a\n" * (HEIGHT - 2)
    assert not (tmp_path / "paged").exists()


def test_a_longer_one_goes_to_the_pager_from_its_first_line(tmp_path: Path) -> None:
    out = io.StringIO()
    pager = Pager(out, f"cat > {tmp_path}/paged", lambda: HEIGHT)
    for number in range(30):
        pager.write(f"{number} \udcff\n")
    pager.flush()
    assert out.getvalue() == ""
    assert (tmp_path / "paged").read_bytes() == b"".join(b"%d \xff\n" % number for number in range(30))
    pager.write("after\n")
    pager.flush()
    assert out.getvalue() == "after\n"


def test_leaving_the_pager_ends_the_command_and_not_the_shell(tmp_path: Path) -> None:
    out = io.StringIO()
    pager = Pager(out, f"head -n 3 > {tmp_path}/paged", lambda: HEIGHT)
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        with db.table("t").batch() as batch:
            for number in range(20_000):
                batch.put(f"{number:05}", {"f:q": "v" * 50})
        session = Session(db, pager, is_terminal=True)
        lines = iter(["scan 't'", "count 't', INTERVAL => 100000"])
        assert loop.run(session, lambda prompt: next(lines, None)) == 0
    assert (tmp_path / "paged").read_text().count("\n") == 3
    assert out.getvalue().endswith("=> 20000\n")
    assert out.getvalue().count("column=f:q") == 0


def test_ctrl_c_leaves_it_too(tmp_path: Path) -> None:
    out = io.StringIO()
    pager = Pager(out, f"exec cat > {tmp_path}/paged", lambda: HEIGHT)
    pager.write("a\n" * 20)
    pager.leave()
    pager.write("b\n")
    pager.flush()
    assert out.getvalue() == "b\n"


def test_the_user_chooses_the_pager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "less -S")
    assert pager_command() == "less -S"
    for none in ("", "cat"):
        monkeypatch.setenv("PAGER", none)
        assert pager_command() is None
        out = io.StringIO()
        assert paged(out) is out
