"""Paths that are probably mistakes: addresses, memory, home directories. Files that appear when they are complete."""

import errno
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote

from rowstone.errors import DiskFull, InvalidArgument, RowstoneError, StorageError, UnsupportedOperation

MEMORY = ":memory:"
FILE = "file://"
"""Start of the URL of a path of this machine."""
_ADDRESS = re.compile(r"\[?[\w.:-]*[\w\]]:\d{1,5}(,[^/]*)?(/.*)?")
_MEMORY_WORD = re.compile(r":?(in-?)?(memory|mem|ram):?", re.IGNORECASE)
_WINDOWS_PATH = re.compile(r"([A-Za-z]):[\\/]+([^:]*)")
_NAME_CHARACTERS = 50
"""Characters of a file's name in the name of its temporary file: a name has at most 255 bytes."""
_SCHEME = re.compile(r"(hbase(?:\+zk)?):?/*(.*)", re.IGNORECASE)


def check_target(target: str | os.PathLike[str]) -> None:
    """Refuse a target that would create an unintended directory.

    Existing paths are accepted, and so are paths that begin with ``./`` and, except for ``~``, `pathlib` objects.

    Raises:
        InvalidArgument: It looks like an address or like ``":memory:"``, or begins with ``~``; the message names both
            readings. UnsupportedOperation: It is empty.

    >>> check_target("localhost:16000")
    Traceback (most recent call last):
    ...
    rowstone.errors.InvalidArgument: 'localhost:16000' looks like the address of a server: did you mean \
'hbase://localhost:16000'? For a directory of that name pass './localhost:16000'
    """
    if not os.fspath(target):
        raise UnsupportedOperation("cannot open '': pass a directory, or ':memory:' for a database in memory")
    new_directory(target)
    if isinstance(target, str) and not os.path.lexists(target):
        _refuse(target, _guess_target(target))


def local_path(path: str | os.PathLike[str]) -> str:
    """Return a path as text, and a ``file://`` URL as the path that it stands for.

    >>> local_path("file:///data/a%20b")
    '/data/a b'
    """
    text = os.fspath(path)
    if not text.startswith(FILE):
        return text
    found = unquote(text.removeprefix(FILE))
    if not found.startswith("/"):
        raise InvalidArgument(f"'{without_secrets(text)}' names a host; a path of this machine has three slashes")
    return found


def new_directory(path: str | os.PathLike[str]) -> str:
    """Return the path of a new directory as text.

    Raises `InvalidArgument` for an empty path, which would be the current directory, and for ``~``: see `check_target`.
    """
    text = local_path(path)
    if not text:
        raise InvalidArgument("the path of the new directory is empty; for the current directory pass '.'")
    if text.startswith("~") and not os.path.lexists(text):
        with suppress(RuntimeError):  # There is no user of that name.
            _refuse(text, ("a path in a home directory, which only the shell expands", str(Path(text).expanduser())))
    return text


def empty_place(path: str | os.PathLike[str]) -> Path:
    """Return the place, without symbolic links, to which a complete directory is renamed: it is missing or empty.

    Raises:
        InvalidArgument: It is a file, is not empty, or is the root of a file system, which cannot be replaced.
    """
    place = Path(os.path.realpath(path))
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise InvalidArgument(f"'{os.fspath(path)}' is not empty; the copy needs a new directory")
    if place.is_mount():
        raise InvalidArgument(f"'{os.fspath(path)}' is the root of a file system; pass a new directory in it")
    return place


def _guess_target(text: str) -> tuple[str, str] | None:
    """Guess what a text stands for: a description of it and its correct form."""
    if _MEMORY_WORD.fullmatch(text):
        return "a database in memory", MEMORY
    if scheme := _SCHEME.fullmatch(text):
        name, rest = scheme[1].lower(), scheme[2]
        return ("the URL of a cluster", f"{name}://{rest}") if ":" in rest else None
    if path := _WINDOWS_PATH.fullmatch(text):
        rest = path[2].replace("\\", "/").strip("/")
        return "a Windows path, which WSL mounts elsewhere", f"/mnt/{path[1].lower()}/{rest}"
    if _ADDRESS.fullmatch(text):
        asks_zookeeper = "/" in text or ":2181" in text
        return "the address of a server", f"{'hbase+zk' if asks_zookeeper else 'hbase'}://{text}"
    return None


def _refuse(text: str, meant: tuple[str, str] | None) -> None:
    if meant is not None:
        raise InvalidArgument(
            f"'{text}' looks like {meant[0]}: did you mean '{meant[1]}'? For a directory of that name pass './{text}'"
        )


def without_secrets(target: str) -> str:
    """Return a target as errors show it: a URL without credentials and query, which may have keys of a store.

    >>> without_secrets("s3://key:secret@bucket/hbase?signature=secret"), without_secrets("./crawl?")
    ('s3://bucket/hbase', './crawl?')
    """
    scheme, colon, rest = target.partition("://")
    if not colon:
        return target
    host, slash, path = rest.partition("?")[0].partition("#")[0].partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Add the name of a file to errors of writing it. Python's have none; errors of opening a file have one.

    Raises:
        DiskFull: There is no space. StorageError: Another failure of the disk.
    """
    try:
        yield
    except OSError as error:
        if isinstance(error, RowstoneError) or error.errno is None or error.filename is not None:
            raise
        kind = DiskFull if error.errno in (errno.ENOSPC, errno.EDQUOT) else StorageError
        found = kind(f"cannot write {os.fspath(path)}: {os.strerror(error.errno)}")
        found.errno = error.errno
        raise found from error


@contextmanager
def complete_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a temporary file, which replaces the file ``path`` at the end; after an error, nothing does.

    The temporary file is in the same folder. For a device or a pipe, it is among the temporary files of the machine,
    and is copied into ``path``. The target of a symbolic link is replaced, not the link.

    Raises:
        InvalidArgument: ``path`` is a directory.
    """
    place = Path(path)
    if place.is_dir():
        raise InvalidArgument(f"'{place}' is a directory: pass the path of a file in it")
    if is_stream(place):
        with tempfile.TemporaryDirectory(prefix="rowstone-") as folder:
            new = Path(folder, "complete")
            yield new
            with new.open("rb") as file, place.open("wb") as stream:
                shutil.copyfileobj(file, stream)
        return
    target = Path(os.path.realpath(place))
    new = target.with_name(f"{target.name[:_NAME_CHARACTERS]}.{secrets.token_hex(4)}.new")
    try:
        yield new
        with suppress(FileNotFoundError):
            shutil.copymode(target, new)
        new.replace(target)
    except OSError as error:
        if error.filename == os.fspath(new):
            error.filename = os.fspath(path)
        raise
    finally:
        # A read-only disk refuses that even if there is no such file. The first error is the one to report.
        with suppress(OSError):
            new.unlink()


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a path stands for a device, a pipe or an open file of this process, which must not be replaced."""
    place = Path(path)
    if place.absolute().as_posix().startswith(("/dev/fd/", "/dev/std", "/proc/")):
        return True
    return place.exists() and not place.is_file()
