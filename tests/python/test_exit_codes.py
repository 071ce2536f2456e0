"""Exit codes let scripts distinguish a locked database from a damaged one, and wrong options from a difference."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.cli import main
from rowstone.cli.common import status as _status
from tests.python.structure import ROOT


def status(*arguments: str | Path) -> int:
    """Run the command in this process and return its exit status."""
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "db"
    with rs.connect(path) as db:
        db.create_table("t", ["f"])
        db.table("t").put("row", {"f:q": "value"})
        db.create_table("u", ["f"])
        db.admin.flush("t")
    return path


def test_done_and_no(folder: Path) -> None:
    assert status("get", folder, "t", "row") == _status.DONE
    assert status("check", folder) == _status.DONE
    assert status("get", folder, "t", "other") == _status.NO
    assert status("compare", f"{folder}/t", f"{folder}/u") == _status.NO
    schema = folder.parent / "schema.toml"
    schema.write_text("[tables.more.families.f]\n")
    assert status("schema", "diff", schema, folder) == _status.NO


def test_wrong_calls_are_not_differences(folder: Path) -> None:
    assert status("compare", f"{folder}/t") == _status.USAGE
    assert status("compare", "--no-such-option") == _status.USAGE
    assert status("schema", "diff", folder, folder) == _status.USAGE
    assert status("advise", folder, "--fail-on", "sometimes") == _status.USAGE
    assert status("scan", folder, "t", "--columns", "none") == _status.USAGE


def test_missing_tables_and_directories_exit_with_failed(folder: Path) -> None:
    assert status("compare", f"{folder}/t", f"{folder}/missing") == _status.FAILED
    assert status("info", folder.parent / "nowhere") == _status.FAILED


def test_locked_is_not_damaged(folder: Path) -> None:
    with rs.connect(folder):
        assert status("check", folder) == _status.LOCKED
        assert status("schema", "apply", ROOT / "pyproject.toml", folder) == _status.USAGE, "no schema, before it opens"
        assert status("exec", folder, "list") == _status.LOCKED
    (folder / "MANIFEST").write_bytes(b"no manifest")
    assert status("info", folder) == _status.DAMAGED
    assert status("check", folder) == _status.DAMAGED
    assert status("repair", folder, folder.parent / "saved") in (_status.DONE, _status.DAMAGED)


def test_the_page_lists_every_code() -> None:
    page = (ROOT / "docs/reference/command-line.md").read_text()
    codes = {value for name, value in vars(_status).items() if name.isupper() and isinstance(value, int)}
    assert {int(line.split("|")[1]) for line in page.splitlines() if line[2:3].isdigit()} == codes


def test_the_package_runs_as_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "rowstone", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"rowstone {rs.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("scan", "DIR", "t", "--limit", "ten"), "'--limit': 'ten' is not a whole number"),
        (("top", "DIR", "--every", "0"), "'--every': '0' is below the minimum, 0.1"),
        (("scan", "DIR", "t", "--limit", "x" * 99), f"'--limit': '{'x' * 60}...' is not a whole number"),
        (("scan", "DIR", "t", "--format", "xml"), "'--format': 'xml' is not one of 'table', 'cells', 'json'"),
    ],
)
def test_a_wrong_value_is_named(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    """Regression: the message was "Input should be a valid integer", without the value."""
    assert status(*arguments) == _status.USAGE
    assert message in capsys.readouterr().err
