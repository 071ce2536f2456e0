"""Commands of the group ddl: table states and regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone._base.printable import from_printable
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.shared import for_all_tables, matching_tables, print_names
from rowstone.cli.shell.commands.tables import alteration
from rowstone.cli.shell.commands.tables.alteration import existing, table_exists
from rowstone.cli.shell.errors import ShellError
from rowstone.cli.shell.output.region_list import COLUMNS, print_regions, region_text
from rowstone.cli.shell.values import Opaque, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command()
def disable(session: Session, table: Any) -> None:
    """Disable a table: reads and writes are refused until it is enabled. Its data is kept.

    hbase> disable 't1'
    hbase> disable 'ns1:t1'
    """
    reference = session.table(table)
    existing(session, reference, "Table {} does not exist.")
    if session.admin.tables.is_enabled(reference.name):
        session.admin.disable_table(reference.name)


@command()
def disable_all(session: Session, regex: Any) -> None:
    """Disable every table whose name matches a regular expression. Asks for confirmation.

    hbase> disable_all 't.*'
    hbase> disable_all 'ns:t.*'
    """
    for_all_tables(session, regex, "Disable", session.admin.disable_table)


@command()
def enable(session: Session, table: Any) -> None:
    """Enable a disabled table.

    hbase> enable 't1'
    hbase> enable 'ns1:t1'
    """
    reference = session.table(table)
    existing(session, reference, "Table {} does not exist.")
    if not session.admin.tables.is_enabled(reference.name):
        session.admin.enable_table(reference.name)


@command()
def enable_all(session: Session, regex: Any) -> None:
    """Enable every table whose name matches a regular expression. Asks for confirmation.

    hbase> enable_all 't.*'
    hbase> enable_all 'ns:t.*'
    """
    for_all_tables(session, regex, "Enable", session.admin.enable_table)


@command()
def exists(session: Session, table: Any) -> bool:
    """Show whether a table exists.

    hbase> exists 't1'
    hbase> exists 'ns1:t1'
    """
    reference = session.table(table)
    exists = table_exists(session, reference)
    shown = reference.name if not isinstance(table, str) else to_s(table)
    session.formatter.row([f"Table {shown} {'does exist' if exists else 'does not exist'}"])
    return exists


@command()
def is_disabled(session: Session, table: Any) -> bool:
    """Show whether a table is disabled.

    hbase> is_disabled 't1'
    """
    disabled = not alteration.is_enabled(session, session.table(table))
    session.formatter.row([disabled])
    return disabled


@command()
def is_enabled(session: Session, table: Any) -> bool:
    """Show whether a table is enabled.

    hbase> is_enabled 't1'
    """
    enabled = alteration.is_enabled(session, session.table(table))
    session.formatter.row([enabled])
    return enabled


@command()
def list_disabled_tables(session: Session) -> list[str]:
    """List all disabled tables.

    hbase> list_disabled_tables
    """

    def list_names() -> list[str]:
        return [name for name in matching_tables(session, ".*") if not session.admin.tables.is_enabled(name)]

    return print_names(session, "TABLE", list_names)


@command()
def list_enabled_tables(session: Session) -> list[str]:
    """List all enabled tables.

    hbase> list_enabled_tables
    """

    def list_names() -> list[str]:
        return [name for name in matching_tables(session, ".*") if session.admin.tables.is_enabled(name)]

    return print_names(session, "TABLE", list_names)


@command()
def list_regions(session: Session, table: Any, options: Any = None, columns: Any = None) -> None:
    """List the regions of a table: server, name, keys, store file size (MB), requests and data locality.
    Optionally filter by server name (or its prefix) and select columns.

      hbase> list_regions 't1'
      hbase> list_regions 't1', 'server1'
      hbase> list_regions 't1', {SERVER_NAME => 'server1', LOCALITY_THRESHOLD => 0.8}
      hbase> list_regions 't1', '', ['SERVER_NAME', 'start_key']
    """
    reference = session.table(table)
    given = options if isinstance(options, dict) else {"SERVER_NAME": options}
    if not session.admin.tables.is_enabled(reference.name):
        raise ShellError(f"Table {reference.name} must be enabled.")
    chosen = _columns(columns)
    threshold = given.get("LOCALITY_THRESHOLD")
    if threshold is not None and not isinstance(threshold, float):
        raise ShellError("LOCALITY_THRESHOLD must be a float value")
    if threshold is not None and not 0 <= threshold <= 1:
        raise ShellError("LOCALITY_THRESHOLD must be between 0 and 1.0, inclusive")
    print_regions(session, reference.name, chosen, to_s(given.get("SERVER_NAME")), threshold)


@command()
def locate_region(session: Session, table: Any, row: Any) -> Any:
    """Show the region that contains a row, and its server.

    hbase> locate_region 't1', 'row1'
    """
    key = from_printable(to_s(row))
    name = session.table(table).name
    place = session.admin.regions.locate(name, key)
    region, server = place.region, place.server or session.server_name()
    session.formatter.header(["HOST", "REGION"])
    session.formatter.row([":".join(server.split(",")[:2]), region_text(region)])
    session.formatter.footer(1)
    return Opaque(f"#<Java::OrgApacheHadoopHbase::HRegionLocation:{id(region) & 0xFFFFFFFF:#x}>")


def _columns(columns: Any) -> list[str]:
    possible = f"Possible values are {', '.join(COLUMNS)}."
    if columns is None:
        return list(COLUMNS)
    if not isinstance(columns, list):
        raise ShellError(f"{to_s(columns)} must be an array of strings. {possible}")
    for column in columns:
        if to_s(column).upper() not in COLUMNS:
            raise ShellError(f"{to_s(column)} is not a valid column. {possible}")
    return [to_s(column).upper() for column in columns]
