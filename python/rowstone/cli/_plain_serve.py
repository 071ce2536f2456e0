"""``rowstone serve`` from the command line, without the library that reads command lines, which is half of its start.

Plain calls are read here: a directory, ports, names, settings. Whatever else stands on the line, or is wrong, is left
to that library, which knows the same options and says what is wrong with them.
"""

from collections.abc import Iterator
from typing import Any

from rowstone.cli._serving import LOGS, options_of, run
from rowstone.cli._signals import STOP_TIMEOUT_S

DEFAULTS: dict[str, Any] = {
    "host": "127.0.0.1", "port": 16000, "zk_port": 2181, "thrift_port": None, "thrift2_port": None, "rest_port": None,
    "info_port": None, "advertised": None, "insecure": False, "tracing": False, "memstore_mb": None, "cache_mb": None,
    "settings": None, "allowed_hosts": None, "bulk_load_staging_dir": None, "stop_timeout": STOP_TIMEOUT_S,
    "log_format": "text",
}  # fmt: skip
"""Options of the line that are not about security, and what they are where they are not given."""
_FLAGS = ("insecure", "tracing")
_POSITIVE = ("memstore_mb", "cache_mb", "stop_timeout")
_NUMBERS = ("port", "zk_port", "thrift_port", "thrift2_port", "rest_port", "info_port", *_POSITIVE)
_REPEATED = {"--set": "settings", "--allowed-host": "allowed_hosts"}
_NAMES = _REPEATED | {f"--{name.replace('_', '-')}": name for name in DEFAULTS.keys() - _REPEATED.values()}
"""The options as they are written."""


def plain_call(words: list[str]) -> int | None:
    """The status of ``serve`` with nothing but plain options, each with its value behind a blank; None where the words
    are something else, or wrong."""
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
    """The directory and the options; None where there is anything else."""
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
    """What the text means for the option; None where it is no value of it."""
    if name not in _NUMBERS:
        return text or None
    digits = text.removeprefix("-")
    number = int(text) if digits.isascii() and digits.isdigit() else None
    return None if number is None or (name in _POSITIVE and number < 1) else number
