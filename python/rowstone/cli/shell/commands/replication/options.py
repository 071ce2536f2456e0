"""Replication peers. A directory has none, so every peer name is unknown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import ShellError
from rowstone.cli.shell.values import inspect, kind_of, to_s
from rowstone.errors import RemoteError

if TYPE_CHECKING:
    from rowstone import PeerConfig
    from rowstone.cli.shell.session import Session

Tables = dict[str, list[str]]


def no_peer(session: Session, peer: Any, *, short: bool = False) -> ShellError:
    """HBase's error for an unknown peer; ``short`` leaves out the class name."""
    kind = "" if short else "org.apache.hadoop.hbase.ReplicationPeerNotFoundException: "
    return ShellError(f"{kind}{to_s(peer)}")


def check_tables(tables: Any) -> None:
    """Check that the value is a hash of tables and families."""
    if tables is not None and not isinstance(tables, dict):
        raise ShellError(f"undefined method `each' for {inspect(tables)}:{kind_of(tables)}", "NoMethodError")


def tables_of(tables: Any) -> Tables:
    """Tables with their families, in the form of `rowstone.PeerConfig`."""
    check_tables(tables)
    given: dict[Any, Any] = tables or {}
    for families in given.values():
        if families is not None and not isinstance(families, list):
            raise ShellError(f"undefined method `each' for {inspect(families)}:{kind_of(families)}", "NoMethodError")
    return {to_s(name): [to_s(family) for family in families or ()] for name, families in given.items()}


def names_of(names: Any) -> list[str]:
    """Names, sorted."""
    if names is not None and not isinstance(names, list | dict):
        raise ShellError(f"undefined method `each' for {inspect(names)}:{kind_of(names)}", "NoMethodError")
    return sorted({to_s(name) for name in names or ()})


def run(session: Session, peer: Any, work: Callable[[str], None]) -> None:
    """Run a peer operation; a procedure's failure is printed without its class."""
    if not session.is_cluster:
        raise no_peer(session, peer, short=True)
    try:
        work(to_s(peer))
    except RemoteError as error:
        raise ShellError(str(error)) from None


def config_of(session: Session, peer: Any) -> PeerConfig:
    """The configuration of a peer."""
    if not session.is_cluster:
        raise no_peer(session, peer)
    return session.admin.replication.peer_config(to_s(peer))


def change(session: Session, peer: Any, **changes: Any) -> None:
    """Change fields of a peer's configuration."""
    config = replace(config_of(session, peer), **changes)
    run(session, peer, lambda name: session.admin.replication.set_peer_config(name, config))


def change_names(session: Session, peer: Any, field: str, edit: Callable[[set[str]], set[str]]) -> None:
    """Change a list of namespaces."""
    before = set(getattr(config_of(session, peer), field) or ())
    change(session, peer, **{field: sorted(edit(before))})


def append_tables(session: Session, peer: Any, field: str, more: Any) -> None:
    """Add tables or families; a table that replicates all families stays that way."""
    added = tables_of(more)
    tables: Tables = dict(getattr(config_of(session, peer), field) or {})
    for name, families in added.items():
        has_all = not families or tables.get(name) == []
        tables[name] = [] if has_all else sorted({*tables.get(name, ()), *families})
    change(session, peer, **{field: tables})


def remove_tables(session: Session, peer: Any, field: str, less: Any) -> None:
    """Remove tables or families. Raises `ShellError` if they are not listed."""
    removed = tables_of(less)
    found = getattr(config_of(session, peer), field)
    words = "exclude-table-cfs" if field.startswith("exclude") else "table-cfs"
    if found is None:
        kind = "exclude-Table-Cfs" if field.startswith("exclude") else "Table-Cfs"
        raise ShellError(f"{kind} for peer: {to_s(peer)} is null")
    tables: Tables = dict(found)
    for name, families in removed.items():
        _remove(tables, name, families, f"{words} config", to_s(peer))
    change(session, peer, **{field: tables})


def _remove(tables: Tables, name: str, families: list[str], words: str, peer: str) -> None:
    if name not in tables:
        raise ShellError(f"No table: {name} in {words} of peer: {peer}")
    if families and not tables[name]:
        raise ShellError(f"Cannot remove cf of table: {name} which doesn't specify cfs from {words} in peer: {peer}")
    if tables[name] and not families:
        raise ShellError(f"Cannot remove table: {name} which has specified cfs from {words} in peer: {peer}")
    left = [family for family in tables[name] if family not in families]
    if left:
        tables[name] = left
    else:
        del tables[name]


def tables_text(tables: Tables | None) -> str | None:
    """Format tables and families as HBase does: ``ns.t:f,g;ns.u``."""
    if tables is None:
        return None
    parts = []
    for name, families in tables.items():
        namespace, _, qualifier = name.rpartition(":")
        begin = f"{namespace or 'default'}.{qualifier}"
        parts.append(f"{begin}:{','.join(families)}" if families else begin)
    return ";".join(sorted(parts))


def print_config(session: Session, config: PeerConfig) -> None:
    """Print the lines of ``get_peer_config``."""
    if config.cluster_key is not None:
        session.formatter.row(["Cluster Key", config.cluster_key])
    if config.endpoint is not None:
        session.formatter.row(["Replication Endpoint", config.endpoint])
    for name, value in config.configuration.items():
        session.formatter.row([name, value])
