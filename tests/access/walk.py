"""Permission matrix: every operation by users with one permission in one scope, with verdicts and messages.

`prepare` creates tables and grants; `walk` tries each operation as each user. It runs on any target of
`rowstone.connect`. The verdicts of a real HBase are in `verdicts.json`, recorded by `python -m tests.access.record`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import rowstone as rs
from rowstone import errors
from rowstone._base.schema import native_families

RECORDED = Path(__file__).parent / "verdicts.json"
KEEPER = "keeper"
NOBODY = "nobody"

RIGHTS = ("R", "W", "X", "C", "A", "RW")
PLACES: Mapping[str, Mapping[str, str]] = {
    "G": {},
    "N": {"namespace": "ns"},
    "T": {"table": "ns:t"},
    "F": {"table": "ns:t", "family": "f"},
    "Q": {"table": "ns:t", "family": "f", "qualifier": "q"},
}
USERS: Mapping[str, tuple[str, str]] = {
    f"{right.lower()}_at_{place.lower()}": (right, place) for place in PLACES for right in RIGHTS
}
"""Users by permission and scope; in addition there is a user without permissions."""

Connect = Callable[[str], rs.Database]
Verdicts = dict[str, dict[str, str]]


def prepare(db: rs.Database) -> None:
    """Makes, as the keeper, what the walk walks over."""
    db.admin.namespaces.create("ns")
    db.create_table("ns:t", ["f", "g"], splits=["g", "p"])
    db.create_table("ns:off", ["f"])
    db.create_table("other", ["f", "g"])
    table = db.table("ns:t")
    table.put("row", {"f:p": "1", "f:q": "2", "g:q": "3"})
    db.table("other").put("row", {"f:q": "4"})
    db.admin.snapshot("kept", "ns:t")
    db.admin.snapshot("kept_off", "ns:off")
    db.admin.disable_table("ns:off")
    for user, (right, place) in USERS.items():
        db.admin.permissions.grant(user, right, **PLACES[place])
        if place in ("T", "F", "Q"):
            # A second table that is disabled already, for what needs that.
            db.admin.permissions.grant(user, right, **{**PLACES[place], "table": "ns:off"})


def _native(db: rs.Database) -> Any:
    return db._native.admin()


def _alter(db: rs.Database) -> None:
    families = native_families({b"f": rs.Family(max_versions=1), b"g": rs.Family(max_versions=1)})
    _native(db).alter_table("ns:t", families, {}, {}, _native(db).describe("ns:t"))


def _scan_columns(db: rs.Database, **options: Any) -> str:
    with db.table("ns:t").scan(**options) as rows:
        return " ".join(column.decode() for row in rows for column in sorted(row))


def _listed(names: list[str], name: str) -> str:
    return "allowed" if name in names else "hidden"


def _split(db: rs.Database) -> None:
    # The row is in another region.
    db.admin.regions.split(db.admin.regions.list("ns:t")[0], "z")


def _merge(db: rs.Database) -> None:
    # The two regions are not adjacent.
    db.admin.regions.merge(db.admin.regions.list("ns:t")[::2])


def _balance(db: rs.Database) -> str:
    # For a user without permission, HBase does nothing and answers that it did not run.
    return "allowed" if db.admin.regions.balance() else "denied"


def _check(db: rs.Database) -> None:
    db.table("ns:t").check_and_mutate("row", "f:q", "=", "never", rs.Put("row", {"f:q": "x"}))


OPERATIONS: Mapping[str, Callable[[rs.Database, str], Any]] = {
    "createTable": lambda db, user: db.create_table("ns:t", ["f"]),
    "createTable elsewhere": lambda db, user: db.create_table("other", ["f"]),
    "deleteTable": lambda db, user: _native(db).drop_table("ns:t"),
    "truncateTable": lambda db, user: _native(db).truncate_table("ns:t", False),
    "enableTable": lambda db, user: db.admin.enable_table("ns:t"),
    "disableTable": lambda db, user: db.admin.disable_table("ns:off"),
    "getTableDescriptors": lambda db, user: db.admin.describe("ns:t"),
    "getTableNames": lambda db, user: _listed(db.tables(), "ns:t"),
    "flushTable": lambda db, user: db.admin.flush("ns:t"),
    "split": lambda db, user: _split(db),
    "mergeRegions": lambda db, user: _merge(db),
    "snapshot": lambda db, user: db.admin.snapshot(f"of_{user}", "ns:t"),
    "listSnapshot": lambda db, user: _listed([one.name for one in db.admin.snapshots.list()], "kept"),
    "cloneSnapshot": lambda db, user: db.admin.snapshots.clone("kept", f"clone_{user}"),
    "restoreSnapshot": lambda db, user: db.admin.snapshots.restore("kept_off"),
    "deleteSnapshot": lambda db, user: db.admin.snapshots.delete("kept"),
    "balance": lambda db, user: _balance(db),
    "balanceSwitch": lambda db, user: db.admin.switches.set("balancer", False),
    "createNamespace": lambda db, user: db.admin.namespaces.create("ns"),
    "deleteNamespace": lambda db, user: db.admin.namespaces.drop("ns"),
    "modifyNamespace": lambda db, user: _native(db).alter_namespace("ns", {}),
    "getNamespaceDescriptor": lambda db, user: db.admin.namespaces.describe("ns"),
    "listNamespaces": lambda db, user: _listed([name for name, _ in _native(db).namespaces()], "ns"),
    "get": lambda db, user: db.table("ns:t").get("row", columns=["f:q"]),
    "get all": lambda db, user: " ".join(column.decode() for column in sorted(db.table("ns:t").get("row"))),
    "exists": lambda db, user: db.table("ns:t").exists("row", columns=["f:q"]),
    "scan": lambda db, user: _scan_columns(db, columns=["f:q"]),
    "scan family": lambda db, user: _scan_columns(db, columns=["f"]),
    "scan all": lambda db, user: _scan_columns(db),
    "scan elsewhere": lambda db, user: list(db.table("other").scan()),
    "put": lambda db, user: db.table("ns:t").put("row", {"f:q": "2"}),
    "put two families": lambda db, user: db.table("ns:t").put("row", {"f:q": "2", "g:q": "3"}),
    "delete": lambda db, user: db.table("ns:t").delete("none", ["f:q"]),
    "delete family": lambda db, user: db.table("ns:t").delete("none", ["f"]),
    "delete row": lambda db, user: db.table("ns:t").delete("none"),
    "increment": lambda db, user: db.table("ns:t").increment("count", "f:q"),
    "append": lambda db, user: db.table("ns:t").append("text", {"f:q": "x"}),
    "checkAndPut": lambda db, user: _check(db),
    "grant": lambda db, user: db.admin.permissions.grant("somebody", "R", **PLACES["Q"]),
    "grant table": lambda db, user: db.admin.permissions.grant("somebody", "R", **PLACES["T"]),
    "grant namespace": lambda db, user: db.admin.permissions.grant("somebody", "R", **PLACES["N"]),
    "grant global": lambda db, user: db.admin.permissions.grant("somebody", "R"),
    "grant a superuser": lambda db, user: db.admin.permissions.grant(KEEPER, "R", **PLACES["Q"]),
    "revoke": lambda db, user: db.admin.permissions.revoke("somebody", **PLACES["Q"]),
    "userPermissions": lambda db, user: db.admin.permissions.list(**PLACES["Q"]),
    "userPermissions global": lambda db, user: db.admin.permissions.list(),
    "hasPermission of another": lambda db, user: db.admin.permissions.has("R", user="somebody", **PLACES["Q"]),
    "hasPermission": lambda db, user: str(db.admin.permissions.has("R", **PLACES["Q"])),
    "modifyTable": lambda db, user: _alter(db),
    "get after modifyTable": lambda db, user: db.table("ns:t").get("row", columns=["f:q"]),
}  # fmt: skip
"""The operations in order. Each allowed one fails for another reason, so that nothing changes."""

EFFECTS: Mapping[str, Callable[[rs.Database], bool]] = {
    "balanceSwitch": lambda keeper: not keeper.admin.switches.get("balancer"),
}
"""Results that the keeper checks after each allowed operation, because HBase refuses some silently."""

AFTERWARDS: Mapping[str, Callable[[rs.Database], Any]] = {
    "balanceSwitch": lambda keeper: keeper.admin.switches.set("balancer", True),
    "deleteSnapshot": lambda keeper: keeper.admin.snapshot("kept", "ns:t"),
}
"""Operations of the keeper after each allowed one, to restore the state."""


def verdict(work: Callable[[rs.Database, str], Any], db: rs.Database, user: str) -> str:
    """``"allowed"``, the result, or ``"denied"``; with the message for the user without permissions."""
    try:
        outcome = work(db, user)
    except errors.AccessDenied as refused:
        return f"denied: {sentence(refused)}" if user == NOBODY else "denied"
    except errors.SnapshotNotFound:
        # A restore does not name its table: the client, as HBase's, searches the snapshots that it may see.
        return "denied"
    except errors.RowstoneError:
        # Allowed, and then something else was in the way.
        return "allowed"
    return outcome if isinstance(outcome, str) and outcome else "allowed"


def sentence(refused: errors.AccessDenied) -> str:
    """The message, without the client's prefix and Java's stack trace."""
    text = str(refused).partition("\n")[0].strip()
    return text[max(0, text.find("Insufficient permissions")) :]


def walk(connect: Connect) -> Verdicts:
    """The verdicts by operation and user."""
    databases = {user: connect(user) for user in (NOBODY, *USERS, KEEPER)}
    try:
        found: Verdicts = {}
        for name, work in OPERATIONS.items():
            for user, db in databases.items():
                said = verdict(work, db, user)
                if said == "allowed" and name in EFFECTS and not EFFECTS[name](databases[KEEPER]):
                    said = "denied"
                found.setdefault(name, {})[user] = said
                if said == "allowed" and name in AFTERWARDS:
                    AFTERWARDS[name](databases[KEEPER])
        return found
    finally:
        for db in databases.values():
            with suppress(errors.RowstoneError):
                db.close()


def recorded(file: Path = RECORDED) -> Verdicts:
    """The recorded verdicts of a real HBase."""
    found: Verdicts = json.loads(file.read_text())
    return found


DIFFERENCES: Mapping[str, str] = {
    "get after modifyTable": "HBase gives all rights in a table to who alters it, as if he had made it",
}
"""Operations of which we decide otherwise, and why."""


def compared(ours: Verdicts, theirs: Verdicts) -> list[str]:
    """Differences between two walks."""
    return [
        f"{name} as {user}: {found}, not {theirs[name][user]}"
        for name, users in ours.items()
        if name not in DIFFERENCES
        for user, found in users.items()
        if not _alike(found, theirs[name][user])
    ]


def _alike(one: str, other: str) -> bool:
    """Refusals without a message are equal to any."""
    return one == other or ("denied" in (one, other) and one[:6] == other[:6])
