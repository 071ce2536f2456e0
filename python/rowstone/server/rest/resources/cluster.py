"""``/version`` and ``/status/cluster``. Sources: HBase's VersionResource, StorageClusterVersionResource and
StorageClusterStatusResource.
"""

from __future__ import annotations

import platform

from rowstone._base.version import __version__
from rowstone.server.rest import _answer
from rowstone.server.rest._answer import NO_CACHE, Answer
from rowstone.server.rest._request import Request
from rowstone.server.rest.messages import _models

INTERFACE = "0.0.3"
"""The version of the REST interface, in HBase's numbering."""


def gateway_version(request: Request) -> Answer:
    """The versions of the interface and its platform, under HBase's names."""
    value = {
        "REST": INTERFACE,
        "JVM": f"{platform.python_implementation()} {platform.python_version()}",
        "OS": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Server": f"rowstone/{__version__}",
        "Jersey": "",
        "Version": request.load.hbase_version(request.database),
        "Revision": "",
    }
    return _answer.message(_models.VERSION, value, request.media, NO_CACHE)


def cluster_version(request: Request) -> Answer:
    """The HBase version that clients can expect."""
    value = {"Version": request.load.hbase_version(request.database)}
    return _answer.message(_models.CLUSTER_VERSION, value, request.media, NO_CACHE)


def cluster_status(request: Request) -> Answer:
    """Servers and their regions, with metrics."""
    value = request.load.status(request.database, request.address)
    return _answer.message(_models.CLUSTER_STATUS, value, request.media, NO_CACHE)
