r"""The script language: one command per line, words separated by blanks, `#` begins a comment.

    table NAME FAMILY[,KEY=VALUE...]... [TABLE,KEY=VALUE...]
        VERSIONS MINV TTL(seconds) KDC(FALSE|TRUE|TTL) NVB(true) BLOOM ENC COMP BLOCKSIZE, or a key
        of HBase's configuration
    now MS | +now MS | conf KEY VALUE
    put ROW F:Q TS|LATEST VALUE [ttl=MS]
    del ROW [TS] | delf ROW F [TS] | delfv ROW F TS | delcs ROW F:Q [TS] | delc ROW F:Q [TS]
    delcn ROW F:Q N                     the N newest versions, in one Delete
    inc ROW F:Q N [F:Q N...] [ttl=MS] [tr=A,B]
    app ROW F:Q SUFFIX [F:Q SUFFIX...] [ttl=MS] [tr=A,B]
    batch M ; M ... | rowmut M ; M ...
    cam ROW F:Q OP VALUE|NULL [tr=A,B] : M [; M...]       also: cam ROW F:Q NOTEXISTS : M
    scan [OPTION...] | get ROW [OPTION...] | open NAME [OPTION...] | step NAME | drain NAME
        start= xstart= stop= istop= prefix= rev limit=N batch=N cols=F:Q,F versions=N|all tr=A,B|max
        ts=N cftr=F,A,B raw mrpcf=N ropcf=N uncommitted exist filter=...
    fill PREFIX N F:Q LENGTH
    flush | compact | minor FIRST COUNT | major | reopen
    files | rawfile | mvcc | maxseq | wal | echo TEXT
    bulkload f=@NAME ...: see files.py
    place, cp, sh, mix, count, split, crash: for HBase only

Bytes are written as HBase prints them (`\x00`); `''` is the empty string.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from tests.script import commands as c
from tests.script.filter_text import parse_filter
from tests.script.text import to_bytes, to_column

MUTATION_WORDS = {"put", "del", "delf", "delfv", "delcs", "delc", "delcn", "inc", "app"}
HBASE_ONLY = {"place", "cp", "sh", "mix", "count", "crash", "lazycf"}
INTERNALS = {"files", "rawfile", "mvcc", "maxseq", "wal", "split"}


class ParseError(ValueError):
    """A line that is not a command; names the line."""


def parse_script(lines: Iterable[str]) -> list[c.Command]:
    """The commands of a script, without comments and empty lines."""
    return [parse(line) for line in lines if line.strip() and not line.startswith("#")]


def parse(line: str) -> c.Command:
    """Parse a line into a command."""
    words = line.split()
    try:
        if words[0] in MUTATION_WORDS:
            mutation = parse_mutation(words)
            if isinstance(mutation, c.Increment | c.Append):
                return c.ReadModifyWrite(mutation)
            return c.Write(mutation)
        if words[0] in HBASE_ONLY or any(word.startswith("lazycf=") for word in words):
            return c.HBaseOnly(line)
        if words[0] in INTERNALS:
            return c.Internals(words[0], with_paths=len(words) > 1)
        return _parse_other(line, words)
    except (IndexError, ValueError) as error:
        raise ParseError(f"not a command: {line!r} ({error})") from error


def _family_and_file(word: str) -> tuple[bytes, str]:
    family, at, name = word.partition("=@")
    if not at:
        raise ValueError("a file is written f=@name")
    return to_bytes(family), name


def _parse_other(line: str, words: list[str]) -> c.Command:
    match words[0]:
        case "table":
            return _table(words)
        case "bulkload":
            return c.BulkLoad(tuple(_family_and_file(word) for word in words[1:]))
        case "now":
            return c.SetClock(int(words[1]))
        case "+now":
            return c.AdvanceClock(int(words[1]))
        case "conf":
            return c.Configure(words[1], words[2])
        case "batch":
            return c.Batch(_mutations(words[1:]))
        case "rowmut":
            return c.MutateRow(_mutations(words[1:]))
        case "cam":
            return _check_and_mutate(words)
        case "scan":
            return c.Scan(*_scan_options(words[1:]))
        case "open":
            return c.OpenScanner(words[1], *_scan_options(words[2:]))
        case "step":
            return c.StepScanner(words[1])
        case "drain":
            return c.DrainScanner(words[1])
        case "get":
            _, read = _scan_options([word for word in words[2:] if word != "exist"])
            return c.Get(to_bytes(words[1]), read, exists_only="exist" in words[2:])
        case "fill":
            return c.Fill(words[1], int(words[2]), _full_column(words[3]), int(words[4]))
        case "flush":
            return c.Flush()
        case "compact":
            return c.Compact()
        case "minor":
            return c.Compact(window=(int(words[1]), int(words[2])))
        case "major":
            return c.MajorCompact()
        case "reopen":
            return c.Reopen()
        case "echo":
            return c.Echo(line[4:])
    raise ParseError(f"unknown command {words[0]!r}")


def _table(words: Sequence[str]) -> c.Table:
    families: list[c.FamilySpec] = []
    attributes: dict[str, str] = {}
    for word in words[2:]:
        name, *pairs = word.split(",")
        options = dict(pair.split("=", 1) for pair in pairs)
        if name == "TABLE":
            attributes |= options
        else:
            families.append(c.FamilySpec(to_bytes(name), options))
    return c.Table(words[1], tuple(families), attributes)


# ---- mutations


def _mutations(words: Sequence[str]) -> tuple[c.Mutation, ...]:
    """Mutations separated by ";"."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == ";":
            parts.append([])
        else:
            parts[-1].append(word)
    return tuple(parse_mutation(part) for part in parts if part)


def parse_mutation(words: Sequence[str]) -> c.Mutation:
    """One mutation."""
    kind, row, *rest = words
    options = dict(word.split("=", 1) for word in rest if word.startswith(("ttl=", "tr=", "dur=")))
    operands = [word for word in rest if not word.startswith(("ttl=", "tr=", "dur="))]
    ttl_ms = int(options["ttl"]) if "ttl" in options else None
    time_range = _time_range(options["tr"]) if "tr" in options else None
    key = to_bytes(row)
    if kind == "put":
        column, timestamp, value = operands
        return c.Put(key, _full_column(column), _timestamp(timestamp), to_bytes(value), ttl_ms)
    pairs = list(zip(operands[::2], operands[1::2], strict=False))
    if kind == "inc":
        amounts = tuple((_full_column(name), int(amount)) for name, amount in pairs)
        return c.Increment(key, amounts, ttl_ms, time_range)
    if kind == "app":
        suffixes = tuple((_full_column(name), to_bytes(suffix)) for name, suffix in pairs)
        return c.Append(key, suffixes, ttl_ms, time_range)
    return _delete(kind, key, operands, ttl_ms)


def _delete(kind: str, row: bytes, operands: Sequence[str], ttl_ms: int | None) -> c.Delete:
    if kind == "del":
        timestamp = int(operands[0]) if operands else None
        return c.Delete(row, "row", timestamp=timestamp, ttl_ms=ttl_ms)
    family, qualifier = to_column(operands[0])
    number = int(operands[1]) if len(operands) > 1 else None
    column = (family, qualifier or b"")
    if kind == "delcn":
        assert number is not None
        return c.Delete(row, "column", *column, count=number, ttl_ms=ttl_ms)
    names = {"delf": "family", "delfv": "family_version", "delcs": "columns", "delc": "column"}
    return c.Delete(row, names[kind], *column, timestamp=number, ttl_ms=ttl_ms)


def _check_and_mutate(words: Sequence[str]) -> c.CheckAndMutate:
    colon = words.index(":")
    mutations = _mutations(words[colon + 1 :])
    row = to_bytes(words[1])
    if words[2] == "FILTER":
        text = " ".join(words[3:colon])
        parse_filter(text)
        return c.CheckAndMutate(row, (b"", b""), "FILTER", None, None, mutations, filter=text)
    ranges = [_time_range(word[3:]) for word in words[3:colon] if word.startswith("tr=")]
    time_range = ranges[-1] if ranges else None
    column = _full_column(words[2])
    if words[3] == "NOTEXISTS":
        return c.CheckAndMutate(row, column, "EQUAL", None, time_range, mutations)
    expected = None if words[4] == "NULL" else to_bytes(words[4])
    return c.CheckAndMutate(row, column, words[3], expected, time_range, mutations)


# ---- reads


def _scan_options(words: Sequence[str]) -> tuple[c.Rows, c.Read]:
    rows, read = c.Rows(), c.Read()
    for index, word in enumerate(words):
        key, _, value = word.partition("=")
        if key == "filter":
            text = " ".join([value, *words[index + 1 :]])
            parse_filter(text)
            return rows, dataclasses.replace(read, filter=text)
        if key == "cols":
            read = _with_columns(read, value)
        elif (changed := _rows_option(rows, key, value)) is not None:
            rows = changed
        else:
            read = _read_option(read, key, value)
    return rows, read


def _rows_option(rows: c.Rows, key: str, value: str) -> c.Rows | None:
    match key:
        case "start":
            return dataclasses.replace(rows, start=to_bytes(value))
        case "xstart":
            return dataclasses.replace(rows, start=to_bytes(value), include_start=False)
        case "stop":
            return dataclasses.replace(rows, stop=to_bytes(value), include_stop=False)
        case "istop":
            return dataclasses.replace(rows, stop=to_bytes(value), include_stop=True)
        case "prefix":
            prefix = to_bytes(value)
            return dataclasses.replace(rows, prefix=prefix, start=prefix, stop=after_prefix(prefix), include_start=True)
        case "rev":
            return dataclasses.replace(rows, reverse=True)
        case "limit":
            return dataclasses.replace(rows, limit=int(value))
        case "batch":
            return dataclasses.replace(rows, batch=int(value))
    return None


def _read_option(read: c.Read, key: str, value: str) -> c.Read:
    match key:
        case "versions":
            return dataclasses.replace(read, versions=None if value == "all" else int(value))
        case "tr":
            return dataclasses.replace(read, time_range=_time_range(value))
        case "ts":
            return dataclasses.replace(read, time_range=(int(value), int(value) + 1))
        case "cftr":
            family, ends = value.split(",", 1)
            named = (to_bytes(family), _time_range(ends))
            return dataclasses.replace(read, family_time_ranges=(*read.family_time_ranges, named))
        case "raw":
            return dataclasses.replace(read, raw=True)
        case "mrpcf":
            return dataclasses.replace(read, cells_per_family=int(value))
        case "ropcf":
            return dataclasses.replace(read, offset_per_family=int(value))
        case "uncommitted":
            return dataclasses.replace(read, uncommitted=True)
    raise ParseError(f"unknown option {key!r}")


def _with_columns(read: c.Read, names: str) -> c.Read:
    """Adds columns as HBase's objects do: a family after its columns replaces them, and back."""
    families, columns = list(read.families), list(read.columns)
    for name in names.split(","):
        family, qualifier = to_column(name)
        if qualifier is None:
            columns = [column for column in columns if column[0] != family]
            families.append(family)
        else:
            families = [other for other in families if other != family]
            columns.append((family, qualifier))
    return dataclasses.replace(read, families=tuple(families), columns=tuple(columns))


def after_prefix(prefix: bytes) -> bytes:
    """The first key after every key with this prefix; empty if there is none."""
    stripped = prefix.rstrip(b"\xff")
    return stripped[:-1] + bytes([stripped[-1] + 1]) if stripped else b""


# ---- words


def _full_column(word: str) -> c.Column:
    family, qualifier = to_column(word)
    return family, qualifier or b""


def _timestamp(word: str) -> int | None:
    if word == "LATEST" or int(word) == c.LATEST:
        return None
    return int(word)


def _time_range(words: str) -> c.TimeRange:
    first, second = words.split(",")
    return int(first), c.LATEST if second == "max" else int(second)
