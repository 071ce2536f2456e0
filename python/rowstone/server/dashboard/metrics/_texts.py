"""Text output of the metrics endpoints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rowstone.server.dashboard.metrics._beans import Bean, beans_of
from rowstone.server.dashboard.metrics._jmx import select
from rowstone.server.dashboard.metrics._own import own_lines
from rowstone.server.dashboard.metrics._prometheus import lines_of
from rowstone.server.dashboard.metrics._values import Value

if TYPE_CHECKING:
    from rowstone.server.dashboard._site import Site


def prometheus_text(site: Site, *, described: bool = False) -> str:
    """HBase's ``/prometheus`` page."""
    parts: list[str] = []
    for bean in beans_of(site):
        labels = {name.lower(): value for name, value in _tags(site, bean).items()}
        parts += lines_of(bean.record, labels, bean.values, described=described)
    return "\n".join(parts) + "\n"


def metrics_text(site: Site) -> str:
    """HBase's page plus our own metrics: histograms that Prometheus can aggregate, labels, seconds."""
    return prometheus_text(site) + "\n".join(own_lines(site)) + "\n"


def jmx_of(site: Site, parameters: Mapping[str, str]) -> dict[str, Any]:
    """The output of HBase's ``/jmx`` for these parameters."""
    is_described = bool(parameters.get("description"))
    return select((_as_bean(site, bean, is_described) for bean in beans_of(site)), parameters)


def _as_bean(site: Site, bean: Bean, is_described: bool) -> dict[str, Any]:
    tags = {f"tag.{name}": value for name, value in _tags(site, bean).items()}
    values = {value.name: _described(value) if is_described else value.number for value in bean.values}
    return {"name": f"Hadoop:service=HBase,name={bean.name}", "modelerType": bean.name, **tags, **values}


def _described(value: Value) -> dict[str, Any]:
    return {"description": value.says, "value": value.number}


def _tags(site: Site, bean: Bean) -> dict[str, str]:
    """HBase's tags of a process on a bean. The server's own bean has more."""
    own = dict(_tags_of_server(site)) if bean.name == "RegionServer,sub=Server" else {}
    return {**own, "Context": bean.context, "Hostname": site.host}


def _tags_of_server(site: Site) -> Iterator[tuple[str, str]]:
    server = site.server
    if server is not None:
        start = site.history.now()[0].calls
        code = start.numbers["start_ms"] if start is not None else 0
        zookeeper = "" if server.zk_port is None else f"{site.host}:{server.zk_port}"
        yield "zookeeperQuorum", zookeeper
        yield "serverName", f"{site.host},{server.port},{code}"
