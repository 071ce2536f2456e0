"""``rowstone serve``"""

import signal
import threading
from typing import Annotated

import typer


def _allow_many_connections() -> None:
    """Each connection is an open file: as many as the machine lets us have."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def command(
    directory: Annotated[
        str, typer.Argument(help="The database's directory, made where it is missing, or ':memory:'.", metavar="DIR")
    ],
    host: Annotated[str, typer.Option(help="IP address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of HBase's RPC; 0 is any that is free.")] = 16000,
    zk_port: Annotated[
        int, typer.Option(help="Port for clients that ask ZooKeeper; 0 is any that is free, -1 is none.")
    ] = 2181,
    advertised: Annotated[
        str | None, typer.Option(help="Name by which clients connect; by default that at which they came in.")
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Listen beyond this machine: whoever comes may read and write all.")
    ] = False,
) -> None:
    """Serve a database to HBase's clients until Ctrl-C."""
    import rowstone

    _allow_many_connections()
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        places = {"host": host, "port": port, "zk_port": None if zk_port < 0 else zk_port}
        with rowstone.serve(directory, **places, advertised=advertised, insecure=insecure) as server:  # type: ignore[arg-type]
            zookeeper = "" if server.zk_port is None else f", ZooKeeper port {server.zk_port}"
            typer.echo(f"ready: {server.url}{zookeeper} serves {directory} (Ctrl-C ends it)")
            stop.wait()
        typer.echo("stopped: all that was acknowledged is in the database")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
