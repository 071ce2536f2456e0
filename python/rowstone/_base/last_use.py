"""Heat maps of a directory's last use: written when it is closed, so that other processes can read them."""

from pathlib import Path
from typing import TYPE_CHECKING

from rowstone.errors import RowstoneError

if TYPE_CHECKING:
    from rowstone.admin import Admin

NAME = "HEAT"


def keep(admin: "Admin", path: str) -> None:
    """Write the heat maps of the tables that were read or written. Errors in writing do not prevent closing.

    Args:
        path: The directory; for anything else, such as a URL or ``":memory:"``, nothing is written.
    """
    folder = Path(path)
    if not folder.is_dir():
        return
    try:
        used = [name for name in admin.tables.list() if admin.metrics.was_used(name)]
        if used:
            from rowstone.schema.heat import save  # imported late: few programs that open a directory need it

            save(map(admin.metrics.heat_map, used), folder / NAME)
    except (RowstoneError, OSError):
        return
