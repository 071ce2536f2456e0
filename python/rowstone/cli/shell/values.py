"""Values of the shell: Ruby's notation, and conversion between text and bytes.

Ruby's numbers, strings, arrays, ``true``, ``false`` and ``nil`` are Python's own; all else is a `RubyObject`. A string
holds bytes that are not UTF-8 as surrogates. Commands receive hashes as `dict` (`ruby.objects.plain`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_PLAIN_SYMBOL = re.compile(r"[^\W\d]\w*[?!=]?|\[\]=?|<=>|===?|=~|![=~]?|\*\*?|[+-]@?|<<|>>|<=|>=|[/%<>&|^~]")
_SHORT = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 27: "\\e"}


class Symbol(str):
    """``:name``. As a hash key it differs from the string of the same letters."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash((":", str(self)))

    __eq__ = str.__eq__


class Binary(str):
    """A string of bytes, as ``pack`` creates it: it is printed byte by byte."""

    __slots__ = ()


class RubyObject:
    """A value without a Python equivalent. ``kind`` is the name of its Ruby class."""

    __slots__ = ()

    kind = "Object"

    def show(self, inspected: Callable[[Any], str]) -> str:
        """The object as `inspect` prints it; ``inspected`` formats nested values."""
        return f"#<{self.kind}:{id(self) & 0xFFFFFFFF:#x}>"

    def text(self) -> str:
        """The object as ``puts`` prints it."""
        return self.show(inspect)


class Opaque(RubyObject):
    """A Java object that a command of HBase returns; it is only printed, as Ruby prints it."""

    __slots__ = ("_shown",)

    def __init__(self, shown: str) -> None:
        self._shown = shown

    def show(self, inspected: Callable[[Any], str]) -> str:
        return self._shown


def to_bytes(value: Any) -> bytes:
    r"""The bytes that HBase stores for a value: those of its text.

    >>> to_bytes("\udcff"), to_bytes(42), to_bytes(None)
    (b'\xff', b'42', b'')
    """
    return value if isinstance(value, bytes) else bytes_of(to_s(value))


def bytes_of(text: str) -> bytes:
    """Encode a string whose surrogates stand for bytes that are not UTF-8; other surrogates become three bytes."""
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode(errors="surrogatepass")


def to_text(data: bytes) -> str:
    """Decode bytes to a string of the shell; `to_bytes` reverses it."""
    return data.decode(errors="surrogateescape")


def to_s(value: Any) -> str:
    """A value as ``puts`` prints it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes):
        return to_text(value)
    if isinstance(value, RubyObject):
        return value.text()
    return inspect(value)


def inspect(value: Any) -> str:
    """A value as the shell prints it after ``=>``.

    >>> print(inspect({"NAME": "f", Symbol("a"): [1, None, True, 2.0]}))
    {"NAME"=>"f", :a=>[1, nil, true, 2.0]}
    """
    return _inspect(value, ())


def _inspect(value: Any, around: tuple[int, ...]) -> str:
    """Inspect a value nested inside those whose identities are ``around``."""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Symbol):
        return f":{value}" if _PLAIN_SYMBOL.fullmatch(value) else f":{_quoted(value)}"
    if isinstance(value, str):
        return _quoted_bytes(value) if isinstance(value, Binary) else _quoted(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, bytes):
        return f"#<Java::byte[{len(value)}]>"
    if id(value) in around:
        return "[...]" if isinstance(value, list) else "{...}"

    def inner(item: Any) -> str:
        return _inspect(item, (*around, id(value)))

    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(inner, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{inner(key)}=>{inner(item)}' for key, item in value.items())}}}"
    return value.show(inner) if isinstance(value, RubyObject) else str(value)


def java_object(kind: str, value: Any) -> str:
    """An object without a text of its own, as JRuby prints it: its class, with ``::``, and some address."""
    return f"#<Java::{kind}:{id(value) & 0xFFFFFFFF:#x}>"


def _float(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    text = repr(value)
    if "e" not in text:
        return text
    if 1 <= abs(value) < 1e19:  # which JRuby still writes out
        return f"{int(value)}.0"
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent[0]}{exponent[1:].zfill(2)}"


def _quoted(text: str) -> str:
    shown = []
    for place, character in enumerate(text):
        code = ord(character)
        if character in '"\\' or (character == "#" and text[place + 1 : place + 2] in ("{", "$", "@")):
            shown.append("\\" + character)
        elif 0xDC80 <= code <= 0xDCFF:
            shown.append(f"\\x{code - 0xDC00:02X}")
        elif code in _SHORT:
            shown.append(_SHORT[code])
        elif code < 32 or code == 127:
            shown.append(f"\\u{code:04X}")
        else:
            shown.append(character)
    return f'"{"".join(shown)}"'


def _quoted_bytes(text: str) -> str:
    shown = (_SHORT.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\x{byte:02X}") for byte in bytes_of(text))
    return f'"{"".join(shown)}"'


def kind_of(value: Any) -> str:
    """The name of a value's Ruby class."""
    if value is None:
        return "NilClass"
    if isinstance(value, bool):
        return "TrueClass" if value else "FalseClass"
    if isinstance(value, RubyObject):
        return value.kind
    names = ((Symbol, "Symbol"), (str, "String"), (int, "Integer"), (float, "Float"), (list, "Array"), (dict, "Hash"))
    return next((name for kind, name in names if isinstance(value, kind)), type(value).__name__)


def is_text(value: Any) -> bool:
    """Whether a value is a string, as Ruby's ``is_a?(String)`` tests."""
    return isinstance(value, str) and not isinstance(value, Symbol)


_ALIASES = {"ENDKEY": "STOPROW", "ENDROW": "STOPROW", "STARTKEY": "STARTROW"}

_OPTIONS = """
ALLOW_PARTIAL_RESULTS ALL_METRICS ATTRIBUTES AUTHORIZATIONS BATCH CACHE CACHE_BLOCKS CLASSNAME CLONE_SFT CLUSTER_KEY
COLUMN COLUMNS CONFIG CONFIGURATION CONSISTENCY DATA ENDPOINT_CLASSNAME FILTER FORMATTER FORMATTER_CLASS INTERVAL
IN_MEMORY IN_MEMORY_COMPACTION ISOLATION_LEVEL LIMIT LOCALITY_THRESHOLD MAXLENGTH MAX_RESULT_SIZE METADATA METHOD
METRICS NAME NAMESPACE NAMESPACES NONE NUMREGIONS POLICY RAW READ_TYPE REGEX REGIONSERVER REGION_REPLICATION
REGION_REPLICA_ID REMOTE_WAL_DIR REOPEN_REGIONS REPLICATION_SCOPE RESTORE_ACL REVERSED ROWPREFIXFILTER SERIAL
SERVER_NAME SKIP_FLUSH SPLITALGO SPLITS SPLITS_FILE STARTROW STATE STOPROW TABLE TABLE_CFS TABLE_NAME TABLE_NAMES
TIMERANGE TIMESTAMP TYPE USER VALUE VERSIONS VISIBILITY
"""

_ATTRIBUTES = """
BLOCKCACHE BLOCKSIZE BLOOMFILTER CACHE_BLOOMS_ON_WRITE CACHE_DATA_ON_WRITE CACHE_INDEX_ON_WRITE COMPACTION_ENABLED
COMPRESSION COMPRESSION_COMPACT COMPRESSION_COMPACT_MAJOR COMPRESSION_COMPACT_MINOR COMPRESS_TAGS DATA_BLOCK_ENCODING
DFS_REPLICATION DURABILITY ENCRYPTION ENCRYPTION_KEY ERASURE_CODING_POLICY EVICT_BLOCKS_ON_CLOSE FLUSH_POLICY FOREVER
INDEX_BLOCK_ENCODING IS_META IS_MOB IS_ROOT KEEP_DELETED_CELLS LENGTH MAX_FILESIZE MEMSTORE_FLUSHSIZE MERGE_ENABLED
MIN_VERSIONS MOB_COMPACT_PARTITION_POLICY MOB_THRESHOLD NEW_VERSION_BEHAVIOR NORMALIZATION_ENABLED
NORMALIZER_TARGET_REGION_COUNT NORMALIZER_TARGET_REGION_SIZE NORMALIZER_TARGET_REGION_SIZE_MB OWNER
PREFETCH_BLOCKS_ON_OPEN PRIORITY READONLY REGION_MEMSTORE_REPLICATION SPLIT_ENABLED SPLIT_POLICY STORAGE_POLICY TTL
"""

_QUOTAS = """
CLUSTER DISABLE GLOBAL_BYPASS MACHINE NO_INSERTS NO_WRITES NO_WRITES_COMPACTIONS READ READ_CAPACITY_UNIT READ_NUMBER
READ_SIZE REQUEST REQUEST_CAPACITY_UNIT REQUEST_NUMBER REQUEST_SIZE SCOPE SPACE THROTTLE THROTTLE_TYPE WRITE
WRITE_CAPACITY_UNIT WRITE_NUMBER WRITE_SIZE
"""

CONSTANTS = {name: name for name in f"{_OPTIONS} {_ATTRIBUTES} {_QUOTAS}".split()} | _ALIASES
