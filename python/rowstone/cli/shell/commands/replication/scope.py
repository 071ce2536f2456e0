"""Commands of the group replication: namespaces and tables of a peer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import truth, whole
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.replication.options import (
    append_tables,
    change,
    change_names,
    config_of,
    names_of,
    remove_tables,
    tables_of,
    tables_text,
)

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command(directory="cluster only")
def append_peer_exclude_namespaces(session: Session, peer: Any, namespaces: Any) -> None:
    """Add namespaces to the exclude list of a peer.
    A directory has no peers.

      hbase> append_peer_exclude_namespaces '1', ['ns1', 'ns2']
    """
    change_names(session, peer, "exclude_namespaces", lambda before: before.union(names_of(namespaces)))


@command(directory="cluster only")
def append_peer_exclude_tableCFs(session: Session, peer: Any, tables: Any) -> None:
    """Add tables or column families to the exclude list of a peer.
    A directory has no peers.

      hbase> append_peer_exclude_tableCFs '1', { 'table1' => [], 'ns2:table2' => ['f1', 'f2'] }
    """
    append_tables(session, peer, "exclude_tables", tables)


@command(directory="cluster only")
def append_peer_namespaces(session: Session, peer: Any, namespaces: Any) -> None:
    """Add namespaces to the list that a peer receives.
    A directory has no peers.

      hbase> append_peer_namespaces '1', ['ns1', 'ns2']
    """
    change_names(session, peer, "namespaces", lambda before: before.union(names_of(namespaces)))


@command(directory="cluster only")
def append_peer_tableCFs(session: Session, peer: Any, tables: Any) -> None:
    """Add tables or column families to the list that a peer receives.
    A directory has no peers.

      hbase> append_peer_tableCFs '1', { 'table1' => [], 'ns2:table2' => ['f1', 'f2'] }
    """
    append_tables(session, peer, "tables", tables)


@command(directory="cluster only")
def remove_peer_exclude_namespaces(session: Session, peer: Any, namespaces: Any) -> None:
    """Remove namespaces from the exclude list of a peer.
    A directory has no peers.

      hbase> remove_peer_exclude_namespaces '1', ['ns1', 'ns2']
    """
    change_names(session, peer, "exclude_namespaces", lambda before: before.difference(names_of(namespaces)))


@command(directory="cluster only")
def remove_peer_exclude_tableCFs(session: Session, peer: Any, tables: Any) -> None:
    """Remove tables or column families from the exclude list of a peer.
    A directory has no peers.

      hbase> remove_peer_exclude_tableCFs '1', { 'table1' => [], 'ns2:table2' => ['f1', 'f2'] }
    """
    remove_tables(session, peer, "exclude_tables", tables)


@command(directory="cluster only")
def remove_peer_namespaces(session: Session, peer: Any, namespaces: Any) -> None:
    """Remove namespaces from the list that a peer receives.
    A directory has no peers.

      hbase> remove_peer_namespaces '1', ['ns1', 'ns2']
    """
    change_names(session, peer, "namespaces", lambda before: before.difference(names_of(namespaces)))


@command(directory="cluster only")
def remove_peer_tableCFs(session: Session, peer: Any, tables: Any) -> None:
    """Remove tables or column families from the list that a peer receives.
    A directory has no peers.

      hbase> remove_peer_tableCFs '1', { 'table1' => [], 'ns2:table2' => ['f1', 'f2'] }
    """
    remove_tables(session, peer, "tables", tables)


@command(directory="cluster only")
def set_peer_bandwidth(session: Session, peer: Any, bandwidth: Any = 0) -> None:
    """Limit the replication bandwidth of a peer, in bytes per second; 0 means no limit.
    A directory has no peers.

      hbase> set_peer_bandwidth '1', 20971520
      hbase> set_peer_bandwidth '1'
    """
    change(session, peer, bandwidth=whole("bandwidth", bandwidth))


@command(directory="cluster only")
def set_peer_exclude_namespaces(session: Session, peer: Any, namespaces: Any) -> None:
    """Set the namespaces that a peer does not receive.
    A directory has no peers.

      hbase> set_peer_exclude_namespaces '1', ['ns1', 'ns2']
    """
    change(session, peer, exclude_namespaces=names_of(namespaces))


@command(directory="cluster only")
def set_peer_exclude_tableCFs(session: Session, peer: Any, tables: Any = None) -> None:
    """Set the tables or column families that a peer does not receive.
    A directory has no peers.

      hbase> set_peer_exclude_tableCFs '1', { 'table1' => [], 'ns2:table2' => ['f1', 'f2'] }
    """
    change(session, peer, exclude_tables=tables_of(tables))


@command(directory="cluster only")
def set_peer_namespaces(session: Session, peer: Any, namespaces: Any) -> None:
    """Set the namespaces that a peer receives.
    A directory has no peers.

      hbase> set_peer_namespaces '1', ['ns1', 'ns2']
    """
    change(session, peer, namespaces=names_of(namespaces))


@command(directory="cluster only")
def set_peer_replicate_all(session: Session, peer: Any, all_tables: Any) -> None:
    """Replicate all tables to a peer, or only the listed ones.
    A directory has no peers.

      hbase> set_peer_replicate_all '1', true
      hbase> set_peer_replicate_all '1', false
    """
    change(session, peer, replicate_all=truth(all_tables))


@command(directory="cluster only")
def set_peer_serial(session: Session, peer: Any, serial: Any) -> None:
    """Turn serial replication of a peer on or off. Serial means that changes arrive in order.
    A directory has no peers.

      hbase> set_peer_serial '1', true
    """
    change(session, peer, serial=truth(serial))


@command(directory="cluster only")
def set_peer_tableCFs(session: Session, peer: Any, tables: Any = None) -> None:
    """Set the tables or column families that a peer receives.
    A directory has no peers.

      hbase> set_peer_tableCFs '1', { 'table1' => [], 'ns2:table2' => ['f1', 'f2'] }
    """
    change(session, peer, tables=tables_of(tables))


@command(directory="cluster only")
def show_peer_tableCFs(session: Session, peer: Any) -> str | None:
    """Show the tables and column families that a peer receives.
    A directory has no peers.

      hbase> show_peer_tableCFs '1'
    """
    text = tables_text(config_of(session, peer).tables)
    session.formatter.line(text)
    return text
