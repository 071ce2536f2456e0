"""Commands of the group tools about servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import legal_server, not_of_type, truth
from rowstone.shell.command import command
from rowstone.shell.errors import ArgumentMistake, ShellError
from rowstone.shell.events import limit_of, print_event, print_slow_calls
from rowstone.shell.values import inspect, is_text, kind_of, to_bytes, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

_NO_LIMIT = 250


@command(directory="one server")
def clear_deadservers(session: Session, *servers: Any) -> list[str]:
    """Forgets servers that are dead; those that could not be forgotten come back. A directory has none.

    hbase> clear_deadservers 'host187.example.com,60020,1289493121758'
    hbase> clear_deadservers
    """
    names = [to_s(name) for given in servers for name in (given if isinstance(given, list) else [given])]
    for name in names:
        legal_server(name)
    left = session.admin.clear_dead_servers(names or session.state().dead_servers) if session.is_cluster else []
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
    """Forgets the slow calls that servers remember. A directory remembers none.

    hbase> clear_slowlog_responses
    hbase> clear_slowlog_responses ['SERVER_NAME1', 'SERVER_NAME2']
    """
    if servers is not None and not is_text(servers) and not isinstance(servers, list):
        raise ArgumentMistake(f"{kind_of(servers)} of {inspect(servers)} is not of correct type")
    if not session.is_cluster:
        session.formatter.line("Cleared Slowlog responses from 0/1 RegionServers")
        return
    chosen = session.servers() if servers is None else session.chosen_servers(servers)
    cleared = session.admin.clear_slow_calls(chosen)
    session.formatter.line(f"Cleared Slowlog responses from {cleared}/{len(chosen)} RegionServers")


@command(directory="cluster only")
def decommission_regionservers(session: Session, servers: Any, offload: Any = False) -> None:
    """Takes servers out of service: they are given no more regions, and with true lose those they have.

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
    session.admin.decommission_servers(names, offload=truth(offload))


@command(directory="one server")
def get_balancer_decisions(session: Session, options: Any = None) -> None:
    """Why the balancer moved regions, for its last runs. A directory has nothing to balance.

    hbase> get_balancer_decisions
    hbase> get_balancer_decisions LIMIT => 10
    """
    if options is not None and not isinstance(options, dict):
        raise ShellError("Filter parameters are not Hash")
    events = session.admin.balancer_decisions(limit_of(options, _NO_LIMIT)) if session.is_cluster else []
    session.formatter.line("Retrieved BalancerDecision Responses")
    for event in events:
        print_event(session, event)


@command(directory="one server")
def get_balancer_rejections(session: Session, options: Any = None) -> None:
    """Why the balancer did not move regions, for its last runs. A directory has nothing to balance.

    hbase> get_balancer_rejections
    hbase> get_balancer_rejections LIMIT => 10
    """
    if options is not None and not isinstance(options, dict):
        raise ShellError("Filter parameters are not Hash")
    events = session.admin.balancer_rejections(limit_of(options, _NO_LIMIT)) if session.is_cluster else []
    session.formatter.line("Retrieved BalancerRejection Responses")
    for event in events:
        print_event(session, event)


@command(directory="one server")
def get_largelog_responses(session: Session, servers: Any, options: Any = None) -> None:
    """Calls with large answers, newest last, of all servers ('*') or some. LIMIT, REGION_NAME, TABLE_NAME,
    CLIENT_IP, USER and FILTER_BY_OP choose among them. A directory remembers none.

      hbase> get_largelog_responses '*'
      hbase> get_largelog_responses '*', {'LIMIT' => 50}
      hbase> get_largelog_responses ['SERVER_NAME1'], {'TABLE_NAME' => 't1', 'FILTER_BY_OP' => 'AND'}
    """
    print_slow_calls(session, servers, options, large=True)


@command(directory="one server")
def get_slowlog_responses(session: Session, servers: Any, options: Any = None) -> None:
    """Calls that took servers long, newest last, of all servers ('*') or some. LIMIT, REGION_NAME, TABLE_NAME,
    CLIENT_IP, USER and FILTER_BY_OP choose among them. A directory remembers none.

      hbase> get_slowlog_responses '*'
      hbase> get_slowlog_responses '*', {'LIMIT' => 50}
      hbase> get_slowlog_responses ['SERVER_NAME1'], {'TABLE_NAME' => 't1', 'FILTER_BY_OP' => 'AND'}
    """
    print_slow_calls(session, servers, options, large=False)


@command(directory="one server")
def is_in_maintenance_mode(session: Session) -> bool:
    """Whether the master is in maintenance mode, where it does nothing by itself. A directory has none.

    hbase> is_in_maintenance_mode
    """
    on = session.admin.is_in_maintenance_mode() if session.is_cluster else False
    session.formatter.row([on])
    return on


@command(directory="one server")
def list_deadservers(session: Session) -> None:
    """The servers that the master takes for dead. A directory has none.

    hbase> list_deadservers
    """
    session.formatter.header(["SERVERNAME"])
    names = session.state().dead_servers
    for name in names:
        session.formatter.row([name])
    session.formatter.footer(len(names))


@command(directory="one server")
def list_decommissioned_regionservers(session: Session) -> None:
    """The servers that take no regions any more. A directory has none.

    hbase> list_decommissioned_regionservers
    """
    session.formatter.header(["DECOMMISSIONED REGION SERVERS"])
    names = session.admin.decommissioned_servers() if session.is_cluster else []
    for name in names:
        session.formatter.row([name])
    session.formatter.footer(len(names))


@command(directory="one server")
def list_liveservers(session: Session) -> None:
    """The servers that are at work. A directory is one: the host, and when it was opened.

    hbase> list_liveservers
    """
    session.formatter.header(["SERVERNAME"])
    names = session.servers()
    for name in names:
        session.formatter.row([name])
    session.formatter.footer(len(names))


@command(directory="one server")
def list_unknownservers(session: Session) -> None:
    """Servers that hold regions and that the master does not know. A directory has none.

    hbase> list_unknownservers
    """
    session.formatter.header(["SERVERNAME"])
    names = session.admin.unknown_servers() if session.is_cluster else []
    for name in names:
        session.formatter.row([name])
    session.formatter.footer(len(names))


@command(directory="cluster only")
def recommission_regionserver(session: Session, server: Any, regions: Any = ()) -> None:
    """Takes a server that was decommissioned into service again, with regions if some are named.

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
    session.admin.recommission_server(names[0], [to_bytes(region) for region in regions])


@command(directory="cluster only")
def stop_master(session: Session) -> None:
    """Ends the active master. A directory has no servers to end: exit closes it.

    hbase> stop_master
    """
    if not session.is_cluster:
        raise session.cluster_only("ending the master")
    session.admin.stop_master()


@command(directory="cluster only")
def stop_regionserver(session: Session, place: Any) -> None:
    """Ends a region server.

    hbase> stop_regionserver 'hostname:port'
    """
    text = to_s(place)
    if ":" not in text:
        raise ArgumentMistake(f"Not a host:port pair: {text}")
    if not session.is_cluster:
        raise session.cluster_only("ending a region server")
    session.admin.stop_server(text.replace(":", ","))


@command(directory="one server")
def trace(session: Session, action: Any = "status", span: Any = "HBaseShell") -> bool:
    """Begins and ends spans of HTrace; true while one is open. As in HBase since 2.5 there is no HTrace to write them.

    hbase> trace 'start'
    hbase> trace 'status'
    hbase> trace 'stop'
    """
    if action in ("start", "stop"):
        session.is_tracing = action == "start"
    return session.is_tracing


@command(directory="cluster only", cluster="not yet")
def zk_dump(session: Session) -> None:
    """What ZooKeeper holds for the cluster. A directory needs none.

    hbase> zk_dump
    """
    raise session.cluster_only("ZooKeeper's content")
