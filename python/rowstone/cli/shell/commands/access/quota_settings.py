"""Setting and listing quotas, with HBase's rules and messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import hash_of, pattern_of, truth, whole
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.values import inspect, to_s
from rowstone.errors import RowstoneError

if TYPE_CHECKING:
    from rowstone import Quota, SpaceUse
    from rowstone.cli.shell.session import Session

_LIMIT = re.compile(r"(\d+)(req|cu|[bkmgtp])/(sec|min|hour|day)")
_SIZE = re.compile(r"(\d+)([bkmgtp%]?)")
_OWNERS = ("USER", "TABLE", "NAMESPACE", "REGIONSERVER")
_KINDS = ("REQUEST", "WRITE", "READ")
_UNITS = {"sec": "SECONDS", "min": "MINUTES", "hour": "HOURS", "day": "DAYS"}
_SHORT_UNITS = {long: short for short, long in _UNITS.items()}
_SCALES = "bkmgtp"
_POLICIES = ("DISABLE", "NO_WRITES_COMPACTIONS", "NO_WRITES", "NO_INSERTS")
_TABLE = "hbase:quota"
_DISABLED = "Quota Support disabled. Please enable in configuration."


def set_quota(session: Session, options: Any) -> None:
    """Set or remove a quota. Raises `ShellError` if the request is invalid, or for a directory without quotas."""
    given = hash_of(options, "Arguments should be a Hash")
    kind = given.pop("TYPE", None)
    if kind is None and "GLOBAL_BYPASS" not in given:
        raise ShellError("Expected TYPE argument")
    if kind is None:
        arguments = _bypass(given)
    elif kind == "THROTTLE":
        arguments = _throttle(given)
    elif kind == "SPACE":
        arguments = _space(given)
    else:
        raise ShellError(f"Invalid TYPE argument. got {to_s(kind)}")
    try:
        session.admin.quotas.set(**arguments)
    except RowstoneError as error:
        raise ShellError(_DISABLED) if "quota support disabled" in str(error) else error from None


def _bypass(given: dict[Any, Any]) -> dict[str, Any]:
    bypass = truth(given.pop("GLOBAL_BYPASS"))
    if "USER" not in given:
        raise ShellError("Expected USER")
    user = to_s(given.pop("USER"))
    _check_empty(given)
    return {"kind": "GLOBAL_BYPASS", "limit": bypass, "user": user}


def _throttle(given: dict[Any, Any]) -> dict[str, Any]:
    takes_away = given.get("LIMIT") == "NONE"
    arguments: dict[str, Any]
    if takes_away:
        del given["LIMIT"]
        kind = given.pop("THROTTLE_TYPE", None)
        arguments = {"kind": None if kind is None else to_s(kind), "limit": None}
    else:
        arguments = _limit(given.pop("LIMIT", None), to_s(given.pop("THROTTLE_TYPE", "REQUEST")))
        arguments["scope"] = to_s(given.pop("SCOPE", "MACHINE")).upper()
        if arguments["scope"] not in ("MACHINE", "CLUSTER"):
            raise ArgumentMistake("Invalid throttle scope, must be either CLUSTER or MACHINE")
    if not any(name in given for name in _OWNERS):
        raise ShellError("One of USER, TABLE, NAMESPACE or REGIONSERVER must be specified")
    arguments.update(_owner(given))
    if arguments.get("server") and arguments.get("scope") == "CLUSTER":
        raise ArgumentMistake("Invalid region server throttle scope, must be MACHINE")
    _check_empty(given)
    return arguments


def _owner(given: dict[Any, Any]) -> dict[str, Any]:
    """The owner of a quota, as HBase's shell finds it: a user (optionally in a table or namespace), or another kind."""
    owner: dict[str, Any] = {}
    if "USER" in given:
        owner["user"] = to_s(given.pop("USER"))
    for name in ("TABLE", "NAMESPACE"):
        if name in given:
            return {**owner, name.lower(): to_s(given.pop(name))}
    if not owner and given.pop("REGIONSERVER", None) is not None:
        owner["server"] = "all"
    return owner


def _limit(limit: Any, kind: str) -> dict[str, Any]:
    if limit is None:
        raise ShellError("undefined method `downcase' for nil:NilClass", "NoMethodError")
    found = _LIMIT.fullmatch(to_s(limit).lower())
    if found is None:
        raise ArgumentMistake("Invalid throttle limit syntax")
    if kind not in _KINDS:
        raise ArgumentMistake(f"No enum constant org.apache.hadoop.hbase.quotas.ThrottleType.{kind}")
    number = int(found[1])
    suffix = {"req": "NUMBER", "cu": "CAPACITY_UNIT"}.get(found[2], "SIZE")
    if suffix == "SIZE":
        number <<= 10 * _SCALES.index(found[2])
    if number <= 0:
        raise ArgumentMistake("Invalid throttle limit, must be greater than 0")
    return {"kind": f"{kind}_{suffix}", "limit": number, "unit": _UNITS[found[3]]}


def _space(given: dict[Any, Any]) -> dict[str, Any]:
    arguments: dict[str, Any] = {"kind": "SPACE", "limit": None}
    if given.get("LIMIT") != "NONE":
        for name in ("LIMIT", "POLICY"):
            if name not in given:
                raise ArgumentMistake(f"Expected a {name} to be provided")
        arguments |= {"limit": _size(given["LIMIT"]), "policy": to_s(given["POLICY"])}
        if arguments["policy"] not in _POLICIES:
            kind = "org.apache.hadoop.hbase.quotas.SpaceViolationPolicy"
            raise ArgumentMistake(f"No enum constant {kind}.{arguments['policy']}")
    if "TABLE" in given and "NAMESPACE" in given:
        raise ArgumentMistake("Only one of TABLE or NAMESPACE can be specified.")
    for name in ("TABLE", "NAMESPACE"):
        if name in given:
            return {**arguments, name.lower(): to_s(given[name])}
    raise ArgumentMistake("One of TABLE or NAMESPACE must be specified.")


def _size(value: Any) -> int:
    found = _SIZE.fullmatch(to_s(value).lower())
    if found is None:
        raise ArgumentMistake("Invalid size limit syntax")
    size = int(found[1]) << 10 * max(_SCALES.find(found[2] or "b"), 0)
    if size <= 0:
        raise ArgumentMistake("Invalid space limit, must be greater than 0")
    return size


def _check_empty(given: dict[Any, Any]) -> None:
    if given:
        raise ArgumentMistake(f"Unexpected arguments: {inspect(given)}")


def stored_quotas(session: Session, options: dict[Any, Any]) -> list[tuple[str, str]]:
    """Owner and text of every stored quota that the options select. Source: HBase's ``QuotaRetriever``."""
    limit = whole("LIMIT", options.pop("LIMIT")) if options.get("LIMIT") is not None else None
    options.pop("LIMIT", None)
    filters = {name.lower(): pattern_of(options.pop(name)).pattern for name in _OWNERS if name in options}
    _check_empty(options)
    found = [(_owner_text(quota), _text(quota)) for quota in session.admin.quotas.list(**filters)]
    return found if limit is None or limit < 0 else found[:limit]


def print_quotas_of(session: Session, owner: str, name: str, *, gap: bool) -> None:
    """Print the quotas of a described TABLE or NAMESPACE, or that there are none in this database.

    With ``gap``, a blank line comes first. Without it, the header is followed by 0, as in HBase's
    ``describe_namespace``.
    """
    formatter = session.formatter
    if not _is_kept(session):
        return formatter.line("Quota is disabled")
    if gap:
        formatter.line()
    formatter.header(["QUOTAS"])
    if not gap:
        formatter.line(0)
    found = stored_quotas(session, {owner: name})
    for _, text in found:
        formatter.row([text])
    return formatter.footer(len(found))


def _owner_text(quota: Quota) -> str:
    names = {"USER": quota.user, "NAMESPACE": quota.namespace, "TABLE": quota.table, "REGIONSERVER": quota.server}
    return ", ".join(f"{name} => {value}" for name, value in names.items() if value is not None)


def _text(quota: Quota) -> str:
    if quota.kind == "GLOBAL_BYPASS":
        return "GLOBAL_BYPASS => true"
    if quota.kind == "SPACE":
        place = f"TABLE => {quota.table}" if quota.table else f"NAMESPACE => {quota.namespace}"
        size = _size_text(quota.limit or 0)
        return f"TYPE => SPACE, {place}, LIMIT => {size}, VIOLATION_POLICY => {quota.policy}"
    return _throttle_text(quota)


def _throttle_text(quota: Quota) -> str:
    number = quota.limit or 0
    suffixes = {"NUMBER": "req", "UNIT": "CU", "MS": "ms"}
    ending = quota.kind.rpartition("_")[2]
    limit = f"{number}{suffixes[ending]}" if ending in suffixes else _size_text(number)
    scope = f", SCOPE => {quota.scope}" if quota.scope else ""
    unit = _SHORT_UNITS.get(quota.unit or "", str(quota.unit).lower())
    return f"TYPE => THROTTLE, THROTTLE_TYPE => {quota.kind}, LIMIT => {limit}/{unit}{scope}"


def _size_text(size: int) -> str:
    for place in range(len(_SCALES) - 1, 0, -1):
        if size >= 1 << 10 * place:
            return f"{size / (1 << 10 * place):.2f}{_SCALES[place].upper()}"
    return f"{size:.2f}B"


def space_use(session: Session, options: dict[Any, Any]) -> list[SpaceUse]:
    """Space usage of tables, from a server or ``hbase:quota``. Raises `ShellError`."""
    _check_kept(session)
    if options.get("REGIONSERVER") is not None and session.is_cluster:
        found = session.admin.quotas.space_use_on(to_s(options["REGIONSERVER"]))
    else:
        found = session.admin.quotas.space_uses()
    wanted = [(options.get("TABLE"), 2), (options.get("NAMESPACE"), 0)]
    return [
        use
        for use in found
        if all(name is None or (use.table.rpartition(":")[part] or "default") == to_s(name) for name, part in wanted)
    ]


def snapshot_sizes(session: Session) -> dict[str, int]:
    """Bytes that only a snapshot references, per snapshot, from ``hbase:quota``. Raises `ShellError`."""
    _check_kept(session)
    return session.admin.quotas.snapshot_sizes()


def _is_kept(session: Session) -> bool:
    return session.admin.tables.exists(_TABLE)


def _check_kept(session: Session) -> None:
    if not _is_kept(session):
        raise ShellError(f"Unknown table {_TABLE}!")
