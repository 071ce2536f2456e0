"""Commands of the group general."""

from __future__ import annotations

import getpass
import grp
import os
import time
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.command import command
from rowstone.cli.shell.output.cluster_state import print_detailed, print_replication, print_simple, summary
from rowstone.cli.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

_FILTERS = ("all", "general", "handler", "rpc", "operation")


@command(directory="one server")
def processlist(session: Session, *arguments: Any) -> None:
    """List the tasks that servers are running.

      hbase> processlist
      hbase> processlist 'all'
      hbase> processlist 'handler', 'host'

    Optional arguments: a filter (all, general, handler, rpc, operation), then host names. The list is always
    empty: a directory works inside its callers' calls, and a cluster is not asked for its tasks.
    """
    chosen = arguments[0] if arguments and arguments[0] in _FILTERS else "general"
    session.formatter.line(f"0 tasks as of: {time.strftime('%Y-%m-%d %H:%M:%S')}")
    session.formatter.line(f"No {chosen} tasks currently running.")


@command(directory="one server")
def status(session: Session, form: Any = "summary", kind: Any = "both") -> None:
    """Show the status of the cluster or directory, in a line or in detail.

      hbase> status
      hbase> status 'simple'
      hbase> status 'summary'
      hbase> status 'detailed'
      hbase> status 'replication'
      hbase> status 'replication', 'source'

    A directory answers like a cluster of one server with all regions online.
    """
    if form == "simple":
        print_simple(session)
    elif form == "detailed":
        print_detailed(session)
    elif form == "replication":
        print_replication(session, to_s(kind))
    else:
        session.formatter.line(summary(session))


@command()
def table_help(session: Session) -> None:
    """A table can be stored in a variable, and commands called on it:

      hbase> t = create 't', 'f'
      hbase> t = get_table 't'
      hbase> t.put 'r', 'f:q', 'v'
      hbase> t.scan
      hbase> t.scan LIMIT => 5

    Available commands: append, count, delete, deleteall, get, get_counter, get_splits, incr, put, scan, and
    enable, disable, flush, drop, describe, snapshot. t.name is its name, t.get_all_columns its families; t.help
    'scan' shows help. The variable stays valid when the table is dropped and created again.
    """
    session.help("table_help")


@command()
def version(session: Session) -> None:
    """Show the version of Rowstone, its build, and the HBase version that the shell follows.

    hbase> version
    """
    session.formatter.line(session.version())


@command()
def whoami(session: Session) -> None:
    """Show the current user and their groups.

    hbase> whoami
    """
    session.formatter.line(f"{getpass.getuser()} (auth:SIMPLE)")
    groups = [_name(number) for number in dict.fromkeys([os.getgid(), *os.getgroups()])]
    session.formatter.line(f"    groups: {', '.join(groups)}")


def _name(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
