"""``rowstone serve`` parsed without importing the library: the same options and values; the rest is left to the
library."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from rowstone.cli.serving import command as serve
from rowstone.cli.serving import plain as _plain_serve
from rowstone.cli.serving.plain import DEFAULTS

SECURITY = {
    "tls_certificate", "tls_key", "tls_client_ca", "tls_only", "auth", "users", "keytab", "principal", "protection",
    "certificate_name",
}  # fmt: skip


def test_both_know_the_same_options_and_defaults() -> None:
    options = dict(inspect.signature(serve.command).parameters)
    del options["directory"]
    assert options.keys() - SECURITY == DEFAULTS.keys()
    assert {name: options[name].default for name in DEFAULTS} == DEFAULTS


def read(*words: str) -> dict[str, Any] | None:
    """The arguments for the server; None if parsing is left to the library."""
    found = _plain_serve._read(iter(words))
    return None if found is None else found[1] | {"directory": found[0]}


def test_plain_options_are_parsed() -> None:
    assert read("DIR") == DEFAULTS | {"directory": "DIR"}
    found = read(
        "--port", "0", "DIR", "--zk-port", "-1", "--set", "a=b", "--set", "c=d", "--insecure", "--cache-mb", "7",
        "--allowed-host", "hbase.example",
    )  # fmt: skip
    given = {"port": 0, "zk_port": -1, "settings": ["a=b", "c=d"], "insecure": True, "cache_mb": 7, "directory": "DIR"}
    assert found == DEFAULTS | given | {"allowed_hosts": ["hbase.example"]}
    assert read("DIR", "--log-format", "json", "--host", "::1") == DEFAULTS | {
        "log_format": "json", "host": "::1", "directory": "DIR",
    }  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "", "DIR OTHER", "DIR --help", "DIR --port", "DIR --port x", "DIR --port=1", "DIR --port ²", "DIR --cache-mb 0",
        "DIR --auth simple", "DIR --tls-only", "DIR --log-format xml", "DIR --none 1", "DIR -p 1", "DIR --host",
    ],
)  # fmt: skip
def test_all_else_is_left_to_the_library(line: str) -> None:
    assert read(*line.split()) is None


def test_a_setting_that_is_none_is_left_to_the_library() -> None:
    assert _plain_serve.plain_call(["DIR", "--set", "nothing"]) is None
