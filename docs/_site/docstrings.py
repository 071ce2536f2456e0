"""Extension of griffe: docstrings as the project writes them.

The stub of `rowstone._native` has no docstrings, so they are taken from the built extension. Two sections are written
in their short form in the sources: `Example:` holds prompts, and `Raises:` may list several errors in one sentence.
"""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^(\s*)Example:$", re.MULTILINE)
_RAISES = re.compile(r"^Raises:\n((?:    .*\n?)+)", re.MULTILINE)
_PAIR = re.compile(r"    \w+: ")


class Docstrings(griffe.Extension):
    """Completes the docstrings of the package before they are parsed."""

    def on_module(self, *, mod: griffe.Module, **_: Any) -> None:
        """Take the docstrings that the stub leaves out from the extension."""
        if mod.path != "rowstone._native":
            return
        native = importlib.import_module("rowstone._native")
        for name, member in mod.members.items():
            if member.is_alias or not hasattr(native, name):
                continue
            built = getattr(native, name)
            describe(member, built)
            if member.is_class:
                for inner, each in member.members.items():
                    if not each.is_alias and inner in vars(built):
                        describe(each, getattr(built, inner))

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Write sections in the form that the parser reads."""
        if obj.docstring is not None:
            obj.docstring.value = sections(obj.docstring.value)


def describe(member: Any, built: object) -> None:
    """Set the docstring that the stub leaves out."""
    text = inspect.getdoc(built)
    if member.docstring is None and text:
        member.docstring = griffe.Docstring(sections(text), parent=member)


def sections(text: str) -> str:
    """The text with `Examples:`, and errors in a sentence as a paragraph of their own."""
    return _RAISES.sub(_sentence, _EXAMPLE.sub(r"\1Examples:", text))


def _sentence(section: re.Match[str]) -> str:
    lines = section[1].rstrip("\n").split("\n")
    if all(_PAIR.match(line) or line.startswith("     ") for line in lines):
        return section[0]
    return "**Raises:** " + " ".join(line.strip() for line in lines) + "\n"
