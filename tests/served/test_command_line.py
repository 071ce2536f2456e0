"""``rowstone serve`` parsed with and without typer: the same options and values; errors are left to typer."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rowstone as rs
from rowstone.cli._main import app_of
from rowstone.cli.serving import arguments, command
from rowstone.cli.serving import plain as _plain_serve
from rowstone.cli.serving.arguments import arguments_of
from rowstone.cli.serving.options import BY_FLAG, LogFormat, Options


def read(*words: str) -> tuple[str, Options] | None:
    """The directory and the options; None if parsing is left to typer."""
    return _plain_serve._read(iter(words))


def test_options_are_parsed() -> None:
    assert read("DIR") == ("DIR", Options())
    found = read(
        "--port", "0", "DIR", "--zk-port", "-1", "--set", "a=b", "--set", "c=d", "--insecure", "--cache-mb", "7",
        "--allowed-host", "hbase.example", "--auth", "simple", "--tls-only",
    )  # fmt: skip
    given = Options(
        port=0, zk_port=-1, settings=["a=b", "c=d"], insecure=True, cache_mb=7, allowed_hosts=["hbase.example"],
        auth=["simple"], tls_only=True,
    )  # fmt: skip
    assert found == ("DIR", given)
    assert read("DIR", "--log-format", "json", "--host", "::1") == (
        "DIR", Options(log_format=LogFormat.JSON, host="::1"),
    )  # fmt: skip


def test_typer_parses_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without options, and with each option twice."""
    parsed: list[tuple[str, Options]] = []
    monkeypatch.setattr(command, "run", lambda *call: parsed.append(call))
    values = {"log_format": "json"}
    flags = [[flag] if one.type is bool else [flag, values.get(one.name, "7")] for flag, one in BY_FLAG.items()]
    for words in (["DIR"], ["DIR", *(word for flag in flags for word in flag * 2)]):
        CliRunner().invoke(app_of(["serve"]), ["serve", *words], catch_exceptions=False)
        assert parsed.pop() == read(*words)


def test_options_become_arguments_with_the_same_defaults() -> None:
    """Each option is an argument of the same name, or converted to one, or for the command itself."""
    found = arguments_of("DIR", Options())
    defaults = rs.serve.__kwdefaults__
    assert {name: found[name] for name in defaults} == defaults
    assert found.keys() - defaults.keys() <= rs.server.ServeOptions.__optional_keys__
    folder = Path(arguments.__file__).parent
    code = (folder / "arguments.py").read_text() + (folder / "run.py").read_text()
    names = {field.name for field in fields(Options)} - found.keys()
    assert not [name for name in names if f"options.{name}" not in code]


@pytest.mark.parametrize(
    "line",
    [
        "", "DIR OTHER", "DIR --help", "DIR --port", "DIR --port x", "DIR --port=1", "DIR --port ²", "DIR --cache-mb 0",
        "DIR --log-format xml", "DIR --none 1", "DIR -p 1", "DIR --host",
    ],
)  # fmt: skip
def test_all_else_is_left_to_typer(line: str) -> None:
    assert read(*line.split()) is None


@pytest.mark.parametrize("line", ["DIR --set nothing", "DIR --tls-only", "DIR --tls-key a", "DIR --keytab a"])
def test_a_bad_option_is_left_to_typer(line: str) -> None:
    assert _plain_serve.plain_call(line.split()) is None
