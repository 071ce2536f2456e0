"""Commands of the group ddl that create, change and drop tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import not_of_type, text_of
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.access.quota_settings import print_quotas_of
from rowstone.cli.shell.commands.shared import for_all_tables, matching_tables, print_names
from rowstone.cli.shell.commands.tables import alteration
from rowstone.cli.shell.commands.tables.alteration import existing, print_progress
from rowstone.cli.shell.commands.tables.schemas import Change, family_from, take_table_settings
from rowstone.cli.shell.commands.tables.splits import take_splits
from rowstone.cli.shell.errors import ArgumentMistake
from rowstone.cli.shell.output.descriptions import family_text, table_text
from rowstone.cli.shell.table_reference import META
from rowstone.cli.shell.values import Opaque, inspect, is_text, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

_FILTERS = (
    "DependentColumnFilter", "KeyOnlyFilter", "ColumnCountGetFilter", "SingleColumnValueFilter", "PrefixFilter",
    "SingleColumnValueExcludeFilter", "FirstKeyOnlyFilter", "ColumnRangeFilter", "ColumnValueFilter",
    "TimestampsFilter", "FamilyFilter", "QualifierFilter", "ColumnPrefixFilter", "RowFilter",
    "MultipleColumnPrefixFilter", "InclusiveStopFilter", "PageFilter", "ValueFilter", "ColumnPaginationFilter",
)  # fmt: skip


@command()
def alter(session: Session, table: Any, *arguments: Any) -> None:
    """Change a table: column families, attributes, settings. The table stays enabled and available. Existing files
    take on the change when they are rewritten (major_compact).

    Add or change a column family by name; attributes that are not given stay as they are:

      hbase> alter 't1', NAME => 'f1', VERSIONS => 5
      hbase> alter 't1', 'f1', {NAME => 'f2', IN_MEMORY => true}, {NAME => 'f3', VERSIONS => 5}

    Remove a column family and its data:

      hbase> alter 't1', NAME => 'f1', METHOD => 'delete'
      hbase> alter 't1', 'delete' => 'f1'

    Change attributes and settings of the table or of a family:

      hbase> alter 't1', MAX_FILESIZE => '134217728'
      hbase> alter 't1', CONFIGURATION => {'hbase.hstore.compaction.min' => '5'}
      hbase> alter 't1', METADATA => {'owner' => 'ada'}
      hbase> alter 't1', {NAME => 'f2', CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '10'}}
      hbase> alter 't1', METHOD => 'table_att_unset', NAME => 'MAX_FILESIZE'
      hbase> alter 't1', METHOD => 'table_conf_unset', NAME => 'hbase.hstore.compaction.min'
      hbase> alter 't1', METHOD => 'table_remove_coprocessor', CLASSNAME => 'org.example.Observer'

    Several changes in one call are applied atomically. REOPEN_REGIONS => 'false' is accepted by a directory, whose
    regions never reopen for a change, and refused on a cluster.
    """
    if alteration.alter(session, table, arguments):
        session.formatter.line("Updating all regions with the new schema...")
        print_progress(session, table)


@command()
def alter_async(session: Session, table: Any, *arguments: Any) -> None:
    """Change a table like alter, without printing progress; see alter_status. In a directory the change applies at
    once; on a cluster the client waits until all regions have it.

      hbase> alter_async 't1', NAME => 'f1', VERSIONS => 5
      hbase> alter_async 't1', 'delete' => 'f1'
    """
    alteration.alter(session, table, arguments)


@command()
def alter_status(session: Session, table: Any) -> None:
    """Show how many regions of a table have received the last schema change.

    hbase> alter_status 't1'
    hbase> alter_status 'ns1:t1'
    """
    existing(session, text_of(table, "Table name must be of type String"))
    print_progress(session, table)


@command()
def clone_table_schema(session: Session, table: Any, new_table: Any, preserve_splits: Any = True) -> None:
    """Create an empty table with the schema of another table, and with its splits unless the last argument is false.

    hbase> clone_table_schema 'table', 'new_table'
    hbase> clone_table_schema 'table', 'new_table', false
    """
    source, target = session.table(table).name, session.table(new_table).name
    session.admin.tables.clone_schema(source, target, preserve_splits=bool(preserve_splits))


@command()
def create(session: Session, table: Any, *arguments: Any) -> Any:
    """Create a table: its name, then column families (a name, or a hash with NAME), then optional table settings.

      hbase> create 't1', 'f1', 'f2'
      hbase> create 'ns1:t1', {NAME => 'f1', VERSIONS => 5}
      hbase> create 't1', {NAME => 'f1', VERSIONS => 1, TTL => 2592000, BLOCKCACHE => true}
      hbase> create 't1', {NAME => 'f1', CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '10'}}
      hbase> create 't1', {NAME => 'f1', IS_MOB => true, MOB_THRESHOLD => 1000000}
      hbase> create 't1', 'f1', MAX_FILESIZE => 1073741824, METADATA => {'owner' => 'ada'}

    Split the table at creation: at given keys, at keys from a file, or evenly by a split algorithm
    (HexStringSplit, DecimalStringSplit, UniformSplit):

      hbase> create 't1', 'f1', SPLITS => ['10', '20', '30']
      hbase> create 't1', 'f1', SPLITS_FILE => 'splits.txt'
      hbase> create 't1', 'f1', {NUMREGIONS => 15, SPLITALGO => 'HexStringSplit'}

    The command returns a table reference: t1 = create 't1', 'f1'
    """
    reference = session.table(text_of(table, "Table name must be of type String"))
    change, splits = Change(), None
    for argument in _flat(arguments):
        if not is_text(argument) and not isinstance(argument, dict):
            raise not_of_type(argument, "Hash or String")
        if not isinstance(argument, dict) or "NAME" in argument:
            _add_family(session, change, argument)
            continue
        given = dict(argument)
        if given.pop("METHOD", "table_att") != "table_att":
            raise ArgumentMistake("table_att is currently the only supported method")
        splits = take_splits(given) or splits
        take_table_settings(given, change)
        for key in given:
            session.formatter.line(f"An argument ignored (unknown or overridden): {to_s(key)}")
    if not change.families:
        raise ArgumentMistake("Table must have at least one column family")
    session.admin.create_table(
        reference.name, change.families, splits=splits, attributes=change.attributes, configuration=change.configuration
    )
    session.formatter.line(f"Created table {to_s(table)}")
    return reference


@command()
def describe(session: Session, table: Any) -> None:
    """Describe a table: attributes, settings, column families. Alias: desc.

    hbase> describe 't1'
    hbase> describe 'ns1:t1'
    hbase> desc 't1'
    """
    reference = session.table(table)
    existing(session, reference, "Table {} does not exist.")
    schema = session.admin.describe(reference.name)
    state = "ENABLED" if alteration.is_enabled(session, reference) else "DISABLED"
    shown = table if isinstance(table, str) else reference.name
    formatter = session.formatter
    formatter.header([f"Table {shown} is {state}"])
    formatter.row([table_text(shown, schema)])
    formatter.header(["COLUMN FAMILIES DESCRIPTION"])
    for name, family in schema.families.items():
        formatter.row([family_text(name, family)])
        formatter.line()
    formatter.footer()
    if reference.name != META:
        print_quotas_of(session, "TABLE", to_s(shown), gap=True)


@command()
def drop(session: Session, table: Any) -> None:
    """Drop a table and its data. The table must be disabled first.

    hbase> drop 't1'
    hbase> drop 'ns1:t1'
    """
    reference = session.table(table)
    existing(session, reference, "Table {} does not exist.")
    if session.admin.tables.is_enabled(reference.name):
        raise ArgumentMistake(f"Table {reference.name} is enabled. Disable it first.")
    session.admin.drop_table(reference.name)


@command()
def drop_all(session: Session, regex: Any) -> None:
    """Drop every disabled table whose name matches a regular expression. Asks for confirmation.

    hbase> drop_all 't.*'
    hbase> drop_all 'ns:t.*'
    """
    for_all_tables(session, regex, "Drop", session.admin.drop_table)


@command()
def get_table(session: Session, table: Any, *_: Any) -> Any:
    """Get a reference to a table, to call commands on it. See help 'table_help'.

    hbase> t1 = get_table 't1'
    hbase> t1.scan
    """
    return session.table(table)


@command()
def list_(session: Session, regex: Any = ".*") -> list[str]:
    """List all tables, or those whose whole name matches a regular expression.

    hbase> list
    hbase> list 'abc.*'
    hbase> list 'ns:abc.*'
    """
    return print_names(session, "TABLE", lambda: matching_tables(session, regex))


@command()
def show_filters(session: Session) -> Any:
    """List the filters of the filter language, for FILTER in get and scan.

    hbase> show_filters
    """
    for name in _FILTERS:
        session.formatter.row([name])
    return Opaque(f"#<Java::JavaUtil::HashMap::KeySet: {inspect(list(_FILTERS))}>")


def _flat(arguments: Any) -> list[Any]:
    flat: list[Any] = []
    for argument in arguments:
        if isinstance(argument, (list, tuple)):
            flat += _flat(argument)
        elif argument is not None:
            flat.append(argument)
    return flat


def _add_family(session: Session, change: Change, argument: Any) -> None:
    name, family = family_from(argument, None, session)
    if name in change.families:
        session.formatter.line(f"Family '{name}' already exists, the old one will be replaced")
    change.families[name] = family
