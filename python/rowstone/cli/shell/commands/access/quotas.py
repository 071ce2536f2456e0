"""Commands of the group quotas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import hash_of
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.access import quota_settings as quotas
from rowstone.cli.shell.commands.access.quota_settings import snapshot_sizes, space_use, stored_quotas
from rowstone.cli.shell.commands.shared import show, turn

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command()
def disable_exceed_throttle_quota(session: Session) -> bool:
    """Enforce user quotas strictly again. Returns the previous setting.
    A directory without the setting hbase.quota.enabled has no quotas and returns false.

      hbase> disable_exceed_throttle_quota
    """
    return turn(session, "exceed_throttle_quota", False, "Previous exceed throttle quota enabled : ")


@command()
def disable_rpc_throttle(session: Session) -> bool:
    """Stop enforcing request quotas. Returns the previous setting.
    A directory without the setting hbase.quota.enabled has no quotas and returns false.

      hbase> disable_rpc_throttle
    """
    return turn(session, "rpc_throttle", False, "Previous rpc throttle state : ")


@command()
def enable_exceed_throttle_quota(session: Session) -> bool:
    """Allow users to exceed their quota while a server has spare capacity. Returns the previous setting.
    A directory without the setting hbase.quota.enabled has no quotas and returns false.

      hbase> enable_exceed_throttle_quota
    """
    return turn(session, "exceed_throttle_quota", True, "Previous exceed throttle quota enabled : ")


@command()
def enable_rpc_throttle(session: Session) -> bool:
    """Enforce request quotas. Returns the previous setting.
    A directory without the setting hbase.quota.enabled has no quotas and returns false.

      hbase> enable_rpc_throttle
    """
    return turn(session, "rpc_throttle", True, "Previous rpc throttle state : ")


@command()
def list_quota_snapshots(session: Session, options: Any = None) -> None:
    """List how much of their space quotas tables use, from the table hbase:quota.

    hbase> list_quota_snapshots
    hbase> list_quota_snapshots({TABLE => 'table1'})
    """
    session.formatter.header(["TABLE", "USAGE", "LIMIT", "IN_VIOLATION", "POLICY"])
    found = space_use(session, options if isinstance(options, dict) else {})
    for use in found:
        row = [use.table, use.usage_bytes, use.limit_bytes, use.policy is not None, use.policy or "None"]
        session.formatter.row(row)
    session.formatter.footer(len(found))


@command()
def list_quota_table_sizes(session: Session, options: Any = None) -> None:
    """List the sizes of tables, if quotas are enabled.

    hbase> list_quota_table_sizes
    """
    session.formatter.header(["TABLE", "SIZE"])
    sizes = session.admin.quotas.space_sizes()
    for table, size in sizes.items():
        session.formatter.row([table, size])
    session.formatter.footer(len(sizes))


@command()
def list_quotas(session: Session, options: Any = None) -> None:
    """List all quotas, or those of a USER, TABLE, NAMESPACE or REGIONSERVER.
    A directory has quotas if hbase.quota.enabled is set, as in HBase; create_namespace and alter_namespace set
    hbase.namespace.quota.maxtables and hbase.namespace.quota.maxregions.

      hbase> list_quotas
      hbase> list_quotas USER => 'bob.*'
      hbase> list_quotas TABLE => 'mytable'
      hbase> list_quotas NAMESPACE => 'ns.*'
    """
    session.formatter.header(["OWNER", "QUOTAS"])
    given = hash_of({} if options is None else options, "Arguments should be a Hash")
    found = stored_quotas(session, given)
    for owner, text in found:
        session.formatter.row([owner, text])
    session.formatter.footer(len(found))


@command()
def list_snapshot_sizes(session: Session, options: Any = None) -> None:
    """List the bytes on disk that only snapshots use, for tables under a space quota, from the table hbase:quota.

    hbase> list_snapshot_sizes
    """
    session.formatter.header(["SNAPSHOT", "SIZE"])
    sizes = snapshot_sizes(session)
    for name, size in sizes.items():
        session.formatter.row([name, size])
    session.formatter.footer(len(sizes))


@command()
def rpc_throttle_enabled(session: Session) -> bool:
    """Show whether request quotas are enforced; false if quotas are disabled.

    hbase> rpc_throttle_enabled
    """
    return show(session, "rpc_throttle", "Rpc throttle enabled : ")


@command()
def set_quota(session: Session, options: Any = None) -> None:
    """Set a quota on requests or on disk space for users, tables, namespaces or servers. LIMIT => NONE removes it.

    As in HBase, a directory has quotas if hbase.quota.enabled is set. Its server enforces those on requests.

      hbase> set_quota TYPE => THROTTLE, USER => 'u1', LIMIT => '10req/sec'
      hbase> set_quota TYPE => THROTTLE, THROTTLE_TYPE => WRITE, TABLE => 't1', LIMIT => '10M/sec'
      hbase> set_quota TYPE => SPACE, TABLE => 't1', LIMIT => '1G', POLICY => NO_INSERTS
      hbase> set_quota TYPE => SPACE, NAMESPACE => 'ns1', LIMIT => NONE
      hbase> set_quota USER => 'u1', GLOBAL_BYPASS => true
    """
    quotas.set_quota(session, {} if options is None else options)
