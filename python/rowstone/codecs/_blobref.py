"""References to large objects stored elsewhere: the location, the length, and the SHA-256 to verify the content.

For objects that are too large for a cell (10 MB by default) and for a MOB file. The caller manages the object itself:
nothing here copies or removes it.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from rowstone._base.printable import printable
from rowstone.codecs._plain import Functions, of_type
from rowstone.errors import CorruptionError, InvalidArgument

_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class BlobRef:
    """A reference to an object. Created by `blobref`; stored with the codec ``"blobref"``.

    Attributes:
        path: Location as it was given: a path, or the key in an object store.
        sha256: 64 hex digits.
        length: In bytes.
    """

    path: str
    sha256: str
    length: int

    def verify(self, data: bytes) -> bytes:
        """Return ``data`` if it is the content of the object, wherever it was fetched from.

        Raises:
            CorruptionError: The content differs; the error names what was expected and found.
        """
        if len(data) != self.length:
            raise self._differs(f"{self.length} bytes", f"{len(data)}")
        found = hashlib.sha256(data).hexdigest()
        if found != self.sha256:
            raise self._differs(f"SHA-256 {self.sha256}", found)
        return data

    def read(self, folder: str | PathLike[str] = ".") -> bytes:
        """Read and verify the object from the file at ``path``, relative to ``folder`` unless it is absolute.

        Raises:
            CorruptionError: The file has other content. OSError: It cannot be read.
        """
        return self.verify((Path(folder) / self.path).read_bytes())

    def _differs(self, expected: str, found: str) -> CorruptionError:
        message = f"object '{self.path}' is not what was referred to: expected {expected}, found {found}"
        return CorruptionError(message, self.path, 0, expected, found)


def blobref(path: str | PathLike[str], *, folder: str | PathLike[str] = ".") -> BlobRef:
    """Create the reference to a file, which is read once, in chunks.

    Args:
        path: Location to store in the reference; relative to ``folder`` unless it is absolute.

    Raises:
        OSError: The file cannot be read.

    Example:
        >>> import tempfile, pathlib
        >>> import rowstone as rs
        >>> from rowstone import codecs
        >>> folder = tempfile.TemporaryDirectory()
        >>> _ = (pathlib.Path(folder.name) / "film").write_bytes(b"frames")
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("films", ["f"])
        ...     _ = codecs.declare(db, "films", {"f:film": "blobref"})
        ...     films = codecs.typed(db.table("films"))
        ...     films.put("one", {"f:film": codecs.blobref("film", folder=folder.name)})
        ...     films.get("one")["f:film"].read(folder.name)
        b'frames'
        >>> folder.cleanup()
    """
    with (Path(folder) / path).open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return BlobRef(fspath(path), sha256, file.tell())


def _encode(value: Any) -> bytes:
    reference: BlobRef = of_type("blobref", value, BlobRef)
    return json.dumps(asdict(reference), separators=(",", ":")).encode()


def _decode(data: bytes) -> BlobRef:
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        said = None
    match said:
        case {"path": str(path), "sha256": str(sha256), "length": int(length), **rest}:
            if not rest and _SHA256.fullmatch(sha256) and length >= 0 and not isinstance(length, bool):
                return BlobRef(path, sha256, length)
    raise InvalidArgument(f"codec 'blobref' reads path, sha256 and length as JSON, not '{printable(data, 40)}'")


CODECS: dict[str, Functions] = {"blobref": (_encode, _decode, "object")}
"""Encoder, decoder and type of a pandas column, by name."""
