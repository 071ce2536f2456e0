"""The tables and snapshots of the tests, as lines for `RootSession`.

Some words are added. `load` alone loads files of Rowstone. `fill` alone writes a table's share of the cells, `fill few`
not too many. `fill recent` gives them timestamps of yesterday, where a time to live of five days has not passed. Splits
and merges leave references to the files of their parents, since compactions are off. Only the first part compacts.
"""

from __future__ import annotations

ENCODINGS = ("NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1")
CODECS = {"n": "NONE", "g": "GZ", "s": "SNAPPY", "l": "LZ4", "z": "ZSTD"}
"""By the family that has it."""
FIVE_DAYS = "TTL=432000"

REPLACED_FILES = """\
compactions on
named compacted
table t f,VERSIONS=3 g,VERSIONS=2,ENC=DIFF,COMP=GZ,BLOOM=ROWCOL
fill
flush
fill
flush
snapshot compacted_0
major
snapshot compacted_1
clone compacted_0 compacted_clone
named compacted_clone
major
named halved
table t f,VERSIONS=3
fill
flush
fill
flush
split 500000
major
snapshot halved_1
compactions off
named dropped
table t f,VERSIONS=3
fill
flush
snapshot dropped_1
drop"""

LARGE_VALUES = """\
named large
table t f,VERSIONS=3,MOB=100 g,VERSIONS=2,MOB=30,ENC=FAST_DIFF,COMP=GZ
fill few
flush
fill few
flush
snapshot large_1
clone large_1 large_clone
named large_clone
fill few
flush
snapshot large_clone_1"""

VISIBILITY = f"""\
named expiring
table t f,VERSIONS=5 g,VERSIONS=5 h,VERSIONS=3
fill
flush
fill recent
flush
alter f,VERSIONS=5,{FIVE_DAYS}
alter g,VERSIONS=5,MINV=2,{FIVE_DAYS}
alter h,VERSIONS=3,KDC=TTL,{FIVE_DAYS}
fill recent
flush
snapshot expiring_1
named versions
table t f,VERSIONS=5 g,VERSIONS=2147483647 h,VERSIONS=3,KDC=TRUE
fill
flush
fill
flush
alter f,VERSIONS=2
fill
flush
snapshot versions_1
named new_versions
table t f,VERSIONS=3,NVB=true g,VERSIONS=1
fill few
flush
fill few
flush
snapshot new_versions_1"""

REGIONS = """\
named divided 500000
table t f,VERSIONS=3,ENC=FAST_DIFF,COMP=SNAPPY,BLOCKSIZE=1024 g,VERSIONS=2
fill
flush
fill
flush
snapshot divided_0
split 250000
split 750000
fill
flush
snapshot divided_1
clone divided_1 divided_clone
named divided_clone
snapshot divided_clone_1
named united 250000 500000 750000
table t f,VERSIONS=3,ENC=PREFIX,BLOCKSIZE=1024 g,VERSIONS=2,COMP=ZSTD
fill
flush
merge 000000
merge 500000
fill
flush
snapshot united_1"""

LINKS = """\
clone divided_0 linked
named linked
fill
flush
snapshot linked_1
split 250000
fill
flush
snapshot linked_2
clone linked_2 linked_again
named linked_again
snapshot linked_again_1
named restored
table t f,VERSIONS=3 g,VERSIONS=3,ENC=ROW_INDEX_V1
fill
flush
snapshot restored_0
fill
flush
restore restored_0
snapshot restored_1
fill
flush
snapshot restored_2"""

TRACKED_FILES = """\
named tracked 500000
table t f,VERSIONS=3 g,VERSIONS=2,ENC=DIFF TABLE,hbase.store.file-tracker.impl=FILE
fill
flush
fill
flush
split 250000
fill
flush
snapshot tracked_1
clone tracked_1 tracked_clone
named tracked_clone
fill
flush
snapshot tracked_clone_1"""

OTHERS = """\
named loaded 500000
table t f,VERSIONS=3,BLOOM=ROW
fill
flush
load
fill
flush
snapshot loaded_1
namespace roots
named roots:web
table t f,VERSIONS=3
fill
flush
snapshot web_1
named empty 5
table t f
snapshot empty_1
named unflushed
table t f,VERSIONS=3
fill
flush
fill
snapshot unflushed_1 SKIPFLUSH
flush
named resting
table t f,VERSIONS=3
fill
flush
snapshot resting_1
disable"""


def _encoding(name: str) -> str:
    families = " ".join(f"{family},VERSIONS=3,ENC={name},COMP={codec}" for family, codec in CODECS.items())
    return f"named enc_{name}\ntable t {families}\nfill\nflush\nfill\nflush\nsnapshot enc_{name}_1"


FIRST = REPLACED_FILES
"""Before all others, as it switches compactions."""
SIDE_BY_SIDE = (
    "\n".join([*map(_encoding, ENCODINGS), LARGE_VALUES, VISIBILITY]),
    "\n".join([REGIONS, LINKS, TRACKED_FILES, OTHERS]),
)
"""They have no table in common."""
LINES = tuple(line for part in (FIRST, *SIDE_BY_SIDE) for line in part.splitlines())
