"""Switches for background work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from rowstone._base.options.checks import as_list
from rowstone.admin._area import Area
from rowstone.errors import InvalidArgument, UnsupportedOperation

SwitchName = Literal[
    "balancer",
    "catalog_janitor",
    "cleaner_chore",
    "exceed_throttle_quota",
    "merge",
    "normalizer",
    "peer_modification",
    "rpc_throttle",
    "snapshot_cleanup",
    "split",
]

_SWITCHES: dict[SwitchName, tuple[str, str | None]] = {
    "balancer": ("", "IsBalancerEnabled"),
    "catalog_janitor": ("EnableCatalogJanitor", "IsCatalogJanitorEnabled"),
    "cleaner_chore": ("SetCleanerChoreRunning", "IsCleanerChoreEnabled"),
    "exceed_throttle_quota": ("SwitchExceedThrottleQuota", None),
    "merge": ("SetSplitOrMergeEnabled", "IsSplitOrMergeEnabled"),
    "normalizer": ("SetNormalizerRunning", "IsNormalizerEnabled"),
    "peer_modification": ("ReplicationPeerModificationSwitch", "IsReplicationPeerModificationEnabled"),
    "rpc_throttle": ("SwitchRpcThrottle", "IsRpcThrottleEnabled"),
    "snapshot_cleanup": ("SwitchSnapshotCleanup", "IsSnapshotCleanupEnabled"),
    "split": ("SetSplitOrMergeEnabled", "IsSplitOrMergeEnabled"),
}
"""Methods that set and read a switch, by its name."""


class Switches(Area):
    """Switches for the background work of a master or a directory: ``db.admin.switches``.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     print(db.admin.switches.set("split", False), db.admin.switches.get("split"))
        True False
    """

    def get(self, name: SwitchName) -> bool:
        """Whether a switch is on, of a master or of a directory, whose ``rpc_throttle`` is off without quotas.

        Args:
            name: ``balancer``, ``catalog_janitor``, ``cleaner_chore``, ``merge``, ``normalizer``,
                ``peer_modification``, ``rpc_throttle``, ``snapshot_cleanup`` or ``split``.

        Source: HBase's ``Admin.isBalancerEnabled`` and the like. Raises `InvalidArgument`.
        """
        method = _methods(name)[1]
        own = self._own_switch(name, None)
        if own is not None:
            return own
        if method is None:
            raise InvalidArgument(f"switch {name!r} can be set, but not read")
        request = {"kind": name.upper()} if name in ("split", "merge") else {}
        return bool(self._master(method, **request).get("on", False))

    def set(self, name: SwitchName, on: bool) -> bool:
        """Set a switch, one of `get` or ``exceed_throttle_quota``; return its previous state.

        In a directory all are on at first. As in HBase they keep their state when it is opened again, except
        ``catalog_janitor``, ``cleaner_chore`` and that of `set_compactions`, which are on again after a restart.
        ``exceed_throttle_quota`` is stored in ``hbase:quota``. While ``split``, ``merge`` or ``normalizer`` is off,
        requests for that work do nothing either.

        Source: HBase's ``Admin.balancerSwitch`` and the like. Raises `InvalidArgument`.
        """
        method = _methods(name)[0]
        own = self._own_switch(name, on)
        if own is not None:
            return own
        if name == "balancer":
            return self._cluster.set_balancer(on)
        if name in ("split", "merge"):
            before = self._master(method, on=on, synchronous=False, kinds=[name.upper()]).get("before", [])
            return bool(before and before[0])
        return bool(self._master(method, on=on).get("on", False))

    def set_compactions(self, on: bool, servers: Iterable[str]) -> dict[str, bool]:
        """Enable or disable compactions; return the previous state by server. A directory acts as each of the servers.

        While off, requested compactions do not run either. Source: HBase's ``Admin.compactionSwitch``.
        """
        names = as_list("servers", servers)
        try:
            before = self._cluster.switch("compaction", on)
        except UnsupportedOperation:
            return {name: bool(self._server(name, "CompactionSwitch", on=on)["on"]) for name in names}
        return dict.fromkeys(names, before)

    def _own_switch(self, name: str, on: bool | None) -> bool | None:
        """Set or read a directory's switch; ``None`` if there is a master to ask."""
        try:
            return self._cluster.switch(name, on)
        except UnsupportedOperation:
            return None


def _methods(name: SwitchName) -> tuple[str, str | None]:
    if name not in _SWITCHES:
        raise InvalidArgument(f"there is no switch {name!r}; there are: {', '.join(_SWITCHES)}")
    return _SWITCHES[name]
