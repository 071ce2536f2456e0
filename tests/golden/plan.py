"""The data of a golden directory: what is written into each table, as scripts of `tests/script/parse.py`.

Everything follows from constants: the clock starts at `START_MS`, values come from `random.Random(SEED)`.
"""

from __future__ import annotations

import random

SEED = 23
START_MS = 1_750_000_000_000
READ_MS = START_MS + 3_600_000
"""The clock of every reader: a cell's TTL of a minute has passed, one of a day has not."""
ENCODINGS = ("NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1")
CODECS = ("NONE", "GZ", "SNAPPY", "LZ4", "ZSTD")
BLOOMS = ("NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH")
PREFIX = "RowPrefixBloomFilter.prefix_length=3"

TABLES = {
    "formats": " ".join(
        f"{encoding[0].lower()}{number}{codec[0].lower()},ENC={encoding},COMP={codec},VERSIONS=2,BLOCKSIZE=1024,"
        f"BLOOM={BLOOMS[number % 4]}" + (f",{PREFIX}" if number % 4 == 3 else "")
        for number, (encoding, codec) in enumerate(
            [*zip(ENCODINGS, CODECS, strict=True), *zip(ENCODINGS, CODECS[2:] + CODECS[:2], strict=True)]
        )
    ),
    "versions": "a,VERSIONS=3 k,VERSIONS=5,KDC=TRUE l,VERSIONS=2,KDC=TTL,TTL=86400 m,VERSIONS=4,MINV=2,TTL=60 "
    "n,VERSIONS=3,NVB=true",
    "counters": "c,VERSIONS=4 t,TTL=86400",
    "shop:orders": "o,VERSIONS=2 p",
    "shop:merged": "m",
    "media": "d,VERSIONS=2",
    "snapped": "f,VERSIONS=3",
    "dropped": "f",
    "loaded": "f,VERSIONS=2",
    "disabled": "f",
    "settings": "f",
}
"""Every table that a script fills, with its families."""

FAMILY_NAMES = {name: [word.split(",")[0] for word in words.split()] for name, words in TABLES.items()}


def formats() -> list[str]:
    """Rows with near and far neighbors, several versions, tags, empty values and long ones, in every family."""
    dice = random.Random(SEED)
    lines = []
    for number in range(24):
        for family in FAMILY_NAMES["formats"]:
            value = bytes(dice.choice(b"abcdef") for _ in range(dice.choice((0, 3, 40)))).decode() or "''"
            ttl = f" ttl={dice.choice((60_000, 86_400_000))}" if number % 5 == 0 else ""
            lines.append(f"put row{number // 8}-{number:03} {family}:q{number % 3} LATEST {value}{ttl}")
            if number % 6 == 0:
                lines.append(f"put row{number // 8}-{number:03} {family}:q{number % 3} {number + 1} old-{number}")
    lines += [f"delf row1-008 {family}" for family in FAMILY_NAMES["formats"]]
    return lines


def markers(row: str) -> list[str]:
    """Five versions of two columns in every family of `versions`, then a delete marker of every kind."""
    lines = []
    for family in FAMILY_NAMES["versions"]:
        puts = [f"put {row}-{kind} {family}:{q} {ts} v{ts}" for kind in "abcdefg" for q in "xy" for ts in range(1, 6)]
        lines += [
            *puts,
            f"delc {row}-a {family}:x 3",
            f"delcn {row}-b {family}:x 1",
            f"delcs {row}-c {family}:x 3",
            f"delf {row}-d {family} 2",
            f"delfv {row}-e {family} 4",
            f"put {row}-c {family}:x 2 late",
        ]
    return [*lines, f"del {row}-f 4"]


def counters() -> list[str]:
    """Counters and appends, with and without a cell's own TTL; a batch, a row mutation, a conditional mutation."""
    return [
        "inc visits c:home 5",
        "inc visits c:home 2 c:about 1 ttl=86400000",
        "inc visits t:home 9000000000",
        "app log c:text one",
        "app log c:text -two t:text three ttl=60000",
        "batch put b1 c:q LATEST 1 ; put b2 c:q LATEST 2 ; delcs b1 c:none",
        "rowmut put rm c:q LATEST both ; delcs rm c:gone",
        "cam rm c:q EQUAL both : put rm c:checked LATEST yes",
        "cam rm c:q EQUAL other : put rm c:checked LATEST no",
    ]


def rows(family: str, count: int, *, first: int = 0, word: str = "v") -> list[str]:
    """One put in each of `count` rows `r000`, `r001`, …"""
    return [f"put r{number:03} {family}:q LATEST {word}{number}" for number in range(first, first + count)]


def media() -> list[str]:
    """Values around the MOB threshold of 200 bytes."""
    dice = random.Random(SEED)
    sizes = (10, 200, 201, 900, 2_000)
    values = ["".join(dice.choices("abcdefghij", k=size)) for size in sizes for _ in range(2)]
    return [f"put photo{number} d:raw LATEST {value}" for number, value in enumerate(values)]
