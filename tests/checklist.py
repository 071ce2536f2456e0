"""Prints which statements of the checklist have tests: covered, partly or open, and totals.

An item counts as covered only when every clause of it has a test. Ends with status 1 where a clause
that should have a test has none. `--brief` leaves the covered ones out.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.checklist.ledger import read_citations, read_items, report, standings


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--brief", action="store_true", help="leave covered items out of the list (totals count them)")
    brief = parser.parse_args().brief
    all_standings = standings(read_items(), read_citations())
    text = report(all_standings)
    print("\n".join(line for line in text.splitlines() if not (brief and line[5:].startswith("covered"))))
    return int(any(standing.untested for standing in all_standings))


if __name__ == "__main__":
    sys.exit(main())
