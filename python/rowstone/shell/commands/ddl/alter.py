"""``alter``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.alteration import alter, print_progress

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Changes a table: families, attributes, settings. The table stays enabled, and readers and writers go on. Files show the
change when they are rewritten (major_compact).

A family is added or changed by its name; what is not named stays as it was:

  hbase> alter 't1', NAME => 'f1', VERSIONS => 5
  hbase> alter 't1', 'f1', {NAME => 'f2', IN_MEMORY => true}, {NAME => 'f3', VERSIONS => 5}

and removed with its data:

  hbase> alter 't1', NAME => 'f1', METHOD => 'delete'
  hbase> alter 't1', 'delete' => 'f1'

Attributes and settings of the table, or of a family:

  hbase> alter 't1', MAX_FILESIZE => '134217728'
  hbase> alter 't1', CONFIGURATION => {'hbase.hstore.compaction.min' => '5'}
  hbase> alter 't1', METADATA => {'owner' => 'ada'}
  hbase> alter 't1', {NAME => 'f2', CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '10'}}
  hbase> alter 't1', METHOD => 'table_att_unset', NAME => 'MAX_FILESIZE'
  hbase> alter 't1', METHOD => 'table_conf_unset', NAME => 'hbase.hstore.compaction.min'

Several changes in one call happen together or not at all.
"""


def command(session: Session, table: Any, *arguments: Any) -> None:
    if alter(session, table, arguments):
        session.formatter.line("Updating all regions with the new schema...")
        print_progress(session, table)
