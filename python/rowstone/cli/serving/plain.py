"""``rowstone serve`` without importing the command line library, which takes half of its start.

Plain calls are parsed here: a directory, ports, names, settings. Anything else, and any error, is left to that library,
which has the same options and reports errors.
"""

from collections.abc import Iterator
from typing import Any

from rowstone.cli.serving.run import LOGS, STOP_TIMEOUT_S, options_of, run

DEFAULTS: dict[str, Any] = {
    "host": "127.0.0.1", "port": 16000, "zk_port": 2181, "thrift_port": None, "thrift2_port": None, "rest_port": None,
    "info_port": None, "info_data": False, "advertised": None, "insecure": False, "tracing": False,
    "memstore_mb": None, "cache_mb": None, "settings": None, "allowed_hosts": None, "bulk_load_staging_dir": None,
    "stop_timeout": STOP_TIMEOUT_S, "log_format": "text",
}  # fmt: skip
"""Options other than those for security, with their defaults."""
_FLAGS = ("insecure", "tracing", "info_data")
_POSITIVE = ("memstore_mb", "cache_mb", "stop_timeout")
_NUMBERS = ("port", "zk_port", "thrift_port", "thrift2_port", "rest_port", "info_port", *_POSITIVE)
_REPEATED = {"--set": "settings", "--allowed-host": "allowed_hosts"}
_NAMES = _REPEATED | {f"--{name.replace('_', '-')}": name for name in DEFAULTS.keys() - _REPEATED.values()}
"""The options as they are spelled on the command line."""


def plain_call(words: list[str]) -> int | None:
    """Run ``serve`` if it has only plain options, each followed by its value, and return the status; None if the words
    are anything else, or wrong."""
    read = _read(iter(words))
    if read is None:
        return None
    directory, given = read
    try:
        options = options_of(given)
    except ValueError:
        return None
    return run(directory, given["log_format"], options, stop_timeout_s=given["stop_timeout"])


def _read(words: Iterator[str]) -> tuple[str, dict[str, Any]] | None:
    """The directory and the options; None if there is anything else."""
    given, places = dict(DEFAULTS), []
    for word in words:
        if not word.startswith("-"):
            places.append(word)
            continue
        name = _NAMES.get(word)
        if name is None:
            return None
        value = True if name in _FLAGS else _value(name, next(words, ""))
        if value is None:
            return None
        given[name] = [*(given[name] or []), value] if word in _REPEATED else value
    return (places[0], given) if len(places) == 1 and given["log_format"] in LOGS else None


def _value(name: str, text: str) -> int | str | None:
    """Parse the value of an option; None if it is invalid."""
    if name not in _NUMBERS:
        return text or None
    digits = text.removeprefix("-")
    number = int(text) if digits.isascii() and digits.isdigit() else None
    return None if number is None or (name in _POSITIVE and number < 1) else number
