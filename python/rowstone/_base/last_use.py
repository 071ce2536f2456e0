"""The heat maps of a directory's last use: written when it is closed, so that they can be looked at from outside."""

from pathlib import Path
from typing import TYPE_CHECKING

from rowstone.errors import RowstoneError

if TYPE_CHECKING:
    from rowstone._admin.admin import Admin

NAME = "HEAT"


def keep(admin: "Admin", path: str) -> None:
    """Writes the maps of the tables that were read or written. What cannot be written is no reason not to close.

    Args:
        path: The directory; something else, such as a URL or ``":memory:"``, keeps nothing.
    """
    folder = Path(path)
    if not folder.is_dir():
        return
    try:
        used = [name for name in admin.tables() if admin._was_used(name)]
        if used:
            from rowstone.heat import save  # few that open a directory need it

            save(map(admin.heat_map, used), folder / NAME)
    except (RowstoneError, OSError):
        return
