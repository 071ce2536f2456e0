"""Flush, compact and split: of a table, or of a region given by its full or encoded name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone import RegionInfo
from rowstone._base.printable import printable
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.values import is_text, to_bytes, to_s
from rowstone.errors import NoSuchColumnFamily, TableNotFound

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

_ENCODED_LENGTH = 32


def region_named(session: Session, name: Any) -> RegionInfo | None:
    """The region with that full or encoded name, or None."""
    text = to_s(name)
    table = text.partition(",")[0]
    whole = "," in text
    is_encoded = len(text) == _ENCODED_LENGTH and all(digit in "0123456789abcdef" for digit in text)
    if not whole and not is_encoded:
        return None
    try:
        tables = [table] if whole else session.admin.tables.list()
        regions = [region for name in tables for region in session.admin.regions.list(name)]
    except (TableNotFound, ValueError):
        return None
    data = to_bytes(text)
    return next((region for region in regions if region.name == data or region.encoded_name == text), None)


def find_region(session: Session, name: Any) -> RegionInfo:
    """The region of that name. Raises `ShellError` with HBase's message."""
    found = region_named(session, name)
    if found is None:
        raise ShellError(f"org.apache.hadoop.hbase.UnknownRegionException: {to_s(name)}")
    return found


def _check_family(session: Session, table: str, family: Any) -> None:
    if family is not None and to_bytes(family) not in session.admin.describe(table).families:
        raise ShellError(f"Column families [{to_s(family)}] don't exist in table {table}")


def _check_family_of_regions(session: Session, table: str, family: bytes) -> None:
    """Check the family region by region, as HBase does: the first region raises."""
    if family not in session.admin.describe(table).families:
        region = printable(session.admin.regions.list(table)[0].name)
        error = "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException"
        raise ShellError(f"{error}: column family {printable(family)} does not exist in region {region}")


def flush(session: Session, target: Any, family: Any) -> None:
    """Flush the memstore of a region, a table or a server."""
    region = region_named(session, target) if is_text(target) else None
    name = None if family is None else to_bytes(family)
    if region is not None:
        session.admin.regions.flush(region, name)
    elif to_s(target) in session.servers():
        session.admin.flush()
    else:
        table = session.table(target).name
        _check_family(session, table, family)
        if name is None:
            session.admin.flush(table)
            return
        for each in session.admin.regions.list(table):
            session.admin.regions.flush(each, name)


def compact(session: Session, target: Any, family: Any, kind: Any, *, major: bool) -> None:
    """Compact a region or a table. Type ``MOB`` compacts its MOB families, whatever ``major`` is."""
    if kind not in ("NORMAL", "MOB"):
        raise ArgumentMistake("only NORMAL or MOB accepted for type!")
    region = region_named(session, target) if is_text(target) else None
    name = None if family is None else to_bytes(family)
    if region is not None:
        try:
            session.admin.regions.compact(region, name, major=major)
        except NoSuchColumnFamily as error:
            raise ShellError(f"{error.remote_class}: {error}" if session.is_cluster else str(error)) from None
        return
    table = session.table(target).name
    if name is not None:
        _check_family_of_regions(session, table, name)
    if kind == "MOB":
        for each in _mob_families(session, table, name):
            session.admin.major_compact(table, each)
        return
    work = session.admin.major_compact if major else session.admin.compact
    work(table, name)


def _mob_families(session: Session, table: str, family: bytes | None) -> list[bytes]:
    """The requested MOB family, or all of the table's. Raises `ShellError` with HBase's message."""
    families = session.admin.describe(table).families
    chosen = [family] if family is not None else list(families)
    found = [name for name in chosen if str(families[name].attributes.get("IS_MOB", "")).lower() == "true"]
    if found:
        return found
    error = "org.apache.hadoop.hbase.DoNotRetryIOException"
    if family is not None:
        raise ShellError(f"{error}: Column family {family.decode(errors='replace')} is not a mob column family")
    raise ShellError(f"{error}: No mob column families are assigned in the mob compaction")


def split(session: Session, target: Any, key: Any) -> None:
    """Split a region. Of a table, split the region that contains ``key``, or without a key all regions."""
    row = None if key is None else to_bytes(key)
    region = region_named(session, target) if is_text(target) else None
    regions = [region] if region is not None else session.admin.regions.list(session.table(target).name)
    if row is not None and region is None:
        regions = [found for found in regions if found.start_key <= row][-1:]
    for found in regions:
        if row is not None and row == found.start_key:
            raise ShellError("should not give a splitkey which equals to startkey!")
        if not session.is_cluster and not session.switch("split"):
            name = printable(found.name)
            raise ShellError(f"java.io.IOException: Split region {name} failed due to split switch off")
        session.admin.regions.split(found, row)
