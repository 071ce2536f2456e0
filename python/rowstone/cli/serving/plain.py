"""``rowstone serve`` without importing the command line library, which takes half of its start.

Plain calls are parsed here: a directory, and options that are each followed by their value. Anything else, and any
error, is left to that library, which has the same options and reports errors.
"""

from collections.abc import Iterator
from dataclasses import Field
from typing import Any, get_args

from rowstone.cli.serving.options import BY_FLAG, BadOption, LogFormat, Options
from rowstone.cli.serving.run import run


def plain_call(words: list[str]) -> int | None:
    """Run ``serve`` if it has only plain options, each followed by its value, and return the status; None if the words
    are anything else, or wrong."""
    read = _read(iter(words))
    try:
        return None if read is None else run(*read)
    except BadOption:
        return None


def _read(words: Iterator[str]) -> tuple[str, Options] | None:
    """The directory and the options; None if there is anything else."""
    given: dict[str, Any] = {}
    places = []
    for word in words:
        if not word.startswith("-"):
            places.append(word)
            continue
        if (option := BY_FLAG.get(word)) is None or (value := _value(option, words)) is None:
            return None
        is_repeated = list[str] in get_args(option.type)
        given[option.name] = [*given.get(option.name, ()), value] if is_repeated else value
    return (places[0], Options(**given)) if len(places) == 1 else None


def _value(option: Field[Any], words: Iterator[str]) -> bool | int | str | None:
    """Parse the value of an option; None if it is invalid."""
    if option.type is bool:
        return True
    text = next(words, "")
    if option.type is LogFormat:
        return LogFormat(text) if text in list(LogFormat) else None
    if int not in (option.type, *get_args(option.type)):
        return text or None
    digits = text.removeprefix("-")
    number = int(text) if digits.isascii() and digits.isdigit() else None
    return None if number is None or number < option.metadata["shown"].get("min", number) else number
