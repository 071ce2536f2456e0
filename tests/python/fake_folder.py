"""A folder of an object store in memory, with a clock that tests move, a log, and requests that fail."""

from __future__ import annotations

from collections.abc import Callable

from rowstone.errors import StorageError


class FakeFolder:
    """The interface of `rowstone._native.RemoteFolder`. ``before`` is called with each request before its effect."""

    def __init__(self) -> None:
        self.objects: dict[str, tuple[bytes, int]] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.now_ms = 1_000_000_000
        self.log: list[tuple[str, str]] = []
        self.before: Callable[[str, str], None] = lambda kind, name: None

    def _note(self, kind: str, name: str) -> None:
        self.log.append((kind, name))
        self.before(kind, name)

    def put(self, name: str, data: bytes, is_new: bool) -> bool:
        self._note("put", name)
        if is_new and name in self.objects:
            return False
        self.objects[name] = (data, self.now_ms)
        return True

    def get(self, name: str) -> bytes | None:
        self._note("get", name)
        return self.objects[name][0] if name in self.objects else None

    def delete(self, name: str) -> None:
        self._note("delete", name)
        self.objects.pop(name, None)

    def list_files(self, name: str) -> list[tuple[str, int, int]]:
        self._note("list", name)
        found = [(key.rpartition("/"), data, time) for key, (data, time) in self.objects.items()]
        return [(path[2], len(data), time) for path, data, time in found if path[0] == name]

    def begin_upload(self, name: str) -> str:
        self._note("begin", name)
        self.uploads[f"upload {len(self.uploads)}"] = {}
        return f"upload {len(self.uploads) - 1}"

    def put_part(self, name: str, upload: str, index: int, data: bytes) -> str:
        self._note("part", name)
        self.uploads[upload][index] = data
        return f"part {index}"

    def finish_upload(self, name: str, upload: str, parts: list[str]) -> None:
        self._note("finish", name)
        pieces = self.uploads.pop(upload)
        self.objects[name] = (b"".join(pieces[index] for index in range(len(parts))), self.now_ms)

    def abort_upload(self, name: str, upload: str) -> None:
        self._note("abort", name)
        self.uploads.pop(upload, None)

    def sent(self, prefix: str = "chunks/") -> list[str]:
        """The names of the objects that were put, in order."""
        return [name for kind, name in self.log if kind == "put" and name.startswith(prefix)]


def failing_at(number: int, kind: str, prefix: str) -> Callable[[str, str], None]:
    """Let request number ``number`` of a kind fail, and all later ones, as after the end of the process."""
    seen = 0

    def before(made: str, name: str) -> None:
        nonlocal seen
        if made == kind and name.startswith(prefix):
            seen += 1
        if seen >= number:
            raise StorageError(f"no answer for {name}")

    return before
