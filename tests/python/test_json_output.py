"""``--json``: every command that prints facts has the option, with this name, and prints valid JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer.main

import rowstone as rs
from rowstone.cli import main
from rowstone.cli._main import app_of

FACTS = {
    "info", "tables", "columns", "scan", "get", "count", "stats", "top", "heatmap", "hfile", "advise", "shell", "exec",
    "compare", "backup", "restore", "backups", "prune", "check", "repair", "schema diff", "schema lint",
    "design simulate", "design index", "user list",
}  # fmt: skip
OTHERS = {
    "import", "export", "copy", "export-hfiles", "import-hfiles", "export-snapshot", "import-snapshot", "serve", "demo",
    "explore",
    "schema dump", "schema apply", "user add", "user remove", "user password", "user token", "user proxy",
}  # fmt: skip
"""Commands that perform an action, or write a file in their own format."""


def options() -> dict[str, list[str]]:
    """The options of each command."""
    found: dict[str, list[str]] = {}

    def visit(command: Any, name: str) -> None:
        for part, inner in getattr(command, "commands", {}).items():
            visit(inner, f"{name} {part}".strip())
        if not hasattr(command, "commands"):
            found[name] = [text for one in command.params for text in one.opts]

    visit(typer.main.get_command(app_of()), "")
    return found


def test_commands_with_facts_have_the_option() -> None:
    found = options()
    assert set(found) == FACTS | OTHERS, "a new command prints facts, or it does not"
    assert {name for name, known in found.items() if "--json" in known} == FACTS
    assert not [name for name, known in found.items() for text in known if "json" in text and text != "--json"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "db"
    with rs.connect(path) as db:
        db.create_table("t", {"f": rs.Family(ttl_seconds=60), "g": {}}, splits=[b"m\x00"])
        db.create_table("u", ["f"])
        db.table("t").put(b"row\x00", {"f:q": b"\xff"})
        db.admin.flush("t")
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main([str(argument) for argument in arguments])
    return json.loads(capsys.readouterr().out)


def test_commands_print_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    info = printed(capsys, "info", folder, "--json")
    assert (info["tables"], info["regions"], info["store_files"]) == (["t", "u"], 3, 1)
    assert printed(capsys, "tables", folder, "--json", "--names") == ["t", "u"]
    assert list(printed(capsys, "tables", folder, "--json")[0]["families"]) == ["f", "g"]
    assert printed(capsys, "stats", folder, "--json")["tables"] == 2
    assert printed(capsys, "top", folder, "--json")[0]["table"] == "t"
    assert printed(capsys, "count", folder, "t", "--json") == {"rows": 1}
    assert printed(capsys, "count", folder, "t", "--cells", "--json")["first_row"] == "row\\x00"
    assert printed(capsys, "get", folder, "t", "row\\x00", "--json")["cells"][0]["value"] == "\\xFF"
    assert printed(capsys, "scan", folder, "t", "--json")["row"] == "row\\x00"
    assert printed(capsys, "heatmap", folder, "t", "--json")["table"] == "t"
    compared = printed(capsys, "compare", f"{folder}/t", f"{folder}/u", "--json")
    assert (compared["are_equal"], compared["missing"]) == (False, 1)
    assert compared["differences"][0]["source"]["row"] == "row\\x00"


def test_reports_on_directories_are_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "check", folder, "--json")["is_clean"] is True
    assert printed(capsys, "backup", folder, folder.parent / "copy", "--json")["store_files"] == 1
    assert printed(capsys, "restore", folder.parent / "copy", folder.parent / "again", "--json")["store_files"] == 1
    assert printed(capsys, "repair", folder, folder.parent / "saved", "--json")["is_complete"] is True
    [file] = [one for one in (folder / "data").rglob("*") if one.is_file()]
    assert printed(capsys, "hfile", file, "--json", "--verify")["verified_cells"] == 1
    assert printed(capsys, "hfile", file, "--json", "--cells")["row"] == "row\\x00"
    schema = folder.parent / "schema.toml"
    schema.write_text("[tables.more.families.f]\n")
    assert printed(capsys, "schema", "diff", schema, folder, "--json")[0]["target"] == "table more"
    assert printed(capsys, "schema", "lint", schema, "--json") == []


def test_two_forms_at_once_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["scan", str(folder), "t", "--json", "--format", "cells"])
    assert ended.value.code == 2
    assert "exclude each other" in capsys.readouterr().err
