"""Commands of the group tools about regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import not_of_type, text_of
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.servers import maintenance
from rowstone.cli.shell.commands.servers.maintenance import find_region, region_named
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.output.region_list import region_text
from rowstone.cli.shell.values import inspect, is_text, kind_of, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command(directory="one server")
def assign(session: Session, region: Any) -> None:
    """Assign a region to a server. A region without a server accepts no reads or writes. In a directory all regions are
    always online.

      hbase> assign 'REGIONNAME'
      hbase> assign 'ENCODED_REGIONNAME'
    """
    found = find_region(session, region)
    if session.is_cluster:
        session.admin.regions.assign(found)


@command(directory="one server")
def close_region(session: Session, region: Any, server: Any = None) -> None:
    """Do nothing, as in HBase: use unassign instead.

    hbase> close_region 'REGIONNAME'
    """
    session.formatter.line("DEPRECATED!!! Use 'unassign' command instead.")


@command()
def merge_region(session: Session, *arguments: Any) -> None:
    """Merge adjacent regions of a table into one; with true also regions that are not adjacent.

    hbase> merge_region 'REGIONNAME', 'REGIONNAME'
    hbase> merge_region 'ENCODED_REGIONNAME', 'ENCODED_REGIONNAME', true
    hbase> merge_region ['REGIONNAME', 'REGIONNAME', 'REGIONNAME'], true
    """
    names = [name for item in arguments for name in (item if isinstance(item, list) else [item]) if name is not None]
    if len(names) < 2:
        raise ArgumentMistake("Must pass at least 2 regions to merge")
    force = names.pop() if len(names) > 2 and isinstance(names[-1], bool) else False
    regions = []
    for name in names:
        if not is_text(name):
            raise ArgumentMistake(f"Type of {inspect(name)} is {kind_of(name)}, but expected String")
        found = region_named(session, name)
        if found is None:
            raise ShellError(f"Can't invoke merge on unknown region {name}")
        regions.append(found)
    if not session.is_cluster and not session.switch("merge"):
        raise ShellError("java.io.IOException: Merge of regions failed because merge switch is off")
    session.admin.regions.merge(regions, force=bool(force))


@command(directory="cluster only")
def move(session: Session, region: Any, server: Any = None) -> None:
    """Move a region to a server, or to one that the master chooses. Takes the region's encoded name and a server name
    'host,port,startcode'.

      hbase> move 'ENCODED_REGIONNAME'
      hbase> move 'ENCODED_REGIONNAME', 'SERVER_NAME'
    """
    found = find_region(session, region)
    if not session.is_cluster:
        raise session.cluster_only("moving a region to another server")
    session.admin.regions.move(found, None if server is None else to_s(server))


@command()
def normalize(session: Session, *arguments: Any) -> bool:
    """Run the normalizer on tables with NORMALIZATION_ENABLED; returns true if it ran. It splits and merges regions of
    unusual sizes. Options select tables.

      hbase> normalize
      hbase> normalize TABLE_NAME => 'my_table'
      hbase> normalize TABLE_NAMES => ['t1', 't2']
      hbase> normalize REGEX => 'my_.*'
      hbase> normalize NAMESPACE => 'ns1'
    """
    selection: dict[str, Any] = {}
    for argument in arguments:
        if not isinstance(argument, dict) and not is_text(argument):
            raise not_of_type(argument, "Hash or String")
        selection.update(_parse_selection(argument))
    ran = session.admin.regions.normalize(**selection)
    session.formatter.row([ran])
    return ran


@command(directory="cluster only", cluster="not in 2.6")
def refresh_hfiles(session: Session, options: Any = None) -> None:
    """Read new store files on a cluster of read replicas from the shared storage: those of all tables, of one table or
    of a namespace.

      hbase> refresh_hfiles
      hbase> refresh_hfiles 'TABLE_NAME' => 'test_table'
      hbase> refresh_hfiles 'NAMESPACE' => 'test_namespace'
    """
    raise session.cluster_only("refreshing files from shared storage")


@command(directory="cluster only", cluster="not in 2.6")
def refresh_meta(session: Session) -> None:
    """Reload hbase:meta on a cluster of read replicas from the shared storage.

    hbase> refresh_meta
    """
    raise session.cluster_only("refreshing hbase:meta from shared storage")


@command()
def regioninfo(session: Session, region: Any) -> None:
    """Show the table, keys and names of a region.

    hbase> regioninfo 'REGIONNAME'
    hbase> regioninfo 'ENCODED_REGIONNAME'
    """
    session.formatter.line(region_text(find_region(session, region)))


@command(directory="one server")
def reopen_regions(session: Session, table: Any, regions: Any = None) -> None:
    """Close and reopen the regions of a table, or some of them. A directory does not need this: schema changes apply
    at once.

      hbase> reopen_regions 'TABLE_NAME'
      hbase> reopen_regions 'TABLE_NAME', ['REGION_NAME1', 'REGION_NAME2']
    """
    name = session.table(table).name
    session.admin.describe(name)
    given = regions if isinstance(regions, list) else [] if regions is None else [regions]
    chosen = [find_region(session, region) for region in given]
    if session.is_cluster:
        for region in chosen or session.admin.regions.list(name):
            session.admin.regions.unassign(region)
            session.admin.regions.assign(region)


@command(directory="one server")
def rit(session: Session) -> None:
    """List the regions in transition between servers. A directory has none.

    hbase> rit
    """
    moving = session.state().regions_in_transition
    for region in moving:
        session.formatter.row([region])
    session.formatter.footer(len(moving))


@command()
def split(session: Session, target: Any, key: Any = None) -> None:
    """Split a table or a region, at a key or, without one, at the middle of the region.

    hbase> split 'TABLENAME'
    hbase> split 'TABLENAME', 'splitKey'
    hbase> split 'REGIONNAME'
    hbase> split 'REGIONNAME', 'splitKey'
    hbase> split 'ENCODED_REGIONNAME', 'splitKey'
    """
    maintenance.split(session, target, key)


@command()
def truncate_region(session: Session, region: Any) -> None:
    """Remove all rows of one region.

    hbase> truncate_region 'REGIONNAME'
    hbase> truncate_region 'ENCODED_REGIONNAME'
    """
    session.admin.regions.truncate(find_region(session, region))


@command(directory="cluster only")
def unassign(session: Session, region: Any, force: Any = None) -> None:
    """Unassign a region from its server. Its rows are unavailable until it is assigned. A second argument is accepted
    and not used.

      hbase> unassign 'REGIONNAME'
      hbase> unassign 'ENCODED_REGIONNAME'
    """
    found = find_region(session, region)
    if not session.is_cluster:
        raise session.cluster_only("closing a region")
    session.admin.regions.unassign(found)


def _parse_selection(argument: Any) -> dict[str, Any]:
    given = argument if isinstance(argument, dict) else {}
    for name in ("TABLE_NAME", "REGEX", "NAMESPACE"):
        if name in given:
            text = text_of(given[name], f"{name} must be of type String")
            return {"tables": [text]} if name == "TABLE_NAME" else {name.lower(): text}
    if "TABLE_NAMES" not in given:
        raise ArgumentMistake(f"Unrecognized argument {inspect(argument)}")
    names = given["TABLE_NAMES"]
    if not isinstance(names, list):
        raise ArgumentMistake("TABLE_NAMES must be of type Array")
    return {"tables": [text_of(name, f"TABLE_NAMES value {name} must be of type String") for name in names]}
