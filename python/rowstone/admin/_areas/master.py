"""The master of a cluster: its chores, procedures and locks."""

from __future__ import annotations

from typing import Any

from rowstone.admin._area import Area


class Master(Area):
    """The master of a cluster: ``db.admin.master``.

    A directory has no master: these calls raise `UnsupportedOperation` there.

    Example:
        >>> import rowstone as rs
        >>> with rs.testing.server() as url, rs.connect(url) as db:
        ...     print(db.admin.master.is_in_maintenance_mode(), db.admin.master.locks())
        False []
    """

    def procedures(self) -> list[dict[str, Any]]:
        """Return running and recent procedures of the master. Source: HBase's ``Admin.getProcedures``."""
        found: list[dict[str, Any]] = self._master("GetProcedures").get("procedure", [])
        return found

    def locks(self) -> list[dict[str, Any]]:
        """Return the locks that procedures hold or wait for. Source: HBase's ``Admin.getLocks``."""
        found: list[dict[str, Any]] = self._master("GetLocks").get("lock", [])
        return found

    def run_catalog_janitor(self) -> int:
        """Clean up ``hbase:meta``; return the number of entries removed. Source: ``Admin.runCatalogJanitor``."""
        return int(self._master("RunCatalogScan").get("cleaned", 0))

    def run_cleaner_chore(self) -> bool:
        """Remove unreferenced files and logs; return whether all was done. Source: ``Admin.runCleanerChore``."""
        return bool(self._master("RunCleanerChore")["on"])

    def run_hbck_chore(self) -> bool:
        """Check ``hbase:meta`` for inconsistencies; return whether that ran. Source: HBase's ``Hbck.runHbckChore``."""
        return bool(self._call_service("HbckService", "RunHbckChore", {}, None)["on"])

    def is_in_maintenance_mode(self) -> bool:
        """Whether the master is in maintenance mode, for repairs only. Source: ``Admin.isMasterInMaintenanceMode``."""
        return bool(self._master("IsMasterInMaintenanceMode")["on"])

    def flush_store(self) -> None:
        """Flush the master's local store to files. Source: HBase's ``Admin.flushMasterStore``."""
        self._master("FlushMasterStore")

    def stop(self) -> None:
        """Stop the active master; a backup master takes over if there is one. Source: HBase's ``Admin.stopMaster``."""
        self._master("StopMaster")
