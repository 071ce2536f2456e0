"""Calls on Java packages and classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import BeyondSubset, RubyError, UnknownMethod
from rowstone.cli.shell.output.converters import call_bytes
from rowstone.cli.shell.ruby.java.dates import CLASSES
from rowstone.cli.shell.ruby.java.filters import new_filter
from rowstone.cli.shell.ruby.java.names import ENUMERATIONS, EnumValue, JavaClass, Package, filter_names, member
from rowstone.cli.shell.ruby.methods.general import OBJECT
from rowstone.cli.shell.ruby.values.objects import plain, ruby_value

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime
    from rowstone.cli.shell.ruby.values.objects import Proc

JAVA_KINDS = (Package, JavaClass)
"""Target types of `send`."""


def send(run: Runtime, target: Any, name: str, arguments: list[Any], block: Proc | None) -> Any:
    """Call ``target.name(*arguments)`` on a package or a class.

    Raises:
        BeyondSubset: The class has no such method here. The method may raise other errors.
    """
    if isinstance(target, Package):
        if arguments or not name.isidentifier():
            raise UnknownMethod(f"undefined method `{name}' for the package {target.path}")
        return target.member(name)
    if name[0].isupper():
        return member(target, name)
    return _call_class(run, target, name, arguments)


def _call_class(run: Runtime, holder: JavaClass, method: str, arguments: list[Any]) -> Any:
    given = [plain(item) for item in arguments]
    if holder.name == "Bytes":
        return ruby_value(call_bytes(method, given))
    if method == "valueOf" and holder.name in ENUMERATIONS:
        name = str(given[0]) if given else ""
        if name not in ENUMERATIONS[holder.name]:
            raise RubyError(f"No enum constant {holder.path}.{name}", "Java::JavaLang::IllegalArgumentException")
        return EnumValue(holder.name, name)
    if method == "new" and holder.name in filter_names():
        return new_filter(holder, given)
    if method == "new" and holder.path in CLASSES:
        try:
            return CLASSES[holder.path](*given)
        except TypeError:
            raise RubyError(f"no constructor of {holder.path} takes {len(given)} arguments", "ArgumentError") from None
    general = OBJECT.find(method)
    if general is not None:
        general.check_count(len(arguments))
        return general.function(run, holder, *arguments)
    if method == "new":
        raise BeyondSubset(f"the Java class {holder.path}", run.line)
    raise BeyondSubset(f"the Java method {holder.path}.{method}", run.line)
