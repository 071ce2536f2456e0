"""The structs and choices of the second service."""

from rowstone.thrift._idl import load

DOCUMENT = load("hbase2.thrift")


def choice(enum: str, number: int | None, default: str) -> str:
    """The name of a choice by its number; ``default`` where none is given or the number is unknown, as in HBase."""
    for name, one in DOCUMENT.enums[enum].items():
        if one == number:
            return name
    return default


def number_of(enum: str, name: str, default: str) -> int:
    """The number of a choice by its name."""
    choices = DOCUMENT.enums[enum]
    return choices.get(name, choices[default])
