"""Java names used in HBase shell scripts: filters, ``Bytes``, the client, dates. No Java runs."""

from __future__ import annotations

from rowstone.cli.shell.ruby.java.admin import AdminObject
from rowstone.cli.shell.ruby.java.calls import JAVA_KINDS, send
from rowstone.cli.shell.ruby.java.filters import filter_of
from rowstone.cli.shell.ruby.java.names import (
    ROOTS,
    EnumValue,
    JavaClass,
    Package,
    class_named,
    member,
    simple_class,
)
from rowstone.cli.shell.ruby.java.objects import Iterable, JavaObject, ShellObject, Stream

__all__ = [
    "JAVA_KINDS",
    "ROOTS",
    "AdminObject",
    "EnumValue",
    "Iterable",
    "JavaClass",
    "JavaObject",
    "Package",
    "ShellObject",
    "Stream",
    "class_named",
    "filter_of",
    "member",
    "send",
    "simple_class",
]
