"""A disk whose writes and flushes are recorded: a file in FUSE, below a loop device, served by plain Python.

The file system has one file, which is its root; it is mounted onto a file. A loop device hands each write of the block
layer to the process here as a FUSE_WRITE, each flush as a FUSE_FSYNC. They are served one after the other, and each is
in the log, with its time, before it is answered:

    offset width  native byte order
      0     8     time: CLOCK_MONOTONIC, ns
      8     8     offset on the disk
     16     4     bytes that follow; for a flush 0xffffffff and none

Source: the kernel's include/uapi/linux/fuse.h, version 7.31.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import stat
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.power.host import run

EVENT = struct.Struct("=QQI")
FLUSH = 0xFFFFFFFF
MOST_WRITE_BYTES = 1 << 20

_REQUEST = struct.Struct("=IIQQIIIHH")
_ANSWER = struct.Struct("=IiQ")
_INIT = struct.Struct("=IIIIHHIIHHII6I")
_ATTRIBUTES = struct.Struct("=QII6Q10I")
_OPENED = struct.Struct("=QIi")
_TRANSFER = struct.Struct("=QQIIQII")
_WRITTEN = struct.Struct("=II")
_FORGET, _GETATTR, _SETATTR, _OPEN, _READ, _WRITE, _STATFS, _RELEASE, _FSYNC = 2, 3, 4, 14, 15, 16, 17, 18, 20
_FLUSH, _INITIALIZE, _INTERRUPT, _DESTROY, _BATCH_FORGET = 25, 26, 36, 38, 42
_HAS_NO_ANSWER = (_FORGET, _BATCH_FORGET, _INTERRUPT)
_ASYNC_READ, _BIG_WRITES, _ASYNC_DIO, _MAX_PAGES = 1 << 0, 1 << 5, 1 << 15, 1 << 22
_CACHED_SECONDS = 1 << 20
_PAGE_BYTES = 4096


class _Server:
    """The process behind the file: answers the kernel's requests until the file system is unmounted."""

    def __init__(self, fuse: int, disk: int, log: int, broken: Path) -> None:
        self.fuse, self.disk, self.log, self.broken = fuse, disk, log, broken
        self.size = os.fstat(disk).st_size

    def serve(self) -> None:
        buffer = bytearray(MOST_WRITE_BYTES + 2 * _PAGE_BYTES)
        view = memoryview(buffer)
        while True:
            try:
                length = os.readv(self.fuse, [buffer])
            except OSError as error:
                if error.errno in (errno.EINTR, errno.ENOENT, errno.EAGAIN):
                    continue
                if error.errno == errno.ENODEV:
                    return
                raise
            _, opcode, unique, *_ = _REQUEST.unpack_from(buffer)
            body = view[_REQUEST.size : length]
            if opcode in _HAS_NO_ANSWER:
                continue
            answer = self.answer(opcode, body)
            error, data = (-answer, b"") if isinstance(answer, int) else (0, answer)
            os.writev(self.fuse, [_ANSWER.pack(_ANSWER.size + len(data), error, unique), data])

    def answer(self, opcode: int, body: memoryview) -> bytes | int:
        """The answer to a request, or the number of an error."""
        if opcode in (_WRITE, _FSYNC) and self.broken.exists():
            return errno.EIO
        if opcode == _WRITE:
            _, offset, size, *_ = _TRANSFER.unpack_from(body)
            data = body[_TRANSFER.size : _TRANSFER.size + size]
            os.pwrite(self.disk, data, offset)
            os.writev(self.log, [EVENT.pack(time.monotonic_ns(), offset, size), data])
            return _WRITTEN.pack(size, 0)
        if opcode == _FSYNC:
            os.write(self.log, EVENT.pack(time.monotonic_ns(), 0, FLUSH))
            return b""
        if opcode == _READ:
            _, offset, size, *_ = _TRANSFER.unpack_from(body)
            return os.pread(self.disk, size, offset)
        if opcode in (_GETATTR, _SETATTR):
            return self.attributes()
        if opcode == _OPEN:
            return _OPENED.pack(0, 0, 0)
        if opcode == _INITIALIZE:
            flags = _ASYNC_READ | _BIG_WRITES | _ASYNC_DIO | _MAX_PAGES
            pages = MOST_WRITE_BYTES // _PAGE_BYTES
            return _INIT.pack(7, 31, 1 << 20, flags, 64, 48, MOST_WRITE_BYTES, 1, pages, 0, 0, 0, *[0] * 6)
        return b"" if opcode in (_FLUSH, _RELEASE, _DESTROY) else errno.ENOSYS

    def attributes(self) -> bytes:
        mode, blocks = stat.S_IFREG | 0o600, self.size // 512
        return _ATTRIBUTES.pack(
            _CACHED_SECONDS, 0, 0, 1, self.size, blocks, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, _PAGE_BYTES, 0
        )


def _mount(fuse: int, place: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    options = f"fd={fuse},rootmode={stat.S_IFREG | 0o600:o},user_id=0,group_id=0,max_read={MOST_WRITE_BYTES}"
    no_suid_no_device = 2 | 4
    if libc.mount(b"rowstone-power", os.fsencode(place), b"fuse", no_suid_no_device, options.encode()):
        number = ctypes.get_errno()
        raise OSError(number, f"cannot mount FUSE on {place}: {os.strerror(number)}")


@contextmanager
def recorded_disk(folder: Path, size: int) -> Iterator[tuple[Path, Path]]:
    """A file of `size` zeros to put a loop device on, and the log of what is done to it.

    While there is a file `broken` in `folder`, writes and flushes fail with EIO.
    """
    place, log, content = folder / "recorded", folder / "log", folder / "content"
    place.touch()
    disk = os.open(content, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    os.ftruncate(disk, size)
    journal = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    fuse = os.open("/dev/fuse", os.O_RDWR)
    _mount(fuse, place)
    pid = os.fork()
    if pid == 0:
        code = 1
        # It ends when the file system is unmounted, which needs its answers.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        try:
            _Server(fuse, disk, journal, folder / "broken").serve()
            code = 0
        finally:
            os._exit(code)
    for descriptor in (fuse, disk, journal):
        os.close(descriptor)
    try:
        yield place, log
    finally:
        run("umount", place)
        os.waitpid(pid, 0)
        content.unlink()
