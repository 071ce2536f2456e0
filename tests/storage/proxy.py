"""An HTTP proxy before the S3 server: it records requests, and answers some of them wrongly."""

from __future__ import annotations

import http.client
import random
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

FAULTS = ("500", "503", "reset", "lost answer", "slow", "truncated", "wrong ETag")
SLOW_SECONDS = 1.5


@dataclass(frozen=True)
class Request:
    """A request, with the status of the server's answer; None if the server did not receive it."""

    method: str
    path: str
    body_bytes: int
    status: int | None
    fault: str | None


class Proxy:
    """A running proxy. ``choose`` decides on the fault of each request by its method and path; None is no fault."""

    def __init__(self, server: str) -> None:
        self.server = urlsplit(server)
        self.requests: list[Request] = []
        self.choose: Callable[[str, str], str | None] = lambda method, path: None
        self.delay_seconds = 0.0
        self._active, self._idle = 0, threading.Condition()
        self.http = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"proxy": self}))
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @contextmanager
    def active(self) -> Iterator[None]:
        """Count a request as one in work."""
        with self._idle:
            self._active += 1
        try:
            yield
        finally:
            with self._idle:
                self._active -= 1
                self._idle.notify_all()

    def wait_until_idle(self) -> None:
        """Return when no request is in work, such as those of a killed client."""
        with self._idle:
            self._idle.wait_for(lambda: self._active == 0)

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()

    def put_chunks(self) -> Counter[str]:
        """How often each chunk was stored."""
        return Counter(
            request.path
            for request in self.requests
            if request.method == "PUT" and "/chunks/" in request.path and request.status == 200
        )

    def sent_bytes(self) -> int:
        """Bytes of the bodies that the server received."""
        return sum(request.body_bytes for request in self.requests if request.status is not None)

    def faults(self) -> int:
        """Number of faults injected."""
        return sum(request.fault is not None for request in self.requests)


def random_faults(seed: int, share: float) -> Callable[[str, str], str | None]:
    """Choose a fault for a share of the requests."""
    numbers = random.Random(seed)
    return lambda method, path: numbers.choice(FAULTS) if numbers.random() < share else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Report an error, unless the client was killed or stopped waiting."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    proxy: Proxy
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        with self.proxy.active():
            body = self.rfile.read(length)
            if len(body) == length:
                self.handle_whole(body)

    def handle_whole(self, body: bytes) -> None:
        fault = self.proxy.choose(self.command, self.path)
        if self.proxy.delay_seconds:
            time.sleep(self.proxy.delay_seconds)
        self.status: int | None = None
        try:
            self.pass_on(body, fault)
        finally:
            self.proxy.requests.append(Request(self.command, self.path, len(body), self.status, fault))

    def pass_on(self, body: bytes, fault: str | None) -> None:
        if fault in ("500", "503"):
            code = "InternalError" if fault == "500" else "SlowDown"
            self.send(int(fault), {}, f"<Error><Code>{code}</Code></Error>".encode())
            return
        if fault == "reset" or (fault == "truncated" and self.command in ("PUT", "POST")):
            self.drop()
            return
        status, headers, data = self.ask(body)
        self.status = status
        if fault == "slow":
            time.sleep(SLOW_SECONDS)
        if fault == "lost answer":
            self.drop()
        elif fault == "truncated":
            self.send(status, headers, data, data[: len(data) // 2])
            self.drop()
        else:
            self.send(status, headers | ({"ETag": '"other"'} if fault == "wrong ETag" else {}), data)

    def ask(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Ask the server."""
        connection = http.client.HTTPConnection(str(self.proxy.server.hostname), self.proxy.server.port, timeout=60)
        try:
            headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def send(self, status: int, headers: dict[str, str], data: bytes, sent: bytes | None = None) -> None:
        self.send_response_only(status)
        left_out = {"connection", "transfer-encoding", "content-length"}
        for name, value in headers.items():
            if name.lower() not in left_out or (name.lower() == "content-length" and self.command == "HEAD"):
                self.send_header(name, value)
        if self.command != "HEAD":
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data if sent is None else sent)

    def drop(self) -> None:
        """Break the connection."""
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer
