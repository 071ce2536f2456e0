"""Differences of the shell from the recordings, each with its reason; everything else is equal."""

from __future__ import annotations

import re
from collections.abc import Mapping

VERSION = "the version is Rowstone's"
ONE_SERVER = "a directory is one server without a JVM, ports and a history of tasks"
RUBY = "an accident of the recorded shell: Ruby of 2.4 before 2.6, or a message of JRuby"
OLDER = "the recorded shell is that of HBase 2.4; that of 2.6 answers as ours (`test_newer.py`)"
NO_ORDER = "a cluster lists snapshots in no order, a directory by name"
NO_GROUPS = "the recorded Ruby misses a class; ours says what a master without groups says"
SYSTEM_TABLES = "a directory needs no table of namespaces"
METRICS = "metrics of servers and calls are 0 where there are none"
LANGUAGE = "the shell knows a part of Ruby, and says what is wrong without a picture"

NOT_YET = "the client does not send labels of cells"

DIFFERENCES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "general": (
        (r"version|list; version", VERSION),
        (r'"octal .*', LANGUAGE),
        (r"'a' => 'b'", LANGUAGE),
        (r"Bytes.toStringBinary.*", "texts are taken where Java wants bytes"),
        (r"create ‘t’, 'f'", "typographic quotes get a hint"),
    ),
    "ddl": (
        (r"create 'y', \{NAME => 'f', COMPRESSION => 'NOPE'\}", RUBY),
        (r"create 'y', \{NAME => 'f', BLOOMFILTER => 'NOPE'\}", RUBY),
    ),
    "namespace": ((r"list_namespace_tables 'hbase'", SYSTEM_TABLES),),
    "dml": (
        (r"put 't', 'r1', 'f:a', 'v', 'notanumber'", RUBY),
        (r"get 't', 'r1', 'f:a:bogus'", RUBY),
        (r"get 't', 'r1', \{FORMATTER => 'bogus'\}", RUBY),
        (r"scan 't', \{LIMIT => 1, ALL_METRICS => true\}", METRICS),
    ),
    "tools": (
        (r"regioninfo 'bogus'", RUBY),
        (r"merge_region 'bogus1', 'bogus2'", RUBY),
        (r"balancer( .*)?", OLDER),
        (r"trace 1, 2, 3", "the command was taken out of the recorded shell"),
    ),
    "replication": ((r"set_peer_tableCFs\b.*", "HBase names a command in its hint that it does not have"),),
    "quotas": (),
    "security": (),
    "rsgroup": ((r".*rsgroup.*", NO_GROUPS),),
    "snapshots": ((r"list_snapshots|list_table_snapshots 't'", NO_ORDER), (r"list_snapshots '(s1|nomatch|\()'", OLDER)),
    "terminal": (
        (r"version", VERSION),
        (r"processlist", ONE_SERVER),
        (r"compaction_switch true", ONE_SERVER),
        (r"list_snapshots|list_table_snapshots 'u'", NO_ORDER),
    ),
    "first-plain": (
        (r"version", VERSION),
        (r"list_snapshots|balancer", OLDER),
        (r"status 'simple'", ONE_SERVER),
    ),
}
"""By recording: the typed command, as a regular expression for the whole of it, and the reason."""

ON_CLUSTERS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "peers": (),
    "regions": (),
    "rights": (
        (r"user_permission ('t'|'\.\*')", RUBY),
        (r"list_security_capabilities", "a set of Java, in no order"),
    ),
    "labels": ((r"set_visibility .*", NOT_YET),),
    "limits": ((r"set_quota TYPE => NOPE.*", LANGUAGE),),
}
"""The same of recordings on clusters (`transcripts/cluster`)."""


def reason(recording: str, typed: str) -> str | None:
    """The reason why the answer differs from a recording's, or None if it must not."""
    return why(DIFFERENCES[recording], typed)


def why(known: tuple[tuple[str, str], ...], typed: str) -> str | None:
    """The reason among these for what was typed."""
    return next((why for pattern, why in known if re.fullmatch(pattern, typed, re.DOTALL)), None)
