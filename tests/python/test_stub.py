"""The binding's stub matches the binary: names, parameters, defaults."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone
from rowstone import _native

STUB = Path(rowstone.__file__).with_name("_native.pyi")
# Attributes of every class, or names for type checkers only.
IGNORED = {
    "__class__", "__delattr__", "__dir__", "__doc__", "__eq__", "__format__", "__ge__", "__getattribute__",
    "__getstate__", "__gt__", "__hash__", "__init__", "__init_subclass__", "__le__", "__lt__", "__module__", "__ne__",
    "__new__", "__reduce__", "__reduce_ex__", "__repr__", "__setattr__", "__sizeof__", "__str__", "__subclasshook__",
    "__weakref__", "__firstlineno__", "__static_attributes__",
}  # fmt: skip


def stub_classes() -> dict[str, ast.ClassDef]:
    return {node.name: node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ClassDef)}


def stub_functions(body: list[ast.stmt]) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def parameters(function: ast.FunctionDef) -> list[tuple[str, str | None]]:
    """(name, default) of each parameter, with `*` before the keyword-only ones, and without self and cls."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + [ast.unparse(node) for node in arguments.defaults]
    found = list(zip([argument.arg for argument in positional], defaults, strict=True))
    if found and found[0][0] in ("self", "cls"):
        del found[0]
    if arguments.kwonlyargs:
        found.append(("*", None))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append((argument.arg, None if default is None else ast.unparse(default)))
    return found


def runtime_parameters(function: object) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    for name, parameter in inspect.signature(function).parameters.items():  # type: ignore[arg-type]
        if name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and ("*", None) not in found:
            found.append(("*", None))
        default = None if parameter.default is parameter.empty else repr(parameter.default)
        found.append((name, default))
    return found


def native_classes() -> dict[str, type]:
    return {name: value for name, value in vars(_native).items() if isinstance(value, type)}


def signatures() -> Iterator[tuple[str, ast.FunctionDef, object]]:
    for name, function in stub_functions(ast.parse(STUB.read_text()).body).items():
        yield name, function, getattr(_native, name)
    for name, node in stub_classes().items():
        native = getattr(_native, name)
        for method, function in stub_functions(node.body).items():
            decorators = {ast.unparse(decorator) for decorator in function.decorator_list}
            if "property" in decorators:
                continue
            if method == "__new__":
                yield name, function, native
            elif not method.startswith("__"):
                yield f"{name}.{method}", function, inspect.getattr_static(native, method)


def test_the_same_names() -> None:
    functions = set(stub_functions(ast.parse(STUB.read_text()).body))
    public = {name for name in vars(_native) if not name.startswith("__")}
    assert functions | set(stub_classes()) == public


@pytest.mark.parametrize("name", sorted(native_classes()))
def test_the_same_members(name: str) -> None:
    node = stub_classes()[name]
    native = native_classes()[name]
    members = set(vars(native)) - IGNORED
    assert set(stub_functions(node.body)) - IGNORED == members
    for method, function in stub_functions(node.body).items():
        is_property = any(ast.unparse(decorator) == "property" for decorator in function.decorator_list)
        assert is_property == inspect.isdatadescriptor(inspect.getattr_static(native, method, None)), method


@pytest.mark.parametrize(("name", "function", "native"), [pytest.param(*case, id=case[0]) for case in signatures()])
def test_the_same_parameters(name: str, function: ast.FunctionDef, native: object) -> None:
    if isinstance(native, staticmethod):
        native = native.__func__
    stated = parameters(function)
    actual = runtime_parameters(native)
    # An overload writes `...` if another one has the default.
    assert [(name, dict(actual)[name] if default == "..." else default) for name, default in stated] == actual
