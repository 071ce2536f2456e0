"""Heat maps of a directory's last use: written when it is closed, so that other processes can read them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rowstone import _native
from rowstone.errors import RowstoneError

if TYPE_CHECKING:
    from rowstone.schema.heat import HeatMap

NAME = "HEAT"


def keep(database: _native.Database, path: str, heat_map: "Callable[[str], HeatMap]") -> None:
    """Write the heat maps of the tables that were read or written. Errors of the disk do not prevent closing.

    Args:
        heat_map: Returns the heat map of a table.
        path: The directory; for anything else, such as a URL or ``":memory:"``, nothing is written.
    """
    folder = Path(path)
    try:
        # This raises on a disk that has failed.
        if not folder.is_dir():
            return
        admin, cluster = database.admin(), database.cluster_admin()
        used = [name for name in admin.tables(None) if any(cluster.heat(name))]
        if used:
            from rowstone.schema.heat import save  # imported late: few programs that open a directory need it

            save(map(heat_map, used), folder / NAME)
    except (RowstoneError, OSError):
        return
