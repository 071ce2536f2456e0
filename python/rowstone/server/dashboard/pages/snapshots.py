"""``/snapshots``: the snapshots of tables, and the commands that clone or restore one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._base.printable import counted
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import link, section, table
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import moment, since

if TYPE_CHECKING:
    from rowstone.admin import Snapshot

_HEADINGS = ("Snapshot", "Table", "Taken (UTC)", "Expires after", "Owner")


def body(site: Site, request: Request) -> Markup:
    found = sorted(site.database.admin.snapshots.list(), key=lambda one: -one.created_ms)
    tables = set(site.database.admin.tables.list())
    columns = len(_HEADINGS) if any(one.owner for one in found) else len(_HEADINGS) - 1
    rows = [
        [
            link(f"{address_of('snapshots', name=one.name)}#commands", one.name),
            link(address_of("tables", one.table), one.table) if one.table in tables else one.table,
            moment(one.created_ms),
            since(one.ttl_seconds) if one.ttl_seconds else "never",
            one.owner,
        ][:columns]
        for one in found
    ]
    listed = table(_HEADINGS[:columns], rows, empty="There are no snapshots.")
    wanted = request.query.get("name", "")
    chosen = next((one for one in found if one.name == wanted), found[0] if found else None)
    commands = Markup("") if chosen is None else _commands(chosen)
    return joined([markup("<h1>Snapshots</h1>"), section(counted(len(rows), "snapshot"), listed), commands])


def _commands(snapshot: Snapshot) -> Markup:
    """The commands for one snapshot, as text to copy."""
    name, restored, copy = snapshot.name, snapshot.table, f"{snapshot.table}_copy"
    clone = (
        ("Python", f"db.admin.snapshots.clone({name!r}, {copy!r})"),
        ("Shell", f"clone_snapshot '{name}', '{copy}'"),
    )
    restore = (
        (
            "Python",
            f"db.admin.disable_table({restored!r})\ndb.admin.snapshots.restore({name!r})\n"
            f"db.admin.enable_table({restored!r})",
        ),
        ("Shell", f"disable '{restored}'\nrestore_snapshot '{name}'\nenable '{restored}'"),
    )
    return markup(
        '<div id="commands">{}{}</div>',
        section(f"Clone snapshot {name}", _lines(clone), note="Creates a new table. No data is copied."),
        section(
            f"Restore snapshot {name}",
            _lines(restore),
            note=f"Resets table {restored} to the snapshot. Its present data is lost.",
        ),
    )


def _lines(commands: tuple[tuple[str, str], ...]) -> Markup:
    return table(("", "Command"), [(where, markup("<pre>{}</pre>", text)) for where, text in commands])
