"""Target database of a connection's arguments."""

import os
from collections.abc import Mapping

ENVIRONMENT = "ROWSTONE_HAPPYBASE"
"""Target for every host and port, for programs that must not be changed."""

DEFAULT_HOST = "localhost"
DEFAULT_PORT = 9090


def target_of(host: "str | os.PathLike[str]", port: int | str, environment: Mapping[str, str] = os.environ) -> str:
    """The argument of `rowstone.connect` for ``host`` and ``port``.

    A path (with a slash or a leading dot, or an `os.PathLike`), ``":memory:"`` or a URL is the target itself. For any
    other host it is the environment's ``ROWSTONE_HAPPYBASE``, and without that the cluster at that host. The port of
    the Thrift gateway, 9090, is not a cluster's port, so it stands for the cluster's default.

    >>> target_of("./crawl", 9090, {}), target_of("hbase-1", 9090, {}), target_of("hbase-1", 16000, {})
    ('./crawl', 'hbase://hbase-1', 'hbase://hbase-1:16000')
    >>> target_of("thrift.example.com", 9090, {"ROWSTONE_HAPPYBASE": "./crawl"})
    './crawl'
    """
    text = os.fspath(host)
    if isinstance(host, os.PathLike) or text == ":memory:" or text.startswith(".") or "/" in text or os.sep in text:
        return text
    if environment.get(ENVIRONMENT):
        return environment[ENVIRONMENT]
    return f"hbase://{text}" if int(port) == DEFAULT_PORT else f"hbase://{text}:{int(port)}"
