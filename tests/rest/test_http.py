"""The HTTP server of the gateways: slow and greedy clients are dropped, delay no others, and it shuts down."""

from __future__ import annotations

import http.client
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from rowstone import ServerTls, errors
from rowstone.server.http.bounds import Receive, Scope, Send
from rowstone.server.http.limits import Limits
from rowstone.server.http.server import HttpServer

TLS = Path(__file__).parents[1] / "served" / "tls"
SHORT = Limits(head_bytes=2000, body_bytes=1000, in_flight_bytes=1500, patience_seconds=0.2)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the body that came."""
    message = await receive()
    body = message["body"]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def connected(server: HttpServer) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        yield connection


def everything(connection: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    data = b""
    while piece := connection.recv(1 << 16):
        data += piece
    return data


def post(server: HttpServer, body: bytes = b"hello") -> bytes:
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    client.request("POST", "/", body=body)
    answer = client.getresponse()
    data = answer.read()
    client.close()
    assert answer.status == 200, data
    return data


def test_a_body_of_the_limit_and_one_that_is_longer() -> None:
    with HttpServer(lambda: echo, "127.0.0.1", 0, limits=SHORT) as server:
        assert post(server, b"x" * 1000) == b"x" * 1000
        with connected(server) as connection:
            # Refused by what is announced: the body need not come.
            connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n")
            assert everything(connection).startswith(b"HTTP/1.1 413 ")
        with connected(server) as connection:
            chunk = b"1f5\r\n" + b"x" * 0x1F5 + b"\r\n"
            connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 2)
            assert everything(connection).startswith(b"HTTP/1.1 413 ")
        assert post(server) == b"hello"


def test_bodies_of_several_clients_have_a_limit_together() -> None:
    with HttpServer(lambda: echo, "127.0.0.1", 0, limits=SHORT) as server, connected(server) as first:
        first.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 901\r\n\r\n" + b"x" * 900)
        answers = set()
        while answers != {200, 503}:
            client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            client.request("POST", "/", body=b"y" * 700)
            answers.add(client.getresponse().status)
            client.close()
        # The first client is too slow, and its bytes are released: 200 before or after, 503 meanwhile.
        assert everything(first).startswith(b"HTTP/1.1 408 ")


def test_a_head_that_is_too_long() -> None:
    with HttpServer(lambda: echo, "127.0.0.1", 0, limits=SHORT) as server, connected(server) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 4000)
        assert everything(connection).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("beginning", [b"", b"GET / HTTP/1.1\r\nHo", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HT"])
def test_unfinished_heads_time_out(beginning: bytes) -> None:
    with HttpServer(lambda: echo, "127.0.0.1", 0, limits=SHORT) as server, connected(server) as connection:
        connection.sendall(beginning)
        everything(connection)


def test_unfinished_bodies_time_out_without_blocking_others() -> None:
    with HttpServer(lambda: echo, "127.0.0.1", 0, limits=SHORT) as server, connected(server) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
        assert post(server) == b"hello"
        assert everything(connection).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("limits", [{"patience_seconds": 0.3}, {"body_seconds": 0.3, "patience_seconds": 20}])
def test_a_body_that_comes_byte_by_byte_is_ended(limits: dict[str, float]) -> None:
    """Each piece came in time, and so the request stayed for ever."""
    slow = replace(Limits(), body_bytes_per_second=1 << 20, **limits)  # type: ignore[arg-type]
    with HttpServer(lambda: echo, "127.0.0.1", 0, limits=slow) as server, connected(server) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
        connection.settimeout(0.05)
        answer = b""
        for _ in range(1000):
            try:
                connection.sendall(b"x")
                answer = connection.recv(1 << 16)
                break
            except TimeoutError:
                continue
        assert answer.startswith(b"HTTP/1.1 408 ")


def test_clients_that_do_not_read_the_response_are_disconnected() -> None:
    """The response stayed in memory until the client read it or closed the connection."""
    ended = threading.Event()

    async def generous(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * (16 << 20), "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        ended.set()

    with HttpServer(lambda: generous, "127.0.0.1", 0, limits=SHORT) as server, socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert ended.wait(30)


def test_one_address_has_not_all_connections() -> None:
    limits, call = replace(Limits(), connections_per_address=2), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    with HttpServer(lambda: echo, "127.0.0.1", 0, limits=limits) as server, connected(server) as first:
        first.sendall(call)
        assert first.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
        place = ("127.0.0.1", server.port)
        with connected(server), connected(server) as third:
            assert third.recv(1) == b""
            with socket.create_connection(place, timeout=30, source_address=("127.0.0.2", 0)) as other:
                other.sendall(call)
                assert other.recv(1 << 16).startswith(b"HTTP/1.1 200 ")


def test_a_request_with_two_lengths_is_refused_and_its_connection_ends() -> None:
    with HttpServer(lambda: echo, "127.0.0.1", 0) as server, connected(server) as connection:
        head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head + b"0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = everything(connection)
        assert answer.startswith(b"HTTP/1.1 400 ")
        assert answer.count(b"HTTP/1.1") == 1


def test_stopping_ends_connections_and_frees_the_port() -> None:
    server = HttpServer(lambda: echo, "127.0.0.1", 0)
    with connected(server) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
        server.stop()
        everything(connection)
    server.stop()
    with HttpServer(lambda: echo, "127.0.0.1", server.port) as again:
        assert again.port == server.port


def test_a_port_that_is_taken() -> None:
    with HttpServer(lambda: echo, "127.0.0.1", 0) as server, pytest.raises(errors.StorageError, match=str(server.port)):
        HttpServer(lambda: echo, "127.0.0.1", server.port)


def test_tls_encrypts_the_port(tmp_path: Path) -> None:
    tls = ServerTls(TLS / "certificate.pem", TLS / "key.pem")
    with HttpServer(lambda: echo, "127.0.0.1", 0, tls) as server:
        context = ssl.create_default_context(cafile=TLS / "certificate.pem")
        client = http.client.HTTPSConnection("localhost", server.port, timeout=30, context=context)
        client.request("POST", "/", body=b"secret")
        assert client.getresponse().read() == b"secret"
        client.close()
    with pytest.raises(errors.StorageError, match="TLS"):
        HttpServer(lambda: echo, "127.0.0.1", 0, ServerTls(tmp_path / "none.pem", tmp_path / "none.pem"))


def test_without_the_packages_the_error_says_which_extra() -> None:
    code = (
        "import sys; sys.modules['uvicorn'] = None\n"
        "import rowstone\nfrom rowstone.server import rest\n"
        "try: rest.serve(rowstone.connect(':memory:'), port=0)\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "rowstone[gateways]" in done.stdout


def test_rowstone_alone_imports_neither() -> None:
    code = "import sys, rowstone, rowstone.cli; print([m for m in ('starlette', 'uvicorn') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
