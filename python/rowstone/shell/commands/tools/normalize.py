"""``normalize``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import not_of_type, text_of
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import inspect, is_text

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Splits and merges regions of odd sizes, of tables with NORMALIZATION_ENABLED; true where it ran. Tables may be chosen.

  hbase> normalize
  hbase> normalize TABLE_NAME => 'my_table'
  hbase> normalize TABLE_NAMES => ['t1', 't2']
  hbase> normalize REGEX => 'my_.*'
  hbase> normalize NAMESPACE => 'ns1'
"""


def command(session: Session, *arguments: Any) -> bool:
    wanted: dict[str, Any] = {}
    for argument in arguments:
        if not isinstance(argument, dict) and not is_text(argument):
            raise not_of_type(argument, "Hash or String")
        wanted.update(_wanted(argument))
    ran = session.admin.normalize(**wanted)
    session.formatter.row([ran])
    return ran


def _wanted(argument: Any) -> dict[str, Any]:
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
