"""Limits on requests and on space."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast, get_args

from rowstone import _native
from rowstone.admin._area import Area, table_text
from rowstone.errors import InvalidArgument, InvalidType

ThrottleType = Literal[
    "REQUEST_NUMBER",
    "REQUEST_SIZE",
    "WRITE_NUMBER",
    "WRITE_SIZE",
    "READ_NUMBER",
    "READ_SIZE",
    "REQUEST_CAPACITY_UNIT",
    "READ_CAPACITY_UNIT",
    "WRITE_CAPACITY_UNIT",
    "ATOMIC_READ_SIZE",
    "ATOMIC_WRITE_SIZE",
    "ATOMIC_REQUEST_NUMBER",
    "REQUEST_HANDLER_USAGE_MS",
]
"""HBase's ``ThrottleType``, in the order in which HBase lists limits."""

QuotaKind = ThrottleType | Literal["SPACE", "GLOBAL_BYPASS"]
QuotaUnit = Literal["MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS"]
QuotaScope = Literal["MACHINE", "CLUSTER"]
SpacePolicy = Literal["NO_INSERTS", "NO_WRITES", "NO_WRITES_COMPACTIONS", "DISABLE"]
"""HBase's ``SpaceViolationPolicy``."""

_THROTTLES: tuple[ThrottleType, ...] = get_args(ThrottleType)
_SPACE: Literal["SPACE"] = "SPACE"
_BYPASS: Literal["GLOBAL_BYPASS"] = "GLOBAL_BYPASS"
_KINDS: tuple[QuotaKind, ...] = (*_THROTTLES, _SPACE, _BYPASS)
_OWNERS = ("user", "table", "namespace", "server")
_Word = TypeVar("_Word", bound=str)


@dataclass(frozen=True)
class Quota:
    """A limit of a user, a table, a namespace, all servers, or a user in a table or a namespace.

    ``kind`` is HBase's ``ThrottleType``, and ``limit`` the amount per ``unit`` of time; or ``SPACE``, and ``limit`` the
    bytes of store files beyond which ``policy`` is in force; or ``GLOBAL_BYPASS``: the user is exempt from all limits
    except the user's own.
    """

    kind: QuotaKind
    limit: int | None = None
    unit: QuotaUnit | None = None
    scope: QuotaScope | None = None
    policy: SpacePolicy | None = None
    user: str | None = None
    table: str | None = None
    namespace: str | None = None
    server: str | None = None


@dataclass(frozen=True)
class SpaceUse:
    """Space that a table uses, and its limit; ``policy`` is the one in force while it uses more, else None."""

    table: str
    usage_bytes: int
    limit_bytes: int
    policy: SpacePolicy | None


class Quotas(Area):
    """Quotas of a user, a table, a namespace, all servers, or a user in a table or a namespace: ``db.admin.quotas``.

    A directory supports them with the setting ``hbase.quota.enabled``, as in HBase; without it calls raise
    `UnsupportedOperation`. Servers enforce limits on requests, for their clients. Directories and clusters enforce
    limits on space.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:", configuration={"hbase.quota.enabled": True}) as db:
        ...     _ = db.create_table("t", ["f"])
        ...     db.admin.quotas.set("WRITE_NUMBER", 100, user="ann", table="t")
        ...     db.admin.quotas.set("SPACE", 1 << 30, policy="NO_INSERTS", table="t")
        ...     print([(quota.kind, quota.limit, quota.user) for quota in db.admin.quotas.list()])
        [('SPACE', 1073741824, None), ('WRITE_NUMBER', 100, 'ann')]
    """

    def list(
        self,
        *,
        user: str | None = None,
        table: str | None = None,
        namespace: str | None = None,
        server: str | None = None,
    ) -> builtins.list[Quota]:
        """Return all limits, or those whose owners match, in the order of ``hbase:quota``.

        That order is namespaces, servers, tables, users.

        Args:
            user: Limits of users whose whole name matches this regular expression: their own, and those in tables and
                namespaces; with ``table`` or ``namespace`` only those in matching tables or namespaces.
            table, namespace, server: Without ``user``, limits of matching ones; the first that is given counts.

        Needs permission to read ``hbase:quota``. Source: HBase's ``Admin.getQuota``, ``QuotaFilter``. Raises
        `InvalidArgument` for an invalid regular expression.
        """
        patterns = {"user": user, "table": table, "namespace": namespace, "server": server}
        filters = {name: _native.Pattern(pattern) for name, pattern in patterns.items() if pattern is not None}
        found: list[Quota] = []
        for names, throttles, bypass, space in self._quotas.all():
            owner = dict(zip(_OWNERS, names, strict=True))
            if _passes(owner, filters):
                found += _quotas_of(owner, throttles, bypass, space)
        return found

    def set(
        self,
        kind: QuotaKind | None,
        limit: int | bool | None,
        *,
        unit: QuotaUnit = "SECONDS",
        scope: QuotaScope = "MACHINE",
        policy: SpacePolicy | None = None,
        user: str | None = None,
        table: str | None = None,
        namespace: str | None = None,
        server: str | None = None,
    ) -> None:
        """Set a limit, or remove it if ``limit`` is None. HBase's words are also accepted in lower case.

        Args:
            kind: For requests HBase's ``ThrottleType`` (``REQUEST_NUMBER``, ``WRITE_SIZE``, ``READ_CAPACITY_UNIT``, …),
                for the space of files ``SPACE``; or ``GLOBAL_BYPASS``, with a ``limit`` of True or False. None, with a
                ``limit`` of None, removes all limits on requests.
            limit: Number of requests, bytes, or capacity units of 1 KiB.
            unit: The time that a limit on requests applies to: ``MILLISECONDS``, ``SECONDS``, ``MINUTES``, ``HOURS`` or
                ``DAYS``.
            scope: Of a limit on requests: ``MACHINE``, for each server, or ``CLUSTER``.
            policy: Restriction beyond a limit on space: ``NO_INSERTS``, ``NO_WRITES``, ``NO_WRITES_COMPACTIONS`` or
                ``DISABLE``.
            user, table, namespace: The owner of the limit: one of them, or a user in a table or in a namespace. A limit
                on space belongs to a table or a namespace, ``GLOBAL_BYPASS`` to a user.
            server: ``"all"``, alone: a limit on the requests of every server, with scope ``MACHINE``.

        Raises:
            InvalidArgument: An unknown kind, unit, scope or policy, an argument that does not belong to the kind, no
                owner or too many, or a limit on requests below 1. Nothing was changed.
            InvalidType: An argument has the wrong type. Nothing was changed.
            UnsupportedOperation: Quotas are not enabled. Nothing was changed.

        Source: HBase's ``Admin.setQuota``.
        """
        kind = None if kind is None else _word("kind", kind, _KINDS)
        unit, scope = _word("unit", unit, get_args(QuotaUnit)), _word("scope", scope, get_args(QuotaScope))
        policy = None if policy is None else _word("policy", policy, get_args(SpacePolicy))
        _check_belongs(kind, unit, scope, policy)
        owner = (user, table, namespace, server)
        _check_owner(kind, dict(zip(_OWNERS, owner, strict=True)))
        if kind == _BYPASS:
            self._quotas.set_bypass(owner, _truth(limit))
        elif kind == _SPACE:
            self._quotas.set_space(owner, _space(_number(limit), policy))
        else:
            self._quotas.set_throttle(owner, kind, _timed(kind, limit, unit, scope, server))

    def space_sizes(self) -> dict[str, int]:
        """Return the bytes of each table's files, as quotas count them. Source: ``Admin.getSpaceQuotaTableSizes``."""
        return dict(self._quotas.space_sizes())

    def space_uses(self) -> builtins.list[SpaceUse]:
        """Return the space used by tables with a limit, of their own or of their namespace, from ``hbase:quota``.

        A cluster updates it every minute. A directory updates it when files change; after an automatic flush or
        compaction it follows a moment later. Source: ``QuotaTableUtil.getSnapshots``.
        """
        return [
            SpaceUse(table, usage, limit, cast("SpacePolicy | None", policy))
            for table, usage, limit, policy in self._quotas.space_uses()
        ]

    def snapshot_sizes(self) -> dict[str, int]:
        """Return the bytes that only each snapshot of a limited table keeps. Source: ``QuotaTableUtil``."""
        return dict(self._quotas.snapshot_sizes())

    def space_use_on(self, server: str) -> builtins.list[SpaceUse]:
        """Return tables' space as a region server sees it. Source: ``Admin.getRegionServerSpaceQuotaSnapshots``."""
        found = self._server(server, "GetSpaceQuotaSnapshots").get("snapshots", [])
        return [_space_use(table_text(one["table_name"]), one.get("snapshot", {})) for one in found]

    @property
    def _quotas(self) -> _native.Quotas:
        return self._cluster.quotas()


def _quotas_of(
    owner: dict[str, Any],
    throttles: list[tuple[str, int, str, str | None]],
    bypass: bool | None,
    space: tuple[int, str] | None,
) -> Iterator[Quota]:
    for kind, limit, unit, scope in sorted(throttles, key=lambda throttle: _THROTTLES.index(throttle[0])):
        in_words = cast("tuple[ThrottleType, int, QuotaUnit, QuotaScope | None]", (kind, limit, unit, scope))
        yield Quota(*in_words, **owner)
    if bypass:
        yield Quota(_BYPASS, None, **owner)
    if space is not None:
        yield Quota(_SPACE, space[0], policy=cast("SpacePolicy", space[1]), **owner)


def _passes(owner: dict[str, str | None], filters: dict[str, _native.Pattern]) -> bool:
    def matches(name: str) -> bool:
        value = owner[name]
        return value is not None and filters[name].matches(value)

    chosen = [name for name in ("table", "namespace", "server") if name in filters]
    if "user" in filters:
        inside = [name for name in chosen if name != "server"]
        return matches("user") and (not inside or any(map(matches, inside)))
    return not chosen or (owner["user"] is None and matches(chosen[0]))


def _word(name: str, value: _Word, words: tuple[_Word, ...]) -> _Word:
    """The word as HBase spells it."""
    if not isinstance(value, str):
        raise InvalidType(f"{name} must be a str, not {type(value).__name__}")
    for word in words:
        if word == value.upper():
            return word
    raise InvalidArgument(f"there is no {name} {value!r}; there are: {', '.join(words)}")


def _check_belongs(kind: QuotaKind | None, unit: QuotaUnit, scope: QuotaScope, policy: SpacePolicy | None) -> None:
    """Refuse arguments that limits of this kind do not have; defaults do not count."""
    given = {"unit": unit != "SECONDS", "scope": scope != "MACHINE", "policy": policy is not None}
    own = ("policy",) if kind == _SPACE else () if kind == _BYPASS else ("unit", "scope")
    for name, is_given in given.items():
        if is_given and name not in own:
            raise InvalidArgument(f"`{name}` does not belong to {kind or 'limits on requests'}")


def _check_owner(kind: QuotaKind | None, owner: dict[str, str | None]) -> None:
    """Refuse owners for which HBase's ``QuotaSettingsFactory`` has no limits of this kind."""
    for name, value in owner.items():
        if value is not None and not isinstance(value, str):
            raise InvalidType(f"{name} must be a str, not {type(value).__name__}")
    given = [name for name, value in owner.items() if value is not None]
    if kind == _BYPASS and given != ["user"]:
        raise InvalidArgument("GLOBAL_BYPASS applies to users only; pass `user=`, alone")
    if kind == _SPACE and given not in (["table"], ["namespace"]):
        raise InvalidArgument("a limit on space needs either `table=` or `namespace=`, and no other owner")
    if len(given) != 1 and given not in (["user", "table"], ["user", "namespace"]):
        names = "`user=`, `table=`, `namespace=` or `server=`"
        raise InvalidArgument(f"a limit on requests needs one of {names}, or `user=` with a table or a namespace")


def _truth(limit: int | bool | None) -> bool:
    if limit is None or isinstance(limit, bool):
        return bool(limit)
    raise InvalidType(f"the limit of GLOBAL_BYPASS must be a bool or None, not {type(limit).__name__}")


def _number(limit: int | bool | None, least: int = 0) -> int | None:
    if limit is None:
        return None
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise InvalidType(f"a limit must be an int, not {type(limit).__name__}")
    if not least <= limit < 1 << 63:
        raise InvalidArgument(f"a limit of {limit} is not from {least} to 2^63-1")
    return limit


def _timed(
    kind: QuotaKind | None, limit: int | bool | None, unit: QuotaUnit, scope: QuotaScope, server: str | None
) -> tuple[int | None, str, str | None] | None:
    if limit is None:
        return None
    if kind is None:
        raise InvalidArgument(f"a limit of {limit} needs a kind: {', '.join(_KINDS)}")
    if server is not None and (server != "all" or scope != "MACHINE"):
        raise InvalidArgument("a limit of servers needs `server='all'` and the scope MACHINE")
    return _number(limit, least=1), unit, scope


def _space(limit_bytes: int | None, policy: SpacePolicy | None) -> tuple[int, str] | None:
    if limit_bytes is None:
        return None
    if policy is None:
        raise InvalidArgument("a space limit needs a `policy`, such as 'NO_INSERTS'")
    return limit_bytes, policy


def _space_use(table: str, message: dict[str, Any]) -> SpaceUse:
    status = message.get("status", {})
    policy = status.get("policy") if status.get("in_violation") else None
    return SpaceUse(table, message.get("usage", 0), message.get("limit", 0), policy)
