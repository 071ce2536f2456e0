"""``count``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone._printable import printable
from rowstone.filters import FilterList, FirstKeyOnlyFilter
from rowstone.shell.checks import hash_of, whole
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.reads import in_hbases_words, open_scan, scan_options
from rowstone.shell.values import is_text, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Counts rows, and prints how far it is every INTERVAL of them (1000). FILTER, COLUMNS, STARTROW, STOPROW and TIMERANGE
choose rows as in scan.

  hbase> count 't1'
  hbase> count 't1', INTERVAL => 100000
  hbase> count 't1', FILTER => "PrefixFilter('abc')"
  hbase> count 't1', COLUMNS => ['f1:q1'], STARTROW => 'abc', STOPROW => 'xyz'
  hbase> t.count INTERVAL => 100000

CACHE says how many rows a server sends at once at most; without it as many as fit.
"""


def command(session: Session, table: Any, options: Any = None) -> int:
    reference = session.table(table)
    given = (
        {"INTERVAL": options} if isinstance(options, int) else hash_of(options or {}, "count takes a hash of options")
    )
    if is_text(given.get("CACHE_BLOCKS")) and to_s(given["CACHE_BLOCKS"]).lower() not in ("true", "false"):
        raise ArgumentMistake("Expected CACHE_BLOCKS value to be a boolean or the string 'true' or 'false'")
    given.setdefault("CACHE_BLOCKS", False)
    interval = max(1, whole("INTERVAL", given.get("INTERVAL", 1000)))
    settings = scan_options(reference, given)
    first_only, chosen = FirstKeyOnlyFilter(), settings.get("filter")
    settings["filter"] = first_only if chosen is None else FilterList("MUST_PASS_ALL", [chosen, first_only])
    count = 0
    with in_hbases_words(reference), open_scan(reference, settings) as rows:
        for row in rows:
            count += 1
            if count % interval == 0:
                session.formatter.row([f"Current count: {count}, row: {printable(row.key)}"])
    session.formatter.footer(count)
    return count
