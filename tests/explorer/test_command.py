"""``rowstone explore`` for each kind of target."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.cli.serving import explore
from tests.explorer.conftest import Visitor
from tests.explorer.test_edit import change

MAIN = "from rowstone.cli import main; main()"


@contextmanager
def running(*arguments: str) -> Iterator[tuple[str, Visitor]]:
    """The first line of the command, and a client with its token."""
    command = [sys.executable, "-c", MAIN, "explore", *arguments, "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            url = line.partition("http://")[2].partition(" ")[0]
            visitor = Visitor(f"http://{url.partition('/')[0]}")
            answer = visitor.request("GET", "/" + url.partition("/")[2])
            visitor.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
            yield line, visitor
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0, process.stderr and process.stderr.read()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    path = tmp_path / "db"
    with rs.connect(path) as db:
        db.create_table("t", ["f"])
        db.table("t").put("r", {"f:q": "value"})
        db.admin.snapshot("nightly", "t")
        db.admin.snapshots.export("nightly", tmp_path / "root")
    return path


def test_the_heat_map_of_the_last_use(directory: Path) -> None:
    with rs.connect(directory) as db:
        for number in range(200):
            db.table("t").put(f"hot{number % 3}", {"f:q": "v"})
    with running(str(directory)) as (_, visitor):
        assert "200" in visitor.request("GET", "/heat").text
        assert "hot0" in visitor.request("GET", "/heat/t").html
        assert visitor.request("GET", "/heat/none").status == 404
        assert "/heat/t" in visitor.request("GET", "/tables/t").html
    kept = (directory / "HEAT").read_bytes()
    with running(str(directory), "--write") as (_, visitor):
        assert visitor.get("rows").status == 200
        assert "200 written" in visitor.text("heat")
    assert (directory / "HEAT").read_bytes() == kept
    (directory / "HEAT").unlink()
    with running(str(directory)) as (_, visitor):
        assert "/heat" not in visitor.request("GET", "/tables/t").html


def visit_all(visitor: Visitor) -> None:
    """Every page that a menu or a link leads to."""
    for path in ("/", "/tables", "/tables/t", "/snapshots"):
        assert visitor.request("GET", path).status in (200, 307), path
    assert "value" in visitor.text("rows")
    assert "visible value" in visitor.text("row", key="r", missing="f:q")
    assert "value" in visitor.text("cell", key="r", column="f:q")
    assert "FULL SCAN" in visitor.text("scan")
    assert "value" in visitor.get("download", format="csv").html


def test_a_directory_opens_read_only(directory: Path) -> None:
    with running(str(directory)) as (line, visitor):
        assert "read-only" in line
        visit_all(visitor)
        assert visitor.get("edit").status == 404


def test_a_directory_that_another_process_uses(directory: Path) -> None:
    with rs.connect(directory), running(str(directory)) as (_, visitor):
        visit_all(visitor)


def test_changes_with_write(directory: Path) -> None:
    with running(str(directory), "--write") as (line, visitor):
        assert "changes are allowed" in line
        _, applied = change(visitor, kind="put", key="r", column="f:q", value="new", form="text")
        assert applied.status == 303
    with rs.connect(directory, read_only=True) as db:
        assert db.table("t").value("r", "f:q") == b"new"


def test_a_served_database(directory: Path) -> None:
    with rs.serve(directory, port=0, zk_port=None) as server, running(server.url, "--write") as (_, visitor):
        visit_all(visitor)
        change(visitor, kind="put", key="r", column="f:q", value="new", form="text")
        assert server.database.table("t").value("r", "f:q") == b"new"


@pytest.mark.parametrize("form", ["{}", "root+file://{}?snapshot=nightly"])
def test_files_of_hbase(directory: Path, form: str) -> None:
    with running(form.format(directory.parent / "root")) as (_, visitor):
        visit_all(visitor)


def test_files_of_hbase_cannot_be_changed(directory: Path) -> None:
    command = [sys.executable, "-c", MAIN, "explore", str(directory.parent / "root"), "--write", "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "is read-only: explore it without write" in done.stderr) == (2, True)


def test_a_directory_that_does_not_exist(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MAIN, "explore", str(tmp_path / "none"), "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    assert not (tmp_path / "none").exists()


def test_the_browser_gets_the_token_by_a_private_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arguments of processes are visible to other users of the machine."""
    opened: list[tuple[str, int, str]] = []

    def note(url: str) -> bool:
        file = Path(url.removeprefix("file://"))
        opened.append((url, file.stat().st_mode & 0o777, file.read_text()))
        return True

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", note)
    with explore._browser("http://127.0.0.1:1/tables?token=secret", is_wanted=True):
        [(url, mode, text)] = opened
    assert "secret" not in url
    assert (mode, "token=secret" in text) == (0o600, True)
    assert not Path(url.removeprefix("file://")).exists()
    with explore._browser("http://127.0.0.1:1/", is_wanted=False):
        assert len(opened) == 1
