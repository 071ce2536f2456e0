"""Endpoints for programs: health, settings, stacks, and a dump of everything."""

from __future__ import annotations

import json
import shutil
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from rowstone._base.configuration import Setting
from rowstone._base.version import __version__
from rowstone.errors import RowstoneError
from rowstone.server.dashboard._process import process
from rowstone.server.dashboard._site import Site

_LEAST_FREE_BYTES = 64 << 20


def health(site: Site) -> tuple[bool, dict[str, object]]:
    """Whether the database answers and its disk has room, with details."""
    checks: dict[str, object] = {}
    began = time.perf_counter()
    try:
        site.database.admin.metrics.stats()
        checks["store"] = "ok"
    except RowstoneError as error:
        checks["store"] = str(error)
    checks["store_ms"] = round((time.perf_counter() - began) * 1000, 3)
    folder = Path(site.database.path)
    if folder.is_dir():
        free = shutil.disk_usage(folder).free
        checks["free_bytes"] = free
        checks["disk"] = "ok" if free >= _LEAST_FREE_BYTES else f"less than {_LEAST_FREE_BYTES} bytes are free"
    is_well = checks["store"] == "ok" and checks.get("disk", "ok") == "ok"
    return is_well, {"status": "ok" if is_well else "failing", "version": __version__, "checks": checks}


def ready(site: Site) -> tuple[bool, str]:
    """Whether clients can be served: the database is open and answers."""
    is_well, found = health(site)
    return is_well, "ready\n" if is_well else f"not ready: {json.dumps(found['checks'])}\n"


def conf_xml(site: Site) -> str:
    """The settings in the format of HBase's ``/conf``, each with its source. Source: HBase's ``ConfServlet``."""
    lines = [
        f"<property><name>{escape(one.key)}</name><value>{escape(_text(one.value))}</value>"
        f"<final>false</final><source>{escape(one.source)}</source></property>"
        for one in _settings(site)
    ]
    head = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
    return "\n".join([head, "<configuration>", *lines, "</configuration>", ""])


def conf_json(site: Site) -> dict[str, object]:
    """The settings as JSON."""
    properties = [
        {"key": one.key, "value": _text(one.value), "isFinal": False, "resource": one.source} for one in _settings(site)
    ]
    return {"properties": properties}


def _settings(site: Site) -> Iterator[Setting]:
    configuration = site.database.configuration
    return (configuration.setting(key) for key in configuration)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def stacks() -> str:
    """Stack traces of all Python threads, and the names of the engine's own threads."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    parts = [f"Process: {process().threads} threads\n"]
    for ident, frame in sys._current_frames().items():
        parts.append(f'Thread "{names.get(ident, "?")}":\n{"".join(traceback.format_stack(frame))}')
    tasks = Path("/proc/self/task")
    if tasks.is_dir():
        own = sorted((task / "comm").read_text().strip() for task in tasks.iterdir() if (task / "comm").exists())
        parts.append("Threads of the process by name:\n" + "".join(f"  {name}\n" for name in own))
    return "\n".join(parts)


def dump(site: Site) -> str:
    """The information needed first for diagnosis, as text. Source: HBase's ``RSDumpServlet``."""
    parts = [f"Rowstone {__version__}, {site.database.path}, {time.strftime('%Y-%m-%d %H:%M:%S %z')}"]
    parts.append(f"Health\n{json.dumps(health(site)[1], indent=2)}")
    parts.append(f"Statistics\n{site.database.admin.metrics.stats()}")
    parts.append(f"Stores by table\n{site.database.admin.metrics.stores().sums('table')}")
    if site.server is not None:
        calls = site.server._native.slow_calls()
        parts.append("Slow calls\n" + "\n".join(json.dumps(call) for call in calls))
    parts.append(f"Configuration\n{site.database.configuration}")
    parts.append(f"Threads\n{stacks()}")
    return "\n\n".join(f"{'=' * 60}\n{part}" for part in parts) + "\n"
