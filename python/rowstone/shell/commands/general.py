"""Commands of the group general."""

from __future__ import annotations

import getpass
import grp
import os
import time
from typing import TYPE_CHECKING, Any

from rowstone.shell.cluster_state import print_detailed, print_replication, print_simple, summary
from rowstone.shell.command import command
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

_FILTERS = ("all", "general", "handler", "rpc", "operation")


@command(directory="one server")
def processlist(session: Session, *arguments: Any) -> None:
    """What servers are doing: the tasks that run at the moment.

      hbase> processlist
      hbase> processlist 'all'
      hbase> processlist 'handler', 'host'

    A filter (all, general, handler, rpc, operation) may stand first, host names behind it. A directory does its work
    within the calls of its users, and a cluster is not asked for its tasks: the list is empty.
    """
    chosen = arguments[0] if arguments and arguments[0] in _FILTERS else "general"
    session.formatter.line(f"0 tasks as of: {time.strftime('%Y-%m-%d %H:%M:%S')}")
    session.formatter.line(f"No {chosen} tasks currently running.")


@command(directory="one server")
def status(session: Session, form: Any = "summary", kind: Any = "both") -> None:
    """The state of the database in a line, or in full.

      hbase> status
      hbase> status 'simple'
      hbase> status 'summary'
      hbase> status 'detailed'
      hbase> status 'replication'
      hbase> status 'replication', 'source'

    A directory answers as a cluster of one server whose regions are all at work.
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
    """A table may be kept in a variable, and commands called on it:

      hbase> t = create 't', 'f'
      hbase> t = get_table 't'
      hbase> t.put 'r', 'f:q', 'v'
      hbase> t.scan
      hbase> t.scan LIMIT => 5

    These commands are there: append, count, delete, deleteall, get, get_counter, get_splits, incr, put, scan; and
    enable, disable, flush, drop, describe, snapshot. t.name is its name, t.get_all_columns its families, t.help
    'scan' help. The variable goes on to name the table when that was dropped and made again.
    """
    session.help("table_help")


@command()
def version(session: Session) -> None:
    """The version of Rowstone, of its build, and of the HBase whose shell this is like.

    hbase> version
    """
    session.formatter.line(session.version())


@command()
def whoami(session: Session) -> None:
    """The user whose rights are used, and his groups.

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
