"""Settings of a family that affect answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.reference.cells import FOREVER_AGO
from tests.script.commands import FamilySpec

NEVER_SECONDS = 2147483647


@dataclass(frozen=True)
class Family:
    """A column family."""

    name: bytes
    max_versions: int = 1
    min_versions: int = 0
    ttl_seconds: int | None = None
    keep_deleted: str = "FALSE"
    new_version_behavior: bool = False
    compaction_min_files: int = 2
    compaction_max_files: int = 10
    purge_deletes_after_ms: int = 0
    """Time that a major compaction retains markers (`hbase.hstore.time.to.purge.deletes`)."""
    drop_expired_files: bool = True
    options: Mapping[str, str] = field(default_factory=dict, hash=False)

    def oldest_living(self, now: int) -> int:
        """The oldest timestamp the family's TTL still allows."""
        return FOREVER_AGO if self.ttl_seconds is None else now - self.ttl_seconds * 1000


def family_from(spec: FamilySpec, configuration: Mapping[str, str]) -> Family:
    """The family a `table` command describes, under the configuration set before it."""
    options = {**configuration, **spec.options}
    ttl = int(options.get("TTL", NEVER_SECONDS))
    return Family(
        name=spec.name,
        max_versions=int(options.get("VERSIONS", 1)),
        min_versions=int(options.get("MINV", 0)),
        ttl_seconds=None if ttl == NEVER_SECONDS else ttl,
        keep_deleted=options.get("KDC", "FALSE"),
        new_version_behavior=options.get("NVB", "false").lower() == "true",
        compaction_min_files=max(2, int(options.get("hbase.hstore.compaction.min", 2))),
        compaction_max_files=int(options.get("hbase.hstore.compaction.max", 10)),
        purge_deletes_after_ms=int(options.get("hbase.hstore.time.to.purge.deletes", 0)),
        drop_expired_files=options.get("hbase.store.delete.expired.storefile", "true") == "true",
        options=options,
    )
