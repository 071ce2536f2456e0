"""Names and patterns that HBase's client refuses before it asks a server, with its messages."""

from __future__ import annotations

import re
from typing import Any, Literal

from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.values import inspect, is_text, kind_of, to_s


def legal_table(name: Any) -> str:
    """Check the syntax of a table name. Source: ``TableName.valueOf``."""
    text = getattr(name, "name", None) or to_s(name)
    namespace, colon, qualifier = text.rpartition(":")
    if colon:
        legal_namespace(namespace)
    if text != "hbase:meta":
        _legal_qualifier(qualifier, text, "Table", "User-space table")
    return text


def legal_snapshot(name: str) -> str:
    """Check the syntax of a snapshot name. Source: ``TableName.valueOf``."""
    _legal_qualifier(name, name, "Snapshot", "Snapshot")
    return name


def _legal_qualifier(qualifier: str, whole: str, kind: str, words: str) -> None:
    if not qualifier:
        raise ArgumentMistake(f"{kind} qualifier must not be empty")
    if qualifier[0] in ".-":
        raise ArgumentMistake(
            f"Illegal first character <{ord(qualifier[0])}> at 0. {words} qualifiers can only start with"
            f" 'alphanumeric characters' from any language: {whole}"
        )
    for place, character in enumerate(qualifier):
        if not (character.isalnum() or character in "_-."):
            raise ArgumentMistake(
                f"Illegal character code:{ord(character)}, <{character}> at {place}. {words} qualifiers may only"
                f" contain 'alphanumeric characters' and digits: {whole}"
            )


def legal_namespace(name: str) -> str:
    """Check the syntax of a namespace. Source: ``TableName.isLegalNamespaceName``."""
    for place, character in enumerate(name):
        if not (character.isalnum() or character == "_"):
            raise ArgumentMistake(
                f"Illegal character <{character}> at {place}. Namespaces may only contain 'alphanumeric characters'"
                f" from any language and digits: {name}"
            )
    return name


def legal_family(name: Any) -> str:
    """Check the syntax of a family name. Source: ``ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName``."""
    text = to_s(name)
    if not text:
        raise ArgumentMistake("Column Family name can not be empty")
    if text[0] == ".":
        raise ArgumentMistake(f"Column Family names cannot start with a period: {text}")
    for character in text:
        if ord(character) < 32 or ord(character) == 127 or character in ":/\\":
            raise ArgumentMistake(
                f"Illegal character <{ord(character)}>. Column Family names cannot contain control characters or"
                f" colons: {text}"
            )
    if text == "recovered.edits":
        raise ArgumentMistake("Column Family name cannot be: recovered.edits")
    return text


def pattern_of(text: Any) -> re.Pattern[str]:
    """Compile a user's regular expression. Raises `ShellError` with Java's message if it is invalid."""
    source = to_s(text)
    try:
        return re.compile(source)
    except re.error as error:
        if "unterminated subpattern" in error.msg:
            raise ShellError(f"Unclosed group near index {len(source)}\n{source}") from None
        place = error.pos or 0
        raise ShellError(f"{error.msg} near index {place}\n{source}\n{' ' * place}^") from None


def text_of(value: Any, message: str) -> str:
    """Return ``value``, which must be a string; otherwise raises `ArgumentMistake` with ``message``."""
    if not is_text(value):
        raise ArgumentMistake(message)
    return str(value)


def hash_of(value: Any, message: str) -> dict[Any, Any]:
    """Return a copy of ``value``, which must be a hash; otherwise raises `ArgumentMistake` with ``message``."""
    if not isinstance(value, dict):
        raise ArgumentMistake(message)
    return dict(value)


def not_of_type(value: Any, wanted: str) -> ArgumentMistake:
    """HBase's message for a value of the wrong type."""
    return ArgumentMistake(f"{kind_of(value)} of {inspect(value)} is not of {wanted} type")


def truth(value: Any) -> bool:
    """Convert a switch argument like Java's ``Boolean.valueOf``."""
    return value is True or (isinstance(value, str) and value.lower() == "true")


def split_or_merge(kind: Any) -> Literal["split", "merge"]:
    """Return the switch of SPLIT or MERGE. Raises `ArgumentMistake` for anything else."""
    if kind not in ("SPLIT", "MERGE"):
        raise ArgumentMistake("only SPLIT or MERGE accepted for type!")
    return "split" if kind == "SPLIT" else "merge"


def legal_server(name: Any) -> list[str]:
    """The parts of ``host,port,startcode``. Source: ``ServerName.valueOf``."""
    text = to_s(name)
    if "," not in text:
        raise ShellError(f"begin 0, end -1, length {len(text)}")
    return text.split(",")


def whole(name: str, value: Any) -> int:
    """The integer value of an option, which may be given as text. Raises `ArgumentMistake`."""
    if not isinstance(value, bool) and (isinstance(value, int) or (is_text(value) and re.fullmatch(r"-?\d+", value))):
        return int(value)
    raise ArgumentMistake(f"{name} must be a number, not {inspect(value)}")
