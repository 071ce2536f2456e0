"""``set_quota``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.quotas import set_quota

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Limits requests a time, or bytes on disk, of users, tables, namespaces or servers; LIMIT => NONE takes a limit away.
A directory has them with the setting hbase.quota.enabled, as HBase; its server keeps those on requests.

  hbase> set_quota TYPE => THROTTLE, USER => 'u1', LIMIT => '10req/sec'
  hbase> set_quota TYPE => THROTTLE, THROTTLE_TYPE => WRITE, TABLE => 't1', LIMIT => '10M/sec'
  hbase> set_quota TYPE => SPACE, TABLE => 't1', LIMIT => '1G', POLICY => NO_INSERTS
  hbase> set_quota TYPE => SPACE, NAMESPACE => 'ns1', LIMIT => NONE
  hbase> set_quota USER => 'u1', GLOBAL_BYPASS => true
"""


def command(session: Session, options: Any = None) -> None:
    set_quota(session, {} if options is None else options)
