"""Groups of keyword options: functions check the names, know all defaults, and each key is documented."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args

import pytest

import rowstone as rs
from rowstone import errors, jobs
from rowstone._base.options import check_names, select, with_defaults
from rowstone._core.cluster import ClientOptions
from rowstone._core.options import DIRECTORY_DEFAULTS
from rowstone.jobs import _options as groups_of_jobs
from rowstone.server import dashboard, rest, thrift
from rowstone.server import options as groups_of_servers
from rowstone.server.thrift import _options as groups_of_thrift

Function = Callable[..., Any]

GROUPS: dict[Function, Any] = {
    rs.connect: rs.ConnectOptions,
    rs.serve: rs.server.ServeOptions,
    dashboard.serve: rs.server.AccessOptions,
    rest.serve: rs.server.AccessOptions,
    thrift.serve: thrift.ThriftOptions,
    jobs.compare_tables: jobs.SplitOptions,
    jobs.copy_table: jobs.ResumeOptions,
    jobs.compare_hashes: jobs.ParallelOptions,
    jobs.count_rows: jobs.SplitOptions,
    jobs.hash_table: jobs.ParallelOptions,
    jobs.summarize_table: jobs.SplitOptions,
    jobs.import_file: jobs.ImportOptions,
    jobs.export_table: jobs.ExportOptions,
}
"""The functions with grouped options."""

DEFAULTS: list[tuple[Any, Any]] = [
    (rs.DirectoryOptions, DIRECTORY_DEFAULTS),
    (rs.server.AccessOptions, groups_of_servers.ACCESS_DEFAULTS),
    (thrift.ThriftOptions, groups_of_thrift.DEFAULTS),
    (jobs.ParallelOptions, groups_of_jobs.PARALLEL_DEFAULTS),
    (jobs.SplitOptions, groups_of_jobs.SPLIT_DEFAULTS),
    (jobs.ResumeOptions, groups_of_jobs.RESUME_DEFAULTS),
    (jobs.ImportOptions, groups_of_jobs.IMPORT_DEFAULTS),
    (jobs.ExportOptions, groups_of_jobs.EXPORT_DEFAULTS),
]
_KEYS = re.compile(r"^        (\w+): ", re.MULTILINE)
_LINK = re.compile(r"`(?:rowstone\.)?(?:server\.)?(\w+)`")


FUNCTIONS = [pytest.param(function, id=f"{function.__module__}.{function.__name__}") for function in GROUPS]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_annotation_names_the_group(function: Function) -> None:
    annotation = function.__annotations__["options"]
    if isinstance(annotation, str):
        assert annotation == f"Unpack[{GROUPS[function].__name__}]"
    else:
        assert get_args(annotation) == (GROUPS[function],)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_unknown_option_is_refused_with_a_hint(function: Function) -> None:
    """Nothing is opened or read before."""
    key = max(sorted(GROUPS[function].__optional_keys__), key=len)
    required = function.__code__.co_argcount - len(function.__defaults__ or ())
    targets = [":memory:"] * required
    with pytest.raises(errors.InvalidType, match=rf"^{function.__name__}\(\) .*'{key}_'; did you mean '{key}'\?$"):
        function(*targets, **{f"{key}_": None})


@pytest.mark.parametrize(("group", "defaults"), DEFAULTS, ids=lambda value: getattr(value, "__name__", ""))
def test_every_option_has_a_default(group: Any, defaults: dict[str, Any]) -> None:
    assert defaults.keys() == group.__optional_keys__


PUBLIC = [rs.ClusterOptions, rs.ConnectOptions, rs.DirectoryOptions, thrift.ThriftOptions]
PUBLIC += [getattr(rs.server, name) for name in ("AccessOptions", "GatewayPorts", "ServeOptions", "ServerLimits")]
PUBLIC += [getattr(jobs, name) for name in jobs.__all__ if name.endswith("Options")]


def documented(group: Any) -> set[str]:
    """The keys that the docstring of a group lists, and those of the groups that it names."""
    text = group.__doc__
    found, named = set(_KEYS.findall(text)), set(_LINK.findall(text))
    return found.union(*(documented(other) for other in PUBLIC if other is not group and other.__name__ in named))


@pytest.mark.parametrize("group", PUBLIC, ids=lambda group: group.__name__)
def test_every_key_is_documented(group: Any) -> None:
    assert group.__optional_keys__ <= documented(group)


def test_serve_accepts_every_option_of_connect() -> None:
    """Except the TLS of a cluster, because a server has its own."""
    keywords = {*rs.connect.__kwdefaults__, *rs.ConnectOptions.__optional_keys__}
    assert keywords - rs.server.ServeOptions.__optional_keys__ == {"tls", "storage_options"}
    assert rs.ClusterOptions.__optional_keys__ - ClientOptions.__optional_keys__ == {"tls"}


def test_no_option_is_also_a_parameter() -> None:
    for function, group in GROUPS.items():
        names = function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]
        assert not group.__optional_keys__ & set(names)


def test_defaults_fill_what_is_not_given() -> None:
    defaults: jobs.ParallelOptions = {"workers": 1, "executor": None}
    assert with_defaults(jobs.compare_tables, {"workers": 2}, defaults) == {"workers": 2, "executor": None}
    assert defaults == {"workers": 1, "executor": None}


def test_an_option_may_be_none() -> None:
    """None is a value, and not replaced by the default."""
    defaults: jobs.ImportOptions = {"durability": "FSYNC_WAL"}
    assert with_defaults(jobs.import_file, {"durability": None}, defaults) == {"durability": None}


def test_a_group_selects_its_own_options() -> None:
    assert select({"rest_port": 0, "max_calls": 5}, rs.server.GatewayPorts) == {"rest_port": 0}


def test_a_name_unlike_any_other_has_no_hint() -> None:
    with pytest.raises(errors.InvalidType, match=r"^serve\(\) got an unexpected keyword argument 'zzz'$"):
        check_names(rs.serve, ["zzz"], ["workers"])


@pytest.mark.parametrize("target", [":memory:", "hbase://localhost:1"])
def test_refused_options_of_a_store_do_not_show_their_secrets(target: str) -> None:
    with pytest.raises(errors.UnsupportedOperation) as refusal:
        rs.connect(target, storage_options={"aws_secret_access_key": "hidden"})
    assert "hidden" not in str(refusal.value)
    assert "storage_options=..." in str(refusal.value)
