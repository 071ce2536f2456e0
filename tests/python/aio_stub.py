"""Generate `python/rowstone/aio/__init__.pyi` from the blocking classes and their stubs: types for editors and mypy.

    python -m tests.python.aio_stub          after a change of a public method; a test compares

Methods that the twin's class statement writes out keep its signature, unless that is made at run time (`signed_as`);
all others get the blocking method's, with `async` in front.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from tests.python.structure import ROOT

PACKAGE = ROOT / "python/rowstone"
STUB = PACKAGE / "aio/__init__.pyi"

HEAD = '''"""Made by `python -m tests.python.aio_stub` from the blocking classes; do not edit."""
'''


@dataclass(frozen=True)
class Source:
    """A module, given by its file below the package."""

    file: str
    base: str | None = None
    """The class, if its name differs from the twin's."""

    @property
    def module(self) -> str:
        return "rowstone." + self.file.rsplit(".", 1)[0].replace("/", ".")

    @property
    def tree(self) -> ast.Module:
        return ast.parse((PACKAGE / self.file).read_text())

    def body(self, name: str) -> list[ast.stmt]:
        wanted = self.base or name
        [found] = [node for node in self.tree.body if isinstance(node, ast.ClassDef) and node.name == wanted]
        return found.body


NATIVE = Source("_native.pyi")
ROWS = Source("_core/table.py", base="_Rows")
AREAS = sorted(
    {file.stem for file in (PACKAGE / "admin/_areas").glob("*.py")} - {"__init__"},
)
# Each twin: its module, and the blocking classes from the base class on.
TWINS: dict[str, tuple[Source, list[Source]]] = {
    "Connecting": (Source("aio/_connect.py"), []),
    **{area.capitalize(): (Source("aio/_admin.py"), [Source(f"admin/_areas/{area}.py")]) for area in AREAS},
    "Admin": (Source("aio/_admin.py"), [Source("admin/_admin.py")]),
    "Index": (Source("aio/_index.py"), [Source("indexes/_index.py")]),
    "IndexQuery": (Source("aio/_index.py"), [Source("indexes/_query.py")]),
    "Database": (Source("aio/_database.py"), [Source("_core/database.py")]),
    "Table": (Source("aio/_table.py"), [NATIVE, ROWS, Source("_core/table.py")]),
    "TableView": (Source("aio/_table.py"), [ROWS, Source("_core/table.py")]),
    "Scanner": (Source("aio/_scanner.py"), [NATIVE]),
    "BufferedWriter": (Source("aio/_writer.py"), [NATIVE]),
}
SHARED = {"Table": "_Rows", "TableView": "_Rows"}
DUNDERS = {
    "__aenter__", "__aexit__", "__aiter__", "__anext__", "__await__", "__bool__", "__getitem__", "__len__",
}  # fmt: skip


class Names:
    """The names that annotations use, with their modules."""

    def __init__(self) -> None:
        self.imports: set[tuple[str, str]] = set()

    def note(self, node: ast.AST, source: Source) -> None:
        """Record the names below ``node``, which is in ``source``."""
        known = dict(self._defined(source))
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in known and part.id not in TWINS:
                self.imports.add((known[part.id], part.id))

    def _defined(self, source: Source) -> Iterator[tuple[str, str]]:
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield from ((alias.asname or alias.name, node.module) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)
        for node in source.tree.body:
            if isinstance(node, ast.ClassDef):
                yield node.name, source.module
            for target in getattr(node, "targets", [getattr(node, "target", None)]):
                if isinstance(target, ast.Name):
                    yield target.id, source.module

    def lines(self) -> str:
        lines = (f"from {module} import {name}" if module else f"import {name}" for module, name in self.imports)
        return "\n".join(sorted(lines))


def functions(body: list[ast.stmt]) -> dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Functions by name, with overloads grouped."""
    found: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.setdefault(node.name, []).append(node)
    return found


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)


def is_signed(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(decorator).startswith("signed_as") for decorator in node.decorator_list)


def declaration(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    *,
    is_async: bool,
    returns: ast.expr | None,
    names: Names,
    source: Source,
) -> ast.stmt:
    """Return the function without its body."""
    decorators = [one for one in node.decorator_list if ast.unparse(one) in ("property", "overload")]
    kind = ast.AsyncFunctionDef if is_async else ast.FunctionDef
    result = kind(
        name=node.name,
        args=node.args,
        body=[ast.Expr(ast.Constant(...))],
        decorator_list=decorators,
        returns=returns,
        type_params=[],
        lineno=0,
    )
    names.note(node.args, source)
    for decorator in decorators:
        names.note(decorator, source)
    return result


def unquoted(annotation: ast.expr | None) -> ast.expr | None:
    """Remove the quotes of a quoted annotation."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def members(name: str, names: Names) -> Iterator[ast.stmt]:
    """Build the twin's members, as they are in a stub."""
    place, blocking = TWINS[name]
    own = functions(place.body(name))
    if name in SHARED:
        own = {**functions(place.body(SHARED[name])), **own}
    yield from attributes(own.get("__init__", []))
    sources: dict[str, tuple[Source, list[ast.FunctionDef | ast.AsyncFunctionDef]]] = {}
    for source in blocking:
        sources |= {method: (source, nodes) for method, nodes in functions(source.body(name)).items()}
    for method in sorted({*own, *sources}):
        if method.startswith("_") and not (method in own and method in DUNDERS):
            continue
        if method in own and not is_signed(own[method][0]):
            yield from written(own[method][0], names, place)
        elif method in own:
            source, nodes = sources[method]
            node = own[method][0]
            names.note(unquoted(node.returns) or node, place)
            is_async = isinstance(node, ast.AsyncFunctionDef)
            yield from (
                declaration(each, is_async=is_async, returns=unquoted(node.returns), names=names, source=source)
                for each in nodes
            )
        else:
            yield from awaited(*sources[method], names)


def attributes(constructors: list[ast.FunctionDef | ast.AsyncFunctionDef]) -> Iterator[ast.stmt]:
    """Declare the public attributes that a constructor assigns: they are twins."""
    for node in (part for one in constructors for part in ast.walk(one)):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Attribute)
            and isinstance(node.value, ast.Call)
        ):
            name = node.targets[0].attr
            if not name.startswith("_"):
                yield ast.AnnAssign(ast.Name(name), annotation=node.value.func, simple=1)


def written(node: ast.FunctionDef | ast.AsyncFunctionDef, names: Names, place: Source) -> Iterator[ast.stmt]:
    """Copy a method that the twin defines itself. For callers, an asynchronous generator is not a coroutine."""
    yields = any(isinstance(part, ast.Yield) for part in ast.walk(node))
    returns = unquoted(node.returns)
    if returns is not None:
        names.note(returns, place)
    is_async = isinstance(node, ast.AsyncFunctionDef) and not yields
    yield declaration(node, is_async=is_async, returns=returns, names=names, source=place)


def awaited(source: Source, nodes: list[ast.FunctionDef | ast.AsyncFunctionDef], names: Names) -> Iterator[ast.stmt]:
    """Convert a blocking method or property to an `async` one."""
    for node in nodes:
        returns = unquoted(node.returns)
        if returns is not None:
            names.note(returns, source)
        if is_property(node):
            names.imports |= {("collections.abc", "Coroutine"), ("typing", "Any")}
            returns = ast.parse(f"Coroutine[Any, Any, {ast.unparse(returns or ast.Constant(None))}]", mode="eval").body
        yield declaration(node, is_async=not is_property(node), returns=returns, names=names, source=source)


def connect(names: Names) -> str:
    """Build the function `connect`."""
    source = Source("_core/connect.py")
    [node] = functions(source.tree.body)["connect"]
    own = functions(Source("aio/_connect.py").tree.body)["connect"][0]
    added = own.args.kwonlyargs[0]
    node.args.kwonlyargs.append(added)
    node.args.kw_defaults.append(ast.Constant(...))
    return ast.unparse(declaration(node, is_async=False, returns=ast.Name("Connecting"), names=names, source=source))


def stub() -> str:
    """Build the text of the stub."""
    names = Names()
    classes = []
    for name in TWINS:
        body = list(members(name, names))
        classes.append(
            ast.unparse(ast.ClassDef(name=name, bases=[], keywords=[], body=body, decorator_list=[], type_params=[]))
        )
    function = connect(names)
    text = "\n".join([HEAD, names.lines(), "", *classes, "", function, ""])
    return _ruff("format", _ruff("check", text, "--select=I", "--fix", "--quiet"))


def _ruff(command: str, text: str, *options: str) -> str:
    line = [sys.executable, "-m", "ruff", command, *options, f"--stdin-filename={STUB}", "-"]
    return subprocess.run(line, input=text, capture_output=True, text=True, cwd=ROOT, check=True).stdout


if __name__ == "__main__":
    STUB.write_text(stub())
