"""Commands of the group tools about servers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import legal_server, not_of_type, truth
from rowstone.cli.shell.command import command
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.output.events import limit_of, print_event, print_lock, print_procedure, print_slow_calls
from rowstone.cli.shell.values import inspect, is_text, kind_of, to_bytes, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


_NO_LIMIT = 250


def _print_names(session: Session, heading: str, read: Callable[[], Sequence[str]]) -> None:
    """Print a list of servers. The heading comes before an error of ``read``, as in HBase's shell."""
    session.formatter.header([heading])
    names = read()
    for name in names:
        session.formatter.row([name])
    session.formatter.footer(len(names))


@command(directory="one server")
def clear_deadservers(session: Session, *servers: Any) -> list[str]:
    """Clear dead servers from the master's list; returns those that could not be cleared. A directory has none.

    hbase> clear_deadservers 'host187.example.com,60020,1289493121758'
    hbase> clear_deadservers
    """
    names = [to_s(name) for given in servers for name in (given if isinstance(given, list) else [given])]
    for name in names:
        legal_server(name)
    left = session.admin.servers.clear_dead(names or session.state().dead_servers) if session.is_cluster else []
    if not left:
        session.formatter.row([True])
        return []
    session.formatter.row(["Some dead server clear failed"])
    session.formatter.row(["SERVERNAME"])
    for name in left:
        session.formatter.row([name])
    session.formatter.footer(len(left))
    return left


@command(directory="one server")
def clear_slowlog_responses(session: Session, servers: Any = None) -> None:
    """Clear the slow log of servers. A directory has no slow log.

    hbase> clear_slowlog_responses
    hbase> clear_slowlog_responses ['SERVER_NAME1', 'SERVER_NAME2']
    """
    if servers is not None and not is_text(servers) and not isinstance(servers, list):
        raise ArgumentMistake(f"{kind_of(servers)} of {inspect(servers)} is not of correct type")
    if not session.is_cluster:
        session.formatter.line("Cleared Slowlog responses from 0/1 RegionServers")
        return
    chosen = session.servers() if servers is None else session.chosen_servers(servers)
    cleared = session.admin.logs.clear_slow_calls(chosen)
    session.formatter.line(f"Cleared Slowlog responses from {cleared}/{len(chosen)} RegionServers")


@command(directory="cluster only")
def decommission_regionservers(session: Session, servers: Any, offload: Any = False) -> None:
    """Decommission servers: they receive no more regions, and with true their regions move away.

    hbase> decommission_regionservers 'server'
    hbase> decommission_regionservers ['server,port', 'server2,port'], true
    """
    if not is_text(servers) and not isinstance(servers, list):
        raise not_of_type(servers, "Array/String")
    if not isinstance(offload, (bool, str)):
        raise ArgumentMistake(f"{to_s(offload)} is not a boolean value")
    names = session.chosen_servers(servers)
    if not names:
        raise ArgumentMistake(f"Could not find any server(s) with specified name(s): {to_s(servers)}")
    if not session.is_cluster:
        raise session.cluster_only("taking a server out of service")
    session.admin.servers.decommission(names, offload=truth(offload))


@command(directory="one server")
def get_balancer_decisions(session: Session, options: Any = None) -> None:
    """Show why the balancer moved regions in its last runs. A directory has no balancer.

    hbase> get_balancer_decisions
    hbase> get_balancer_decisions LIMIT => 10
    """
    if options is not None and not isinstance(options, dict):
        raise ShellError("Filter parameters are not Hash")
    events = session.admin.logs.balancer_decisions(limit_of(options, _NO_LIMIT)) if session.is_cluster else []
    session.formatter.line("Retrieved BalancerDecision Responses")
    for event in events:
        print_event(session, event)


@command(directory="one server")
def get_balancer_rejections(session: Session, options: Any = None) -> None:
    """Show why the balancer did not move regions in its last runs. A directory has no balancer.

    hbase> get_balancer_rejections
    hbase> get_balancer_rejections LIMIT => 10
    """
    if options is not None and not isinstance(options, dict):
        raise ShellError("Filter parameters are not Hash")
    events = session.admin.logs.balancer_rejections(limit_of(options, _NO_LIMIT)) if session.is_cluster else []
    session.formatter.line("Retrieved BalancerRejection Responses")
    for event in events:
        print_event(session, event)


@command(directory="one server")
def get_largelog_responses(session: Session, servers: Any, options: Any = None) -> None:
    """Show calls with large responses, newest last, from all servers ('*') or some. LIMIT, REGION_NAME, TABLE_NAME,
    CLIENT_IP, USER and FILTER_BY_OP filter them. A directory has no large log.

      hbase> get_largelog_responses '*'
      hbase> get_largelog_responses '*', {'LIMIT' => 50}
      hbase> get_largelog_responses ['SERVER_NAME1'], {'TABLE_NAME' => 't1', 'FILTER_BY_OP' => 'AND'}
    """
    print_slow_calls(session, servers, options, large=True)


@command(directory="one server")
def get_slowlog_responses(session: Session, servers: Any, options: Any = None) -> None:
    """Show slow calls, newest last, from all servers ('*') or some. LIMIT, REGION_NAME, TABLE_NAME, CLIENT_IP, USER and
    FILTER_BY_OP filter them. A directory has no slow log.

      hbase> get_slowlog_responses '*'
      hbase> get_slowlog_responses '*', {'LIMIT' => 50}
      hbase> get_slowlog_responses ['SERVER_NAME1'], {'TABLE_NAME' => 't1', 'FILTER_BY_OP' => 'AND'}
    """
    print_slow_calls(session, servers, options, large=False)


@command(directory="one server")
def is_in_maintenance_mode(session: Session) -> bool:
    """Show whether the master is in maintenance mode, in which it runs no background work. A directory has no master.

    hbase> is_in_maintenance_mode
    """
    on = session.admin.master.is_in_maintenance_mode() if session.is_cluster else False
    session.formatter.row([on])
    return on


@command(directory="one server")
def list_deadservers(session: Session) -> None:
    """List the servers that the master considers dead. A directory has none.

    hbase> list_deadservers
    """
    _print_names(session, "SERVERNAME", lambda: session.state().dead_servers)


@command(directory="one server")
def list_decommissioned_regionservers(session: Session) -> None:
    """List the decommissioned servers. A directory has none.

    hbase> list_decommissioned_regionservers
    """
    read = session.admin.servers.decommissioned if session.is_cluster else list
    _print_names(session, "DECOMMISSIONED REGION SERVERS", read)


@command(directory="one server")
def list_liveservers(session: Session) -> None:
    """List the live servers. A directory counts as one: the host, and the time it was opened.

    hbase> list_liveservers
    """
    _print_names(session, "SERVERNAME", session.servers)


@command(directory="one server")
def list_unknownservers(session: Session) -> None:
    """List the servers that host regions but that the master does not know. A directory has none.

    hbase> list_unknownservers
    """
    _print_names(session, "SERVERNAME", lambda: session.admin.servers.unknown() if session.is_cluster else [])


@command(directory="cluster only")
def recommission_regionserver(session: Session, server: Any, regions: Any = ()) -> None:
    """Recommission a server, optionally with regions to load.

    hbase> recommission_regionserver 'server,port,startcode'
    hbase> recommission_regionserver 'server', ['encoded_region_name1']
    """
    if not is_text(server):
        raise not_of_type(server, "String")
    if not isinstance(regions, (list, tuple)):
        raise not_of_type(regions, "Array")
    names = session.chosen_servers(server)
    if not names:
        raise ArgumentMistake(f"Could not find any server with name {server}")
    if not session.is_cluster:
        raise session.cluster_only("taking a server into service")
    session.admin.servers.recommission(names[0], [to_bytes(region) for region in regions])


@command(directory="cluster only")
def stop_master(session: Session) -> None:
    """Stop the active master. A directory has no master: exit closes it.

    hbase> stop_master
    """
    if not session.is_cluster:
        raise session.cluster_only("ending the master")
    session.admin.master.stop()


@command(directory="cluster only")
def stop_regionserver(session: Session, place: Any) -> None:
    """Stop a region server.

    hbase> stop_regionserver 'hostname:port'
    """
    text = to_s(place)
    if ":" not in text:
        raise ArgumentMistake(f"Not a host:port pair: {text}")
    if not session.is_cluster:
        raise session.cluster_only("ending a region server")
    session.admin.servers.stop(text.replace(":", ","))


@command(directory="one server")
def trace(session: Session, action: Any = "status", span: Any = "HBaseShell") -> bool:
    """Start and stop HTrace spans; true while one is open. As in HBase since 2.5, HTrace does not record them.

    hbase> trace 'start'
    hbase> trace 'status'
    hbase> trace 'stop'
    """
    if action in ("start", "stop"):
        session.is_tracing = action == "start"
    return session.is_tracing


@command(directory="cluster only", cluster="not yet")
def zk_dump(session: Session) -> None:
    """Dump the cluster's state in ZooKeeper. A directory does not use ZooKeeper.

    hbase> zk_dump
    """
    raise session.cluster_only("ZooKeeper's content")


@command(directory="one server")
def list_locks(session: Session) -> list[dict[str, Any]]:
    """List the locks of the master's procedures. A directory has no procedures.

    hbase> list_locks
    """
    locks = session.admin.master.locks() if session.is_cluster else []
    for lock in locks:
        print_lock(session, lock)
    return locks


@command(directory="one server")
def list_procedures(session: Session) -> None:
    """List the master's procedures. A directory has no procedures: a call returns when its work is done.

    hbase> list_procedures
    """
    session.formatter.header(["PID", "Name", "State", "Submitted", "Last_Update", "Parameters"])
    found = session.admin.master.procedures() if session.is_cluster else []
    for procedure in found:
        print_procedure(session, procedure)
    session.formatter.footer(len(found))
