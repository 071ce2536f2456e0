"""``/status/cluster``. Source: HBase's StorageClusterStatusResource."""

from __future__ import annotations

from rowstone.server.rest import _answer, _models
from rowstone.server.rest._answer import NO_CACHE, Answer
from rowstone.server.rest._request import Request


def cluster(request: Request) -> Answer:
    """Servers and their regions, with metrics."""
    value = request.load.status(request.database, request.address)
    return _answer.message(_models.CLUSTER_STATUS, value, request.media, NO_CACHE)
