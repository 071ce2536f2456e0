"""Methods of strings and symbols.

A string never changes. ``text << more`` and the methods with ``!`` assign a new string to the variable or element
before them (see `interpreter`). Another variable with the same string keeps the old one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.methods.general import COMPARABLE
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.values.conversions import bounds, integer, leading_float, leading_integer, text
from rowstone.cli.shell.ruby.values.objects import (
    MOST_CHARACTERS,
    Hash,
    MatchData,
    Proc,
    Regex,
    compare,
    equal,
)
from rowstone.cli.shell.ruby.values.regexes import expanded, pattern_of, regex
from rowstone.cli.shell.ruby.values.succession import successor, texts_between
from rowstone.cli.shell.values import Symbol, bytes_of, inspect, is_text, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime

STRING = MethodTable(COMPARABLE)
SYMBOL = MethodTable(COMPARABLE)

CHANGING = {
    "<<": "+", "concat": "__append", "upcase!": "upcase", "downcase!": "downcase", "capitalize!": "capitalize",
    "swapcase!": "swapcase", "strip!": "strip", "lstrip!": "lstrip", "rstrip!": "rstrip", "chomp!": "chomp",
    "chop!": "chop", "gsub!": "gsub", "sub!": "sub", "tr!": "tr", "delete!": "delete", "squeeze!": "squeeze",
    "reverse!": "reverse", "succ!": "succ", "next!": "succ", "insert": "__insert", "prepend": "__prepend",
    "replace": "__replace", "clear": "__clear", "slice!": "__without",
}  # fmt: skip
"""Methods that change a string, mapped to those that return the changed copy."""

_STRIPPED = " \t\n\v\f\r\0"


def _plain(method: str, compute: Callable[[str], Any]) -> None:
    @STRING.define(*method.split())
    def apply(run: Runtime, target: str) -> Any:
        return compute(target)


_plain("length size", len)
_plain("upcase", str.upper)
_plain("downcase", str.lower)
_plain("swapcase", str.swapcase)
_plain("capitalize", lambda target: target[:1].upper() + target[1:].lower())
_plain("strip", lambda target: target.strip(_STRIPPED))
_plain("lstrip", lambda target: target.lstrip(_STRIPPED))
_plain("rstrip", lambda target: target.rstrip(_STRIPPED))
_plain("chop", lambda target: target[:-2] if target.endswith("\r\n") else target[:-1])
_plain("reverse", lambda target: target[::-1])
_plain("empty?", lambda target: not target)
_plain("to_s to_str itself", lambda target: target)
_plain("to_sym intern", Symbol)
_plain("to_f", leading_float)
_plain("succ next", successor)
_plain("chars", list)
_plain("bytes", lambda target: list(bytes_of(target)))
_plain("bytesize", lambda target: len(bytes_of(target)))
_plain("lines", lambda target: target.splitlines(keepends=True))
_plain("hex", lambda target: leading_integer(target, 16))
_plain("oct", lambda target: leading_integer(target, 8))
_plain("dump", inspect)
_plain("ascii_only?", str.isascii)
_plain("unicode_normalize scrub b -@ +@", lambda target: target)
_plain("valid_encoding?", lambda target: not any(0xDC80 <= ord(letter) <= 0xDCFF for letter in target))
_plain("__clear", lambda target: "")


@STRING.define("to_i")
def _to_i(run: Runtime, target: str, base: Any = 10) -> int:
    return leading_integer(target, integer(base))


@STRING.define("ord")
def _ord(run: Runtime, target: str) -> int:
    if not target:
        raise RubyError("empty string", "ArgumentError")
    return ord(target[0])


@STRING.define("sum")
def _sum(run: Runtime, target: str) -> int:
    return sum(bytes_of(target)) & 0xFFFF


@STRING.define("encoding")
def _encoding(run: Runtime, target: str) -> Symbol:
    return Symbol("UTF-8")


@STRING.define("force_encoding", "encode", "unpack_encoding")
def _force_encoding(run: Runtime, target: str, *names: Any) -> str:
    return target


@STRING.define("getbyte")
def _getbyte(run: Runtime, target: str, place: Any) -> int | None:
    data, at = bytes_of(target), integer(place)
    return data[at] if -len(data) <= at < len(data) else None


@STRING.define("getBytes")
def _get_bytes(run: Runtime, target: str, encoding: Any = None) -> bytes:
    return bytes_of(target)


# --- operators


@STRING.define("+")
def _plus(run: Runtime, target: str, other: Any) -> str:
    more = text(other)
    if len(target) + len(more) > MOST_CHARACTERS:
        raise RubyError(f"a text has at most {MOST_CHARACTERS:,} characters here", "RangeError")
    return target + more


@STRING.define("*")
def _repeat(run: Runtime, target: str, count: Any) -> str:
    times = integer(count)
    if times < 0 or times * len(target) > MOST_CHARACTERS:
        raise RubyError("negative argument" if times < 0 else "argument too big", "ArgumentError")
    return target * times


@STRING.define("%")
def _format(run: Runtime, target: str, arguments: Any) -> str:
    from rowstone.cli.shell.ruby.values.formats import format_text  # seldom needed

    return format_text(target, arguments if isinstance(arguments, list) else [arguments])


@STRING.define("==", "===", "eql?")
def _equal(run: Runtime, target: str, other: Any) -> bool:
    return equal(target, other)


@STRING.define("casecmp")
def _casecmp(run: Runtime, target: str, other: Any) -> int | None:
    return compare(target.lower(), other.lower()) if is_text(other) else None


@STRING.define("casecmp?", "equalsIgnoreCase")
def _same_letters(run: Runtime, target: str, other: Any) -> bool | None:
    return bool(target.casefold() == other.casefold()) if is_text(other) else None


@STRING.define("=~")
def _match_place(run: Runtime, target: str, pattern: Any) -> int | None:
    if is_text(pattern):
        raise RubyError("type mismatch: String given", "TypeError")
    if not isinstance(pattern, Regex):
        return None
    found = run.matched(pattern.pattern.search(target))
    return None if found is None else found.match.start()


@STRING.define("match")
def _match(run: Runtime, target: str, pattern: Any) -> MatchData | None:
    wanted = pattern if isinstance(pattern, Regex) else regex(text(pattern))
    return run.matched(wanted.pattern.search(target))


@STRING.define("match?")
def _is_match(run: Runtime, target: str, pattern: Any) -> bool:
    wanted = pattern if isinstance(pattern, Regex) else regex(text(pattern))
    return wanted.pattern.search(target) is not None


# --- parts


@STRING.define("[]", "slice")
def _slice(run: Runtime, target: str, place: Any, length: Any = None) -> str | None:
    if isinstance(place, Regex):
        found = run.matched(place.pattern.search(target))
        if found is None:
            return None
        group: Any = 0 if length is None else str(length) if isinstance(length, str) else integer(length)
        try:
            part: str | None = found.match.group(group)
        except IndexError:
            return None
        return part
    if is_text(place):
        return str(place) if place in target else None
    limits = bounds(place, length, len(target))
    return None if limits is None else target[limits[0] : limits[1]]


@STRING.define("__without")
def _without(run: Runtime, target: str, place: Any, length: Any = None) -> str:
    if isinstance(place, (Regex, str)):
        return pattern_of(place).sub("", target, count=1)
    limits = bounds(place, length, len(target))
    return target if limits is None else target[: limits[0]] + target[limits[1] :]


@STRING.define("__with")
def _with(run: Runtime, target: str, place: Any, *given: Any) -> str:
    """The string after ``target[place] = value``."""
    value = text(given[-1])
    if isinstance(place, (Regex, str)):
        if pattern_of(place).search(target) is None:
            raise RubyError("string not matched", "IndexError")
        return pattern_of(place).sub(lambda _: value, target, count=1)
    limits = bounds(place, given[0] if len(given) > 1 else None, len(target))
    if limits is None:
        raise RubyError(f"index {to_s(place)} out of string", "IndexError")
    return target[: limits[0]] + value + target[limits[1] :]


@STRING.define("__insert")
def _insert(run: Runtime, target: str, place: Any, other: Any) -> str:
    at = integer(place)
    if not -len(target) - 1 <= at <= len(target):
        raise RubyError(f"index {at} out of string", "IndexError")
    at = at if at >= 0 else len(target) + 1 + at
    return target[:at] + text(other) + target[at:]


@STRING.define("__append")
def _append(run: Runtime, target: str, *others: Any) -> str:
    for other in others:
        target = _plus(run, target, other)
    return target


@STRING.define("__prepend")
def _prepend(run: Runtime, target: str, *others: Any) -> str:
    return "".join(map(text, others)) + target


@STRING.define("__replace")
def _replace(run: Runtime, target: str, other: Any) -> str:
    return text(other)


@STRING.define("chomp")
def _chomp(run: Runtime, target: str, suffix: Any = None) -> str:
    if suffix is not None:
        return target.removesuffix(text(suffix))
    return target[:-2] if target.endswith("\r\n") else target[:-1] if target.endswith(("\n", "\r")) else target


@STRING.define("chr")
def _first(run: Runtime, target: str) -> str:
    return target[:1]


@STRING.define("delete_prefix")
def _delete_prefix(run: Runtime, target: str, prefix: Any) -> str:
    return target.removeprefix(text(prefix))


@STRING.define("delete_suffix")
def _delete_suffix(run: Runtime, target: str, suffix: Any) -> str:
    return target.removesuffix(text(suffix))


@STRING.define("split")
def _split(run: Runtime, target: str, separator: Any = None, limit: Any = 0) -> list[str]:
    most = integer(limit)
    if separator is None or separator == " ":
        pieces = target.split(None, most - 1) if most > 0 else target.split()
        if most < 0 and target[-1:].isspace():
            pieces.append("")
        return pieces
    pattern = pattern_of(separator)
    if not target:
        return []
    if pattern.pattern == "":
        pieces = list(target) if most <= 0 else [*target[: most - 1], target[most - 1 :]][:most]
        return [*pieces, ""] if most < 0 else [piece for piece in pieces if piece or most > 0]
    pieces = _pieces(pattern, target, most)
    if most == 0:
        while pieces and not pieces[-1]:
            pieces.pop()
    return pieces


def _pieces(pattern: re.Pattern[str], target: str, most: int) -> list[str]:
    pieces: list[str] = []
    begin = 0
    for match in pattern.finditer(target):
        if most > 0 and len(pieces) >= most - 1:
            break
        if match.end() == match.start() and match.start() in (0, begin, len(target)):
            continue
        pieces += [target[begin : match.start()], *(group for group in match.groups() if group is not None)]
        begin = match.end()
    return [*pieces, target[begin:]]


@STRING.define("partition")
def _partition(run: Runtime, target: str, separator: Any) -> list[str]:
    match = pattern_of(separator).search(target)
    if match is None:
        return [target, "", ""]
    return [target[: match.start()], match.group(), target[match.end() :]]


@STRING.define("rpartition")
def _rpartition(run: Runtime, target: str, separator: Any) -> list[str]:
    found = list(pattern_of(separator).finditer(target))
    if not found:
        return ["", "", target]
    match = found[-1]
    return [target[: match.start()], match.group(), target[match.end() :]]


# --- search and replacement


@STRING.define("include?", "contains")
def _include(run: Runtime, target: str, other: Any) -> bool:
    return text(other) in target


@STRING.define("start_with?", "startsWith")
def _start_with(run: Runtime, target: str, *prefixes: Any) -> bool:
    return any(
        prefix.pattern.match(target) is not None if isinstance(prefix, Regex) else target.startswith(text(prefix))
        for prefix in prefixes
    )


@STRING.define("end_with?", "endsWith")
def _end_with(run: Runtime, target: str, *suffixes: Any) -> bool:
    return target.endswith(tuple(map(text, suffixes)))


@STRING.define("index", "indexOf")
def _index(run: Runtime, target: str, wanted: Any, begin: Any = 0) -> int | None:
    at = integer(begin)
    at = at + len(target) if at < 0 else at
    match = pattern_of(wanted).search(target, at) if 0 <= at <= len(target) else None
    return None if match is None else match.start()


@STRING.define("rindex")
def _rindex(run: Runtime, target: str, wanted: Any) -> int | None:
    places = [match.start() for match in pattern_of(wanted).finditer(target)]
    return places[-1] if places else None


@STRING.define("scan")
def _scan(run: Runtime, target: str, pattern: Any, *, block: Proc | None = None) -> Any:
    found: list[Any] = []
    for match in pattern_of(pattern).finditer(target):
        item: Any = list(match.groups()) if match.re.groups else match.group()
        if block is None:
            found.append(item)
        else:
            run.matched(match)
            run.call(block, item)
    return found if block is None else target


@STRING.define("gsub")
def _gsub(run: Runtime, target: str, pattern: Any, other: Any = None, *, block: Proc | None = None) -> str:
    return _substituted(run, target, pattern, other, block, 0)


@STRING.define("sub")
def _sub(run: Runtime, target: str, pattern: Any, other: Any = None, *, block: Proc | None = None) -> str:
    return _substituted(run, target, pattern, other, block, 1)


def _substituted(run: Runtime, target: str, pattern: Any, other: Any, block: Proc | None, count: int) -> str:
    if other is None and block is None:
        raise RubyError("wrong number of arguments (given 1, expected 2)", "ArgumentError")

    def replacement(match: re.Match[str]) -> str:
        if isinstance(other, Hash):
            return to_s(other.get(match.group()))
        if other is not None:
            return expanded(match, text(other))
        run.matched(match)
        return to_s(run.call(run.needed(block), match.group()))

    return pattern_of(pattern).sub(replacement, target, count=count)


def _letters(specification: str) -> tuple[str, bool]:
    """The letters that ``a-z`` or ``^a-z`` stands for, and whether the set is negated."""
    negated = len(specification) > 1 and specification[0] == "^"
    inside, found, place = specification[1:] if negated else specification, list[str](), 0
    while place < len(inside):
        if inside[place + 1 : place + 2] == "-" and place + 2 < len(inside):
            first, last = ord(inside[place]), ord(inside[place + 2])
            if first > last or last - first > 0x10000:
                raise RubyError(
                    f'invalid range "{inside[place : place + 3]}" in string transliteration', "ArgumentError"
                )
            found += map(chr, range(first, last + 1))
            place += 3
        else:
            found.append(inside[place])
            place += 1
    return "".join(found), negated


@STRING.define("tr")
def _tr(run: Runtime, target: str, letters: Any, others: Any) -> str:
    wanted, negated = _letters(text(letters))
    given = _letters(text(others))[0]
    if negated:
        return "".join(letter if letter in wanted else given[-1:] for letter in target)
    padded = given + given[-1:] * (len(wanted) - len(given))
    table = {letter: padded[place] if padded else "" for place, letter in reversed(list(enumerate(wanted)))}
    return "".join(table.get(letter, letter) for letter in target)


@STRING.define("delete")
def _delete(run: Runtime, target: str, letters: Any) -> str:
    wanted, negated = _letters(text(letters))
    return "".join(letter for letter in target if (letter in wanted) == negated)


@STRING.define("count")
def _count(run: Runtime, target: str, letters: Any) -> int:
    wanted, negated = _letters(text(letters))
    return sum((letter in wanted) != negated for letter in target)


@STRING.define("squeeze")
def _squeeze(run: Runtime, target: str, letters: Any = None) -> str:
    wanted = None if letters is None else _letters(text(letters))[0]
    return "".join(
        letter
        for place, letter in enumerate(target)
        if place == 0 or target[place - 1] != letter or (wanted is not None and letter not in wanted)
    )


# --- width, iteration, bytes


def _padding(width: Any, target: str, filling: Any) -> str:
    size, pad = integer(width) - len(target), text(filling)
    if not pad:
        raise RubyError("zero width padding", "ArgumentError")
    if size > MOST_CHARACTERS:
        raise RubyError("argument too big", "ArgumentError")
    return (pad * (max(size, 0) // len(pad) + 1))[: max(size, 0)]


@STRING.define("ljust")
def _ljust(run: Runtime, target: str, width: Any, filling: Any = " ") -> str:
    return target + _padding(width, target, filling)


@STRING.define("rjust")
def _rjust(run: Runtime, target: str, width: Any, filling: Any = " ") -> str:
    return _padding(width, target, filling) + target


@STRING.define("center")
def _center(run: Runtime, target: str, width: Any, filling: Any = " ") -> str:
    padding = _padding(width, target, filling)
    left = padding[: len(padding) // 2]
    return left + target + _padding(len(padding) - len(left), "", filling)


@STRING.define("upto", waits=True)
def _upto(run: Runtime, target: str, last: Any, *, block: Proc | None = None) -> str:
    for item in texts_between(target, text(last), excludes_end=False):
        run.call(run.needed(block), item)
    return target


def _each(names: str, items: Callable[[str], list[Any]]) -> None:
    @STRING.define(*names.split(), waits=True)
    def apply(run: Runtime, target: str, *, block: Proc | None = None) -> str:
        for item in items(target):
            run.call(run.needed(block), item)
        return target


_each("each_char", list)
_each("each_byte", lambda target: list(bytes_of(target)))
_each("each_line", lambda target: target.splitlines(keepends=True))


@STRING.define("unpack")
def _unpack(run: Runtime, target: str, template: Any) -> list[Any]:
    from rowstone.cli.shell.ruby.values.formats import unpack  # seldom needed

    return unpack(target, text(template))


@STRING.define("unpack1")
def _unpack1(run: Runtime, target: str, template: Any) -> Any:
    found = _unpack(run, target, template)
    return found[0] if found else None


# --- symbols


@SYMBOL.define("to_s", "name", "id2name")
def _symbol_to_s(run: Runtime, target: Symbol) -> str:
    return str(target)


@SYMBOL.define("to_sym")
def _symbol_to_sym(run: Runtime, target: Symbol) -> Symbol:
    return target


@SYMBOL.define("to_proc")
def _symbol_to_proc(run: Runtime, target: Symbol) -> Proc:
    return run.proc_of(target)


@SYMBOL.define("length", "size")
def _symbol_length(run: Runtime, target: Symbol) -> int:
    return len(target)


@SYMBOL.define("upcase")
def _symbol_upcase(run: Runtime, target: Symbol) -> Symbol:
    return Symbol(target.upper())


@SYMBOL.define("downcase")
def _symbol_downcase(run: Runtime, target: Symbol) -> Symbol:
    return Symbol(target.lower())


@SYMBOL.define("[]")
def _symbol_slice(run: Runtime, target: Symbol, place: Any, length: Any = None) -> str | None:
    limits = bounds(place, length, len(target))
    return None if limits is None else str(target)[limits[0] : limits[1]]


# --- bytes of Java, regexes and what they find

JAVA_BYTES = MethodTable(COMPARABLE)
REGEXP = MethodTable(COMPARABLE)
MATCH = MethodTable(COMPARABLE)


@JAVA_BYTES.define("length", "size")
def _bytes_length(run: Runtime, target: bytes) -> int:
    return len(target)


@JAVA_BYTES.define("[]")
def _byte(run: Runtime, target: bytes, place: Any) -> int | None:
    at = integer(place)
    if not -len(target) <= at < len(target):
        raise RubyError(f"index {at} out of bounds", "IndexError")
    return target[at] - 256 if target[at] > 127 else target[at]


@JAVA_BYTES.define("to_a", "bytes")
def _byte_list(run: Runtime, target: bytes) -> list[int]:
    return [byte - 256 if byte > 127 else byte for byte in target]


@REGEXP.define("=~")
def _regex_place(run: Runtime, target: Regex, other: Any) -> int | None:
    if other is None:
        return None
    found = run.matched(target.pattern.search(str(other) if isinstance(other, Symbol) else text(other)))
    return None if found is None else found.match.start()


@REGEXP.define("match")
def _regex_match(run: Runtime, target: Regex, other: Any) -> MatchData | None:
    return None if other is None else run.matched(target.pattern.search(text(other)))


@REGEXP.define("match?", "===")
def _regex_is_match(run: Runtime, target: Regex, other: Any) -> bool:
    return isinstance(other, str) and target.pattern.search(other) is not None


@REGEXP.define("source")
def _regex_source(run: Runtime, target: Regex) -> str:
    return target.source


@MATCH.define("[]")
def _group(run: Runtime, target: MatchData, place: Any) -> str | None:
    if isinstance(place, str):
        if str(place) not in target.match.re.groupindex:
            raise RubyError(f"undefined group name reference: {place}", "IndexError")
        return target.match.group(str(place))
    at = integer(place)
    return target.match.group(at) if 0 <= at <= target.match.re.groups else None


@MATCH.define("captures")
def _captures(run: Runtime, target: MatchData) -> list[Any]:
    return list(target.match.groups())


@MATCH.define("named_captures")
def _named_captures(run: Runtime, target: MatchData) -> Hash:
    return Hash(target.match.groupdict().items())


@MATCH.define("names")
def _group_names(run: Runtime, target: MatchData) -> list[str]:
    return list(target.match.re.groupindex)


@MATCH.define("to_a")
def _groups(run: Runtime, target: MatchData) -> list[Any]:
    return [target.match.group(), *target.match.groups()]


@MATCH.define("pre_match")
def _pre_match(run: Runtime, target: MatchData) -> str:
    return target.match.string[: target.match.start()]


@MATCH.define("post_match")
def _post_match(run: Runtime, target: MatchData) -> str:
    return target.match.string[target.match.end() :]


@MATCH.define("begin")
def _begin(run: Runtime, target: MatchData, group: Any = 0) -> int:
    return target.match.start(integer(group))


@MATCH.define("end")
def _end(run: Runtime, target: MatchData, group: Any = 0) -> int:
    return target.match.end(integer(group))
