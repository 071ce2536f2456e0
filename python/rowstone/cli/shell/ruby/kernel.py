"""Functions that a script calls without a receiver: ``puts``, ``format``, ``raise``, ``loop``, ``import``, ``exit``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import BeyondSubset, Exit, RubyError, UnknownName
from rowstone.cli.shell.ruby.java import JavaClass, class_named
from rowstone.cli.shell.ruby.methods.general import OBJECT
from rowstone.cli.shell.ruby.methods.others import random_number
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.syntax.tokens import words
from rowstone.cli.shell.ruby.values.conversions import integer, number, strict_integer, text
from rowstone.cli.shell.ruby.values.objects import ClassReference, ErrorObject, Hash, Proc
from rowstone.cli.shell.values import Symbol, inspect, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime

KERNEL = MethodTable(OBJECT)

BEYOND = words(
    "at_exit attr_accessor attr_reader attr_writer autoload binding callcc catch class_eval define_method"
    " define_singleton_method eval exec extend fork gets instance_eval instance_exec instance_variable_get"
    " instance_variable_set load method method_missing open private protected public readline readlines refine"
    " require_relative select set_trace_func singleton_class spawn syscall system test throw trace_var trap using"
)
"""Functions and methods of Ruby that this shell does not have."""

BEYOND_CONSTANTS = words(
    "ARGF BigDecimal Binding CSV Complex ConditionVariable Date DateTime Digest Dir ENV Etc Fiber File FileTest"
    " FileUtils GC IO IRB JRuby JSON Logger Marshal Method Mutex Net ObjectSpace Open3 OpenStruct OptionParser"
    " Pathname Process Queue Ractor Rational RbConfig STDIN SecureRandom Set Shellwords Signal Socket StringIO Struct"
    " Tempfile Thread Timeout Tracer URI Warning YAML Zlib"
)
"""Classes of Ruby that this shell does not have."""

_LIBRARIES = frozenset(["date", "english", "hbase", "irb", "java", "jruby", "pp", "rubygems", "shell", "time"])


# --- output


@KERNEL.define("puts")
def _puts(run: Runtime, target: Any, *values: Any) -> None:
    if not values or values == ([],):
        run.write("\n")
    _write_lines(run, values, ())


def _write_lines(run: Runtime, values: Any, around: tuple[int, ...]) -> None:
    for value in values:
        if isinstance(value, (list, tuple)):
            if id(value) in around:
                run.write("[...]\n")
            else:
                _write_lines(run, value, (*around, id(value)))
        else:
            line = to_s(value)
            run.write(line if line.endswith("\n") else f"{line}\n")


@KERNEL.define("print")
def _print(run: Runtime, target: Any, *values: Any) -> None:
    for value in values:
        run.write(to_s(value))


@KERNEL.define("p", "pp")
def _p(run: Runtime, target: Any, *values: Any) -> Any:
    for value in values:
        run.write(f"{inspect(value)}\n")
    return values[0] if len(values) == 1 else list(values) or None


@KERNEL.define("printf")
def _printf(run: Runtime, target: Any, *values: Any) -> None:
    if values:
        run.write(run.send(target, "format", list(values)))


@KERNEL.define("warn")
def _warn(run: Runtime, target: Any, *values: Any) -> None:
    for value in values:
        run.session.warn(to_s(value))


@KERNEL.define("format", "sprintf")
def _format(run: Runtime, target: Any, form: Any, *values: Any) -> str:
    from rowstone.cli.shell.ruby.values.formats import format_text  # seldom needed

    return format_text(text(form), list(values))


# --- control


@KERNEL.define("raise", "fail")
def _raise(run: Runtime, target: Any, *given: Any) -> None:
    if not given:
        error = run.current_error or ErrorObject("RuntimeError", "")
        raise RubyError(error.message, error.kind)
    first = given[0]
    message = to_s(given[1]) if len(given) > 1 else None
    if isinstance(first, str):
        raise RubyError(str(first))
    if isinstance(first, ClassReference) and run.is_error_kind(first.name):
        raise RubyError(first.name if message is None else message, first.name)
    if isinstance(first, ErrorObject):
        raise RubyError(first.message if message is None else message, first.kind)
    raise RubyError("exception class/object expected", "TypeError")


@KERNEL.define("loop", waits=True)
def _loop(run: Runtime, target: Any, *, block: Proc | None = None) -> Any:
    needed = run.needed(block)
    while True:
        try:
            run.call(needed)
        except RubyError as error:
            if error.kind != "StopIteration":
                raise
            return None


@KERNEL.define("lambda", "proc")
def _proc(run: Runtime, target: Any, *, block: Proc | None = None) -> Proc:
    return run.needed(block)


@KERNEL.define("sleep")
def _sleep(run: Runtime, target: Any, seconds: Any = None) -> int:
    if seconds is None:
        raise RubyError("sleep without a time would never end", "ArgumentError")
    wait = number(seconds)
    if wait < 0 or wait != wait:
        raise RubyError("time interval must be positive", "ArgumentError")
    run.flush()
    time.sleep(min(wait, 1e9))
    return round(wait)


@KERNEL.define("exit", "quit", "exit!", "irb_exit")
def _exit(run: Runtime, target: Any, status: Any = 0) -> None:
    if isinstance(status, int) and not isinstance(status, bool):
        raise Exit(status)
    raise Exit(0 if status is True or status is None else 1)


@KERNEL.define("abort")
def _abort(run: Runtime, target: Any, message: Any = None) -> None:
    if message is not None:
        run.session.warn(to_s(message))
    raise Exit(1)


# --- conversions


@KERNEL.define("Integer")
def _integer(run: Runtime, target: Any, value: Any, base: Any = 10) -> int:
    if value is None:
        raise RubyError("can't convert nil into Integer", "TypeError")
    return strict_integer(value, integer(base)) if isinstance(value, str) else integer(value)


@KERNEL.define("Float")
def _float(run: Runtime, target: Any, value: Any) -> float:
    return number(value)


@KERNEL.define("String")
def _string(run: Runtime, target: Any, value: Any) -> str:
    return to_s(value)


@KERNEL.define("Array")
def _array(run: Runtime, target: Any, value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else value.pairs() if isinstance(value, Hash) else run.splat(value)


@KERNEL.define("Hash")
def _hash(run: Runtime, target: Any, value: Any) -> Hash:
    return value if isinstance(value, Hash) else Hash()


@KERNEL.define("rand")
def _rand(run: Runtime, target: Any, limit: Any = None) -> Any:
    return random_number(run, limit)


@KERNEL.define("srand")
def _srand(run: Runtime, target: Any, seed: Any = 0) -> int:
    import random  # seldom needed

    random.seed(integer(seed))
    return 0


# --- libraries and Java


@KERNEL.define("require")
def _require(run: Runtime, target: Any, library: Any) -> bool:
    name = text(library)
    if name.lower() in _LIBRARIES:
        return False
    raise BeyondSubset(f"the library '{name}'", run.line)


@KERNEL.define("include")
def _include(run: Runtime, target: Any, module: Any) -> ClassReference:
    if isinstance(module, ClassReference) and module.name in ("Java", "Kernel", "Math", "Comparable", "Enumerable"):
        return ClassReference("Object")
    raise BeyondSubset(f"'include' of {inspect(module)}", run.line)


@KERNEL.define("import", "java_import", "include_class")
def _import(run: Runtime, target: Any, *classes: Any) -> list[Any]:
    found = []
    for item in (inner for given in classes for inner in (given if isinstance(given, list) else [given])):
        known = class_named(item) if isinstance(item, str) else item
        if not isinstance(known, JavaClass):
            raise UnknownName(f"cannot import {inspect(item)}: name a class")
        run.constants[known.name] = known
        found.append(known)
    return found


# --- the shell


@KERNEL.define("help")
def _help(run: Runtime, target: Any, topic: Any = None) -> None:
    run.session.help(topic)


@KERNEL.define("tools")
def _tools(run: Runtime, target: Any) -> None:
    run.session.help("tools")


@KERNEL.define("debug")
def _debug(run: Runtime, target: Any) -> None:
    run.session.debug = not run.session.debug
    _is_debug(run, target)


@KERNEL.define("debug?")
def _is_debug(run: Runtime, target: Any) -> None:
    run.write(f"Debug mode is {'ON' if run.session.debug else 'OFF'}\n\n")


@KERNEL.define("caller")
def _caller(run: Runtime, target: Any) -> list[str]:
    return []


@KERNEL.define("local_variables")
def _local_variables(run: Runtime, target: Any) -> list[Symbol]:
    return [Symbol(name) for name in run.variables]


@KERNEL.define("global_variables")
def _global_variables(run: Runtime, target: Any) -> list[Symbol]:
    return [Symbol(name) for name in run.globals if name.startswith("$")]


FUNCTIONS = tuple(sorted(KERNEL.names() - OBJECT.names()))
"""The names of all functions."""
