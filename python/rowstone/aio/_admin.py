"""Administration for asyncio: `Admin` and its areas."""

from typing import Any

from rowstone import admin as _blocking
from rowstone.aio._threads import Threads
from rowstone.aio._twin import twin_of


class _Area:
    def __init__(self, threads: Threads, area: Any) -> None:
        self._threads = threads
        self._area = area

    def _blocking(self) -> Any:
        return self._area

    def __repr__(self) -> str:
        return f"<aio: {self._area!r}>"


@twin_of(_blocking.Tables)
class Tables(_Area):
    """``db.admin.tables``: the methods of `rowstone.admin.Tables`, awaited."""


@twin_of(_blocking.Regions)
class Regions(_Area):
    """``db.admin.regions``: the methods of `rowstone.admin.Regions`, awaited."""


@twin_of(_blocking.Snapshots)
class Snapshots(_Area):
    """``db.admin.snapshots``: the methods of `rowstone.admin.Snapshots`, awaited."""


@twin_of(_blocking.Namespaces)
class Namespaces(_Area):
    """``db.admin.namespaces``: the methods of `rowstone.admin.Namespaces`, awaited."""


@twin_of(_blocking.Permissions)
class Permissions(_Area):
    """``db.admin.permissions``: the methods of `rowstone.admin.Permissions`, awaited."""


@twin_of(_blocking.Labels)
class Labels(_Area):
    """``db.admin.labels``: the methods of `rowstone.admin.Labels`, awaited."""


@twin_of(_blocking.Quotas)
class Quotas(_Area):
    """``db.admin.quotas``: the methods of `rowstone.admin.Quotas`, awaited."""


@twin_of(_blocking.Metrics)
class Metrics(_Area):
    """``db.admin.metrics``: the methods of `rowstone.admin.Metrics`, awaited."""


@twin_of(_blocking.Servers)
class Servers(_Area):
    """``db.admin.servers``: the methods of `rowstone.admin.Servers`, awaited."""


@twin_of(_blocking.Master)
class Master(_Area):
    """``db.admin.master``: the methods of `rowstone.admin.Master`, awaited."""


@twin_of(_blocking.Switches)
class Switches(_Area):
    """``db.admin.switches``: the methods of `rowstone.admin.Switches`, awaited."""


@twin_of(_blocking.Groups)
class Groups(_Area):
    """``db.admin.groups``: the methods of `rowstone.admin.Groups`, awaited."""


@twin_of(_blocking.Replication)
class Replication(_Area):
    """``db.admin.replication``: the methods of `rowstone.admin.Replication`, awaited."""


@twin_of(_blocking.Logs)
class Logs(_Area):
    """``db.admin.logs``: the methods of `rowstone.admin.Logs`, awaited."""


@twin_of(_blocking.Admin)
class Admin:
    """Administration: the methods of `rowstone.Admin` and of its areas, awaited. Returned by `Database.admin`.

    Example:
        >>> import asyncio, rowstone as rs
        >>> async def main():
        ...     async with rs.aio.connect(":memory:") as db:
        ...         await db.admin.create_table("t", ["f"], splits=["m"])
        ...         return [region.start_key for region in await db.admin.regions.list("t")]
        >>> asyncio.run(main())
        [b'', b'm']
    """

    def __init__(self, threads: Threads, admin: _blocking.Admin) -> None:
        self._threads = threads
        self._admin = admin
        self.tables = Tables(threads, admin.tables)
        self.regions = Regions(threads, admin.regions)
        self.snapshots = Snapshots(threads, admin.snapshots)
        self.namespaces = Namespaces(threads, admin.namespaces)
        self.permissions = Permissions(threads, admin.permissions)
        self.labels = Labels(threads, admin.labels)
        self.quotas = Quotas(threads, admin.quotas)
        self.metrics = Metrics(threads, admin.metrics)
        self.servers = Servers(threads, admin.servers)
        self.master = Master(threads, admin.master)
        self.switches = Switches(threads, admin.switches)
        self.groups = Groups(threads, admin.groups)
        self.replication = Replication(threads, admin.replication)
        self.logs = Logs(threads, admin.logs)

    def _blocking(self) -> _blocking.Admin:
        return self._admin

    def __repr__(self) -> str:
        return f"<aio: {self._admin!r}>"
