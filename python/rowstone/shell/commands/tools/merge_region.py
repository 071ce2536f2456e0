"""``merge_region``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake, ShellError
from rowstone.shell.maintenance import region_named
from rowstone.shell.values import inspect, is_text, kind_of

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Makes one region of several that lie side by side in one table; with true also of such that do not.

  hbase> merge_region 'REGIONNAME', 'REGIONNAME'
  hbase> merge_region 'ENCODED_REGIONNAME', 'ENCODED_REGIONNAME', true
  hbase> merge_region ['REGIONNAME', 'REGIONNAME', 'REGIONNAME'], true
"""


def command(session: Session, *arguments: Any) -> None:
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
    session.admin.merge_regions(regions, force=bool(force))
