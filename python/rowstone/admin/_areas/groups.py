"""Region server groups, on masters that have loaded them."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rowstone._base.options.checks import as_list
from rowstone.admin._area import Area, Message, pairs, server, settings, table, table_text
from rowstone.admin._area import servers as several


@dataclass(frozen=True)
class ServerGroup:
    """Region servers (``"host:port"``) that are reserved for certain tables."""

    name: str
    servers: list[str]
    tables: list[str]
    configuration: dict[str, str]


class Groups(Area):
    """Region server groups: ``db.admin.groups``. Within groups servers are named ``"host:port"``.

    A directory has no servers: these calls raise `UnsupportedOperation` there. So do masters without groups.
    """

    def list(self) -> builtins.list[ServerGroup]:
        """Return all groups. Source: HBase's ``RSGroupAdmin.listRSGroups``."""
        return [_group(one) for one in self._groups("ListRSGroupInfos").get("groups", [])]

    def get(self, name: str) -> ServerGroup | None:
        """Return a group, or None. Source: HBase's ``RSGroupAdmin.getRSGroupInfo``."""
        return _read_group(self._groups("GetRSGroupInfo", group=name))

    def of_table(self, name: str) -> ServerGroup | None:
        """Return the group of a table. Source: HBase's ``RSGroupAdmin.getRSGroupInfoOfTable``."""
        return _read_group(self._groups("GetRSGroupInfoOfTable", table_name=table(name)))

    def of_server(self, name: str) -> ServerGroup | None:
        """Return the group of a server. Source: HBase's ``RSGroupAdmin.getRSGroupOfServer``."""
        return _read_group(self._groups("GetRSGroupInfoOfServer", server=server(name)))

    def add(self, name: str) -> None:
        """Create a group without servers. Source: HBase's ``RSGroupAdmin.addRSGroup``."""
        self._groups("AddRSGroup", group=name)

    def remove(self, name: str) -> None:
        """Remove an empty group. Source: HBase's ``RSGroupAdmin.removeRSGroup``."""
        self._groups("RemoveRSGroup", group=name)

    def rename(self, old: str, new: str) -> None:
        """Rename a group. Source: HBase's ``RSGroupAdmin.renameRSGroup``."""
        self._groups("RenameRSGroup", old_name=old, new_name=new)

    def balance(self, name: str) -> bool:
        """Run the balancer in a group; return whether it ran. Source: HBase's ``RSGroupAdmin.balanceRSGroup``."""
        return bool(self._groups("BalanceRSGroup", group=name)["on"])

    def move(self, name: str, *, servers: Iterable[str] = (), tables: Iterable[str] = ()) -> None:
        """Move servers, tables or both to a group. Source: HBase's ``RSGroupAdmin.moveServersAndTables``."""
        named = [table(one) for one in as_list("tables", tables)]
        to_move = {"servers": several(as_list("servers", servers)), "tables": named}
        method = {(True, False): "MoveServers", (False, True): "MoveTables"}.get(
            (bool(to_move["servers"]), bool(to_move["tables"])), "MoveServersAndTables"
        )
        self._groups(method, target_group=name, **{key: value for key, value in to_move.items() if value})

    def remove_servers(self, servers: Iterable[str]) -> None:
        """Remove decommissioned servers from their groups. Source: HBase's ``RSGroupAdmin.removeServers``."""
        self._groups("RemoveServers", servers=several(as_list("servers", servers)))

    def set_configuration(self, name: str, configuration: Mapping[str, str]) -> None:
        """Replace the settings of a group. Source: HBase's ``RSGroupAdmin.updateRSGroupConfig``."""
        self._groups("UpdateRSGroupConfig", group=name, configuration=pairs(dict(configuration)))

    def _groups(self, method: str, **request: Any) -> dict[str, Any]:
        return self._call_service("RSGroupAdminService", method, request, None)


def _read_group(answer: Message) -> ServerGroup | None:
    return _group(answer["group"]) if "group" in answer else None


def _group(message: Message) -> ServerGroup:
    return ServerGroup(
        message["name"],
        sorted(f"{one['host_name']}:{one.get('port', 0)}" for one in message.get("servers", [])),
        sorted(table_text(one) for one in message.get("tables", [])),
        settings(message.get("configuration", [])),
    )
