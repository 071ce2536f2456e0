"""The async twins have the public names of the blocking classes, and their stub matches them."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone import aio
from rowstone.admin._area import Area
from rowstone.aio._twin import public_names
from tests.python import aio_stub
from tests.python.test_stub import parameters, runtime_parameters

AREAS = [area.__name__ for area in Area.__subclasses__()]
PAIRS = [
    (rs.Admin, aio.Admin),
    *((getattr(rs.admin, name), getattr(aio, name)) for name in AREAS),
    (rs.Database, aio.Database),
    (rs.indexes.Index, aio.Index),
    (rs.indexes.IndexQuery, aio.IndexQuery),
    (rs.Table, aio.Table),
    (rs.TableView, aio.TableView),
    (rs.Scanner, aio.Scanner),
    (rs.BufferedWriter, aio.BufferedWriter),
]
NOT_AWAITED = {
    "Database": {"admin", "closed", "configuration", "coprocessors", "path", "read_only", "table"},
    "Index": {"definition", "name", "query"},
    "IndexQuery": {"explain"},
    "Table": {"as_of", "batch", "items", "keys", "name", "scan", "schema"},
    "TableView": {"items", "keys", "name", "scan", "schema", "timestamp"},
    "Scanner": {"closed", "pairs"},
}
"""Names that are not coroutine functions: they never block, or are used with `async for` or `async with`. `schema` is
an awaitable property."""


def test_the_stub_is_up_to_date() -> None:
    assert aio_stub.stub() == aio_stub.STUB.read_text(), "run python -m tests.python.aio_stub"


@pytest.mark.parametrize(("blocking", "twin"), PAIRS, ids=lambda value: value.__name__)
def test_every_public_name_has_its_twin(blocking: type, twin: type) -> None:
    assert set(public_names(blocking)) == set(public_names(twin))
    coroutines = {
        name for name in public_names(twin) if inspect.iscoroutinefunction(inspect.getattr_static(twin, name))
    }
    assert set(public_names(twin)) - coroutines == NOT_AWAITED.get(twin.__name__, set())


def methods() -> Iterator[tuple[type, type, str]]:
    for blocking, twin in PAIRS:
        for name in public_names(twin):
            if callable(inspect.getattr_static(blocking, name)):
                yield blocking, twin, name


@pytest.mark.parametrize(
    ("blocking", "twin", "name"), list(methods()), ids=lambda value: getattr(value, "__name__", value)
)
def test_methods_have_the_same_parameters_and_docstrings(blocking: type, twin: type, name: str) -> None:
    ours, theirs = inspect.getattr_static(twin, name), inspect.getattr_static(blocking, name)
    assert runtime_parameters(ours) == runtime_parameters(theirs)
    assert inspect.getdoc(ours)


@pytest.mark.parametrize(("blocking", "twin"), PAIRS, ids=lambda value: value.__name__)
def test_no_method_returns_a_blocking_object(blocking: type, twin: type) -> None:
    """A new method that returns an iterator or a context manager needs its own async version."""
    for name in set(public_names(blocking)) - NOT_AWAITED.get(twin.__name__, set()):
        member = inspect.getattr_static(blocking, name)
        annotations = getattr(member, "__annotations__", {})
        returned = str(annotations.get("return", ""))
        assert not any(
            word in returned for word in ("Iterator", "Generator", "Scanner", "ContextManager", "IndexQuery")
        ), name


def test_the_stub_matches_at_run_time() -> None:
    for node in ast.parse(aio_stub.STUB.read_text()).body:
        if not isinstance(node, ast.ClassDef):
            continue
        twin = getattr(aio, node.name)
        declared = {part.name: part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))}
        assert {name for name in declared if not name.startswith("_")} == set(public_names(twin))
        for name, function in declared.items():
            member = inspect.getattr_static(twin, name)
            if isinstance(member, property):
                continue
            assert isinstance(function, ast.AsyncFunctionDef) == inspect.iscoroutinefunction(member), name
            stated = parameters(function)  # type: ignore[arg-type]
            if function.args.kwarg:
                stated.append((function.args.kwarg.arg, None))
            actual = dict(runtime_parameters(member))
            stated = [(key, actual[key] if default == "..." else default) for key, default in stated]
            assert stated == list(actual.items()), name


def test_connect_has_the_blocking_parameters_and_threads() -> None:
    taken = runtime_parameters(aio.connect)
    assert ("threads", "8") in taken
    assert [parameter for parameter in taken if parameter[0] != "threads"] == runtime_parameters(rs.connect)


def test_rowstone_alone_does_not_import_asyncio() -> None:
    script = "import sys, rowstone; assert 'asyncio' not in sys.modules; rowstone.aio.connect; rowstone.happybase"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_other_names_are_missing() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        rs.nonsense  # type: ignore[attr-defined] # noqa: B018
