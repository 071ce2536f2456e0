"""``alter_rsgroup_config``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import not_of_type, text_of
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.groups import groups_admin
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Sets or takes away settings of a group. A directory has no groups of servers.

  hbase> alter_rsgroup_config 'default', {METHOD => 'set', 'PROPERTY_NAME' => 'PROPERTY_VALUE'}
  hbase> alter_rsgroup_config 'default', {METHOD => 'unset', NAME => 'PROPERTY_NAME'}
"""


def command(session: Session, group: Any, settings: Any) -> None:
    name = text_of(group, "RSGroup name must be of type String")
    found = groups_admin(session).group(name)
    if found is None:
        raise ArgumentMistake("RSGroup does not exist")
    configuration = dict(found.configuration)
    for change in settings if isinstance(settings, list) else [settings]:
        if not isinstance(change, dict):
            raise not_of_type(change, "Hash")
        _apply(configuration, dict(change))
    session.admin.set_group_configuration(name, configuration)


def _apply(configuration: dict[str, str], change: dict[Any, Any]) -> None:
    method = change.pop("METHOD", None)
    if method == "unset":
        configuration.pop(to_s(change.get("NAME")), None)
    elif method == "set":
        configuration.update({to_s(key): to_s(value) for key, value in change.items()})
    else:
        raise ArgumentMistake(f"Unknown method {to_s(method)}")
