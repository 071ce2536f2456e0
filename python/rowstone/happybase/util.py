"""Helper functions of happybase's module of this name."""

import re

_CAPITAL = re.compile("[A-Z]")


def camel_case_to_pep8(name: str) -> str:
    """Convert a name from Thrift's style to Python's.

    >>> camel_case_to_pep8("maxVersions"), camel_case_to_pep8("MaxVersions")
    ('max_versions', 'max_versions')
    """
    return _CAPITAL.sub(lambda match: f"_{match[0].lower()}", name).removeprefix("_")


def pep8_to_camel_case(name: str, initial: bool = False) -> str:
    """Convert a name from Python's style to Thrift's; with ``initial``, starting with a capital.

    >>> pep8_to_camel_case("max_versions"), pep8_to_camel_case("max_versions", True)
    ('maxVersions', 'MaxVersions')
    """
    first, *others = name.split("_")
    rest = "".join(word.capitalize() for word in others)
    return (first.capitalize() if initial else first.lower()) + rest


def ensure_bytes(str_or_bytes: str | bytes) -> bytes:
    """Encode text as UTF-8; bytes are returned unchanged.

    Raises:
        TypeError: The value is neither.
    """
    if isinstance(str_or_bytes, bytes):
        return str_or_bytes
    if isinstance(str_or_bytes, str):
        return str_or_bytes.encode()
    raise TypeError(f"a text or byte string is wanted, not {type(str_or_bytes).__name__}")


def bytes_increment(b: bytes) -> bytes | None:
    """Return the shortest byte string that sorts after every string with prefix ``b``; None if there is none.

    >>> bytes_increment(b"ab"), bytes_increment(b"a\\xff"), bytes_increment(b"\\xff")
    (b'ac', b'b', None)
    """
    shortened = b.rstrip(b"\xff")
    return shortened[:-1] + bytes([shortened[-1] + 1]) if shortened else None
