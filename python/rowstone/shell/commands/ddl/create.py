"""``create``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import not_of_type, text_of
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.schemas import Change, family_from, take_table_settings
from rowstone.shell.splits import take_splits
from rowstone.shell.values import is_text, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Makes a table: its name, then families, each a name or a hash with NAME, then perhaps settings of the table.

  hbase> create 't1', 'f1', 'f2'
  hbase> create 'ns1:t1', {NAME => 'f1', VERSIONS => 5}
  hbase> create 't1', {NAME => 'f1', VERSIONS => 1, TTL => 2592000, BLOCKCACHE => true}
  hbase> create 't1', {NAME => 'f1', CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '10'}}
  hbase> create 't1', {NAME => 'f1', IS_MOB => true, MOB_THRESHOLD => 1000000}
  hbase> create 't1', 'f1', MAX_FILESIZE => 1073741824, METADATA => {'owner' => 'ada'}

It may have several regions from the start: cut at keys, at keys of a file, or evenly for keys of a kind
(HexStringSplit,
DecimalStringSplit, UniformSplit):

  hbase> create 't1', 'f1', SPLITS => ['10', '20', '30']
  hbase> create 't1', 'f1', SPLITS_FILE => 'splits.txt'
  hbase> create 't1', 'f1', {NUMREGIONS => 15, SPLITALGO => 'HexStringSplit'}

What comes back is the table, for a variable: t1 = create 't1', 'f1'
"""


def command(session: Session, table: Any, *arguments: Any) -> Any:
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
