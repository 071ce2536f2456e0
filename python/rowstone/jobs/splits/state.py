"""Progress of a job in a small file, which exists while the job is unfinished."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rowstone._base.schema import as_bytes
from rowstone._base.targets import writing
from rowstone.errors import InvalidArgument

_FORM = 1
_MOST_SHOWN = 120


def key_setting(key: str | bytes | None, what: str = "name") -> str:
    """Convert a row key or column to text for the settings, without loss of bytes."""
    return as_bytes(b"" if key is None else key, what).decode(errors="surrogateescape")


def bytes_of_setting(text: str) -> bytes:
    """Convert the text of `key_setting` back to bytes.

    >>> bytes_of_setting(key_setting(b"f:\\xff"))
    b'f:\\xff'
    """
    return text.encode(errors="surrogateescape")


def is_text(text: str) -> bool:
    """Whether the text of `key_setting` is that of UTF-8."""
    return not any("\udc80" <= one <= "\udcff" for one in text)


class StateFile:
    """A JSON file with the settings and the progress of a job."""

    def __init__(self, path: Path, job: str, settings: Mapping[str, Any]) -> None:
        self.path = path
        self._head = {"form": _FORM, "job": job, "settings": json.loads(json.dumps(settings))}

    def load(self) -> dict[str, Any] | None:
        """The last saved progress, or None at the beginning.

        Raises:
            InvalidArgument: The file belongs to another job, or to this one with other settings.
        """
        saved = self._read()
        if saved is None:
            return None
        old, new = saved["settings"], self._head["settings"]
        if differing := [name for name in new if old.get(name) != new[name]]:
            what = ", ".join(f"{name} was {_show(old.get(name))} and is {_show(new[name])}" for name in differing)
            raise InvalidArgument(
                f"'{self.path}' belongs to an unfinished job with other settings: {what}; "
                "continue with the old ones, or start over with restart=True (--restart)"
            )
        progress: dict[str, Any] = saved["progress"]
        return progress

    def forget(self) -> None:
        """Remove the progress of an earlier run, whatever its settings were.

        Raises:
            InvalidArgument: The file does not belong to a job of this kind. It stays.
        """
        if self._read() is not None:
            self.remove()

    def save(self, progress: Mapping[str, Any]) -> None:
        """Replace the saved progress. After a crash the file has either the old progress or the new.

        After a power loss it may have the old progress. That is valid too, so the folder is not synced.
        """
        _write_beside(self.path, json.dumps({**self._head, "progress": progress}).encode()).replace(self.path)

    def remove(self) -> None:
        """Remove the file if it exists."""
        self.path.unlink(missing_ok=True)

    def _read(self) -> dict[str, Any] | None:
        """Return the content of the file, or None if it is missing."""
        try:
            saved = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise InvalidArgument(f"'{self.path}' is not the state of a job: {error}") from None
        if not isinstance(saved, dict) or saved.get("form") != _FORM or saved.get("job") != self._head["job"]:
            raise InvalidArgument(f"'{self.path}' is not the state of a job of this kind: {self._head['job']}")
        return saved


def _show(value: Any) -> str:
    # Bytes that were not UTF-8 are shown as JSON escapes.
    text = json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace").decode()
    return text[:_MOST_SHOWN] + ("…" if len(text) > _MOST_SHOWN else "")


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file; after a crash it has its old content or ``data``."""
    put_in_place(_write_beside(path, data), path)


def _write_beside(path: Path, data: bytes) -> Path:
    new = path.with_name(path.name + ".new")
    with writing(new), new.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return new


def put_in_place(new: Path, path: Path) -> None:
    """Rename a synced file, and sync its folder."""
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
