"""A TCP proxy that cuts connections, in the middle of whatever they carry."""

from __future__ import annotations

import random
import socket
import threading
from contextlib import suppress
from types import TracebackType


class CuttingProxy:
    """Passes bytes on to a port of this machine; each connection is cut after a random number of bytes.

    `calm()` lets connections live from then on.
    """

    def __init__(self, target: int, *, least: int, most: int, seed: int = 0) -> None:
        self._target = target
        self._bounds: tuple[int, int] | None = (least, most)
        self._random = random.Random(seed)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def calm(self) -> None:
        """Stop cutting connections."""
        self._bounds = None

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    client.close()
                    continue
                threading.Thread(target=self._carry, args=(client, server), daemon=True).start()

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        with client, server:
            back = threading.Thread(target=self._pass, args=(server, client), daemon=True)
            back.start()
            self._pass(client, server)
            back.join()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        left = self._random.randint(*self._bounds) if self._bounds else None
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if left is not None and self._bounds and len(data) >= left:
                    sink.sendall(data[:left])
                    self.cuts += 1
                    break
                left = None if left is None else left - len(data)
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.close()

    def __enter__(self) -> CuttingProxy:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
