"""Bytes and numbers as text. Bytes are formatted like HBase's ``Bytes.toStringBinary``.

Everything that shows stored bytes to users calls `printable`: errors, the command line, the shell, heat maps, pages and
reports. The result is printable ASCII, so it cannot send control characters to a terminal. ``codec::printable`` in Rust
has the same output.
"""

import re

_ESCAPES = {byte: f"\\x{byte:02X}" for byte in range(256) if not 32 <= byte < 127 or byte == 92}
_ESCAPED_BYTE = re.compile(rb"\\x([0-9a-fA-F]{2})")


def printable(data: bytes | bytearray | memoryview, limit: int | None = None) -> str:
    r"""Escape bytes: printable ASCII stays as it is; a backslash and every other byte become ``\xHH``.

    Args:
        limit: Truncate longer data after this many bytes, and append its size.

    Source: ``Bytes.toStringBinary``.

    >>> print(printable(b"row\x00\x1b\\"), printable("ü".encode()), printable(b"abcdef", limit=3))
    row\x00\x1B\x5C \xC3\xBC abc… (6 bytes)
    """
    if limit is not None and len(data) > limit:
        return f"{printable(data[:limit])}… ({len(data):,} bytes)"
    return str(data, "latin-1").translate(_ESCAPES)


def printable_text(text: str, *, keeps_lines: bool = False) -> str:
    r"""Escape unprintable characters for a line of a log or a message, so that a name chosen by a client cannot start
    another line or control a terminal.

    Args:
        keeps_lines: Leave line feeds as they are, for a text that may have several lines.

    >>> print(printable_text("ada\nroot\x1b[2J"), printable_text("Jürgen"))
    ada\nroot\x1b[2J Jürgen
    """
    if text.isprintable():
        return text
    kept = "\n" if keeps_lines else ""
    return "".join(one if one.isprintable() or one in kept else one.encode("unicode_escape").decode() for one in text)


def from_printable(text: str) -> bytes:
    r"""Parse the output of `printable`: ``\xHH`` is one byte, everything else is encoded as UTF-8.

    Source: ``Bytes.toBytesBinary``.

    >>> from_printable(r"row\x00\xff"), from_printable("ü")
    (b'row\x00\xff', b'\xc3\xbc')
    """
    return _ESCAPED_BYTE.sub(lambda found: bytes([int(found[1], 16)]), text.encode(errors="surrogateescape"))


def counted(number: int | None, noun: str) -> str:
    """A number with its noun in the singular or plural.

    >>> counted(1, "table"), counted(1234, "visible version"), counted(None, "row")
    ('1 table', '1,234 visible versions', '– rows')
    """
    return f"{'–' if number is None else format(number, ',')} {noun}{'' if number == 1 else 's'}"


def counted_all(*counts: tuple[int | None, str]) -> str:
    """Several numbers with their nouns.

    >>> counted_all((2, "row"), (1, "cell"))
    '2 rows, 1 cell'
    """
    return ", ".join(counted(number, noun) for number, noun in counts)


def size_text(size_bytes: float) -> str:
    """Format a size in units of 1,024 bytes.

    >>> size_text(0), size_text(1536), size_text(5 << 30)
    ('0 B', '1.5 KiB', '5.0 GiB')
    """
    if size_bytes < 1024:
        return f"{size_bytes:,.0f} B"
    for unit in ("KiB", "MiB", "GiB"):
        size_bytes /= 1024
        if size_bytes < 1024:
            return f"{size_bytes:,.1f} {unit}"
    return f"{size_bytes / 1024:,.1f} TiB"
