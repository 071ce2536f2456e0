"""Runs case studies: ``python -m examples.case_studies [NAME...] [--small] [--write]``."""

from __future__ import annotations

import argparse
import importlib
import tempfile
import time

from examples.case_studies.measure import Report, pages

import rowstone as rs

STUDIES = ("log_data", "time_series", "orders", "shapes", "lists", "user_activity", "webtable")


def run(name: str, *, small: bool) -> Report:
    """Runs one study in a folder of its own; with little data in memory."""
    study = importlib.import_module(f"examples.case_studies.{name}.study")
    with tempfile.TemporaryDirectory() as folder, rs.connect(":memory:" if small else f"{folder}/db") as db:
        return study.run(db, small=small)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(STUDIES)}; all by default")
    parser.add_argument("--small", action="store_true", help="little data, as the tests take it")
    parser.add_argument("--write", action="store_true", help="put tables and pictures into the documentation")
    given = parser.parse_args()
    for name in given.names or STUDIES:
        if name not in STUDIES:
            parser.error(f"there is no study '{name}'")
        began = time.perf_counter()
        report = run(name, small=given.small)
        print(f"{report}\n\n({name}: {time.perf_counter() - began:.0f} s)\n", flush=True)
        if given.write:
            pages.write(report)


if __name__ == "__main__":
    main()
