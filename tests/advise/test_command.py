"""`rowstone advise` and `rowstone columns`: targets, options, forms and status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Run a command. Return its exit status and output."""
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return int(ended.value.code or 0), printed.out + printed.err


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("advise") / "db"
    with rs.connect(path) as db:
        db.create_table("bad", {"contents": rs.Family(max_versions=1000)})
        db.create_table("fair", ["info"])
        db.create_table("good", ["d"])
        db.table("good").put("row", {"d:n": (7).to_bytes(8, "big"), "d:text": "[a value of some length, it is]"})
    return path


def test_the_status_depends_on_the_findings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "advise", folder)[0] == 1
    assert run(capsys, "advise", folder, "--fail-on", "never")[0] == 0
    assert run(capsys, "advise", folder, "good", "--fail-on", "info")[0] == 0
    assert run(capsys, "advise", folder, "good", "fair", "--fail-on", "info")[0] == 1
    assert run(capsys, "advise", folder, "good", "fair")[0] == 0
    status, text = run(capsys, "advise", folder, "--fail-on", "sometimes")
    assert (status, "--fail-on 'sometimes' is not one of: info, warning, error, never" in text) == (2, True)


def test_output_as_text_and_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, text = run(capsys, "advise", folder, "bad")
    assert "L12 too-many-versions" in text
    assert "prefer rows" in text
    assert text.splitlines()[-1].startswith("1 table: 1 error, 1 info; ")
    _, text = run(capsys, "advise", folder, "bad", "--json")
    assert json.loads(text)["findings"][0]["place"] == "family contents"


def test_a_schema_file_as_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema, keys, access, settings = (tmp_path / name for name in ("s.toml", "keys", "access.json", "settings.toml"))
    schema.write_text('[tables.t]\nsplits = ["g"]\n[tables.t.families.d]\n')
    assert run(capsys, "advise", schema, "--fail-on", "info")[0] == 0
    keys.write_text("".join(f"{number:02x}\n" for number in range(256)))
    status, text = run(capsys, "advise", schema, "--keys", keys)
    assert (status, "L10 unreachable-splits" in text) == (1, True)
    access.write_text('{"tables": {"t": {"largest_multi": 6000}}}')
    status, text = run(capsys, "advise", schema, "--access", access)
    assert (status, "L33 huge-multi" in text) == (1, True)
    settings.write_text("[rules.L33]\nactions = 6000\n")
    assert run(capsys, "advise", schema, "--access", access, "--settings", settings)[0] == 0


def test_missing_targets_exit_with_failed(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "advise", tmp_path / "nothing")[0] == 3
    status, text = run(capsys, "advise", tmp_path / "nothing.toml")
    assert (status, "nothing.toml" in text) == (3, True)
    status, text = run(capsys, "advise", folder, "missing")
    assert (status, "no table 'missing'" in text) == (3, True)


def test_columns_prints_the_catalogue(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = run(capsys, "columns", folder, "good")
    assert status == 0
    assert [line.split()[0] for line in text.splitlines()] == ["column", "------", "d:n", "d:text", "2"]
    assert text.splitlines()[-1] == "2 columns in all 1 row"
    for option in ("--full", "--rows=1"):
        _, text = run(capsys, "columns", folder, "good", "--json", option)
        assert [(one["column"], one["looks_like"]) for one in json.loads(text)["columns"]] == [
            ("d:n", "int64"),
            ("d:text", "text"),
        ]
    assert run(capsys, "columns", folder, "good", "--family", "x")[0] == 2
