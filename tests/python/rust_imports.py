"""Import graph of a crate's modules, and its cycles.

An edge leads from a module to the module that defines a name it uses. A re-export (`pub use`) is followed to its origin
and is not an edge itself: otherwise every folder that re-exports its parts would be a cycle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.python.structure import is_test, product

Module = tuple[str, ...]
Graph = dict[Module, set[Module]]

_USE = re.compile(r"^[ \t]*(pub(?:\([^)]*\))?[ \t]+)?use\s+([^;]+);", re.MULTILINE)
_VISIBLE_IN = re.compile(r"\bpub\([^)]*\)")
_PATH = re.compile(r"(?<![\w:.])(\w+(?:::\w+)+)")


@dataclass
class Names:
    """Names used by one module: imports by local name, re-exports, globs, and paths spelled out in the code."""

    imports: dict[str, Module] = field(default_factory=dict)
    exports: set[str] = field(default_factory=set)
    globs: list[Module] = field(default_factory=list)
    paths: set[Module] = field(default_factory=set)


def split_list(text: str) -> Iterator[str]:
    """Split at the commas outside braces."""
    depth, start = 0, 0
    for place, character in enumerate(text + ","):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            if text[start:place].strip():
                yield text[start:place].strip()
            start = place + 1


def flatten_use(tree: str, prefix: Module = ()) -> Iterator[tuple[Module, str]]:
    """List the paths of a `use` tree, each with its local name."""
    head, brace, rest = tree.partition("{")
    if brace:
        prefix += tuple(part.strip() for part in head.split("::") if part.strip())
        for item in split_list(rest[: rest.rindex("}")]):
            yield from flatten_use(item, prefix)
        return
    path, _, alias = tree.partition(" as ")
    parts = prefix + tuple(part.strip() for part in path.split("::"))
    if parts[-1] == "self":
        parts = parts[:-1]
    yield parts, alias.strip() or parts[-1]


def read_names(file: Path) -> Names:
    """Read the names in one file."""
    text = product(file)
    names = Names()
    for public, tree in _USE.findall(text):
        for path, local in flatten_use(tree):
            if local == "*":
                names.globs.append(path[:-1])
            else:
                names.imports[local] = path
            if public:
                names.exports.add(local)
    names.paths = {tuple(path.split("::")) for path in _PATH.findall(_VISIBLE_IN.sub("", _USE.sub("", text)))}
    return names


class Crate:
    """The modules of a crate by their path; its root is `()`."""

    def __init__(self, source: Path) -> None:
        self.modules: dict[Module, Names] = {}
        for file in sorted(source.rglob("*.rs")):
            if not is_test(file):
                parts = file.relative_to(source).with_suffix("").parts
                self.modules[parts[:-1] if parts[-1] in ("mod", "lib") else parts] = read_names(file)

    def resolve(self, path: Module, start: Module) -> tuple[Module, bool] | None:
        """Resolve `path`, as written in module `start`: the defining module, and whether the path names that module
        itself. `None` outside the crate."""
        here, rest = start, list(path)
        if rest[0] == "crate":
            here, rest = (), rest[1:]
        elif rest[0] in ("super", "self"):
            while rest and rest[0] in ("super", "self"):
                here = here[:-1] if rest.pop(0) == "super" else here
        elif rest[0] not in self.modules[here].imports and (*here, rest[0]) not in self.modules:
            return None
        for index, name in enumerate(rest):
            if (*here, name) in self.modules:
                here = (*here, name)
                continue
            imported = self.modules[here].imports.get(name)
            if imported == (name,):
                return here, False
            if imported:
                return self.resolve((*imported, *rest[index + 1 :]), here) if imported[0] != name else None
            for glob in self.modules[here].globs:
                origin = self.resolve(glob, here)
                found = origin and origin[0] != here and self.resolve(("crate", *origin[0], *rest[index:]), ())
                if found:
                    return found
            return here, False
        return here, True

    def graph(self) -> Graph:
        """The modules that each module imports. An imported module only counts if the code uses a path through it."""
        edges: Graph = {}
        for module, names in self.modules.items():
            imports = [path for local, path in names.imports.items() if local not in names.exports]
            named = [self.resolve(path, module) for path in imports]
            used = [self.resolve(path, module) for path in names.paths]
            targets = {target[0] for target in named if target and not target[1]}
            targets |= {target[0] for target in used if target}
            edges[module] = targets - {module, ()}
        return edges


def reach(graph: Graph, start: Module) -> set[Module]:
    """The modules that `start` imports directly or through others."""
    found: set[Module] = set()
    waiting = [start]
    while waiting:
        fresh = graph[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


def circles(graph: Graph) -> list[list[Module]]:
    """Groups of modules in which each imports every other, directly or through others; the largest first."""
    reached = {module: reach(graph, module) for module in graph}
    groups = {
        tuple(sorted(other for other in reached[module] if module in reached[other]))
        for module in graph
        if module in reached[module]
    }
    return sorted((list(group) for group in groups), key=len, reverse=True)
