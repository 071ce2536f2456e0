"""Load a table in sizes up to a billion cells, and measure what a cell costs: `make scale-billion`.

    python -m benches.scale --cells 1e7,1e8,1e9 --folder /data/scale --engines rowstone,rocksdict

The program may be killed and repeated at any time: the loads continue where they were, and finished steps are kept.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from benches import report
from benches.scale.data import CELL_BYTES
from benches.scale.steps import Run
from benches.scale.stores import STORES
from benches.scale.table import markdown


def main() -> None:
    """Run, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cells", default="1e7,1e8,1e9", help="sizes, with commas")
    parser.add_argument("--engines", default="rowstone", help=", ".join(STORES))
    parser.add_argument("--folder", type=Path, required=True, help="the data and the results of each step")
    parser.add_argument("--page-cache", type=float, help="share of the files that the page cache holds (needs cgroups)")
    parser.add_argument("--drop", action="store_true", help="remove the data of a size when it is measured")
    parser.add_argument("--document", type=Path, help="write the table into this document")
    options = parser.parse_args()
    sizes = sorted(int(float(size)) for size in options.cells.split(","))
    runs = [Run(options.folder, engine, size) for size in sizes for engine in options.engines.split(",")]
    facts = report.machine(f"rowstone beside {options.engines}")
    for run in runs:
        run.run(sizes[-1], options.page_cache)
        if options.drop:
            shutil.rmtree(run.folder)
    facts["load at the end"] = report.load()
    text = markdown({(run.engine, run.cells): run.results for run in runs})
    report.publish(f"{text}\n\nCells of {CELL_BYTES} bytes. {report.machine_text(facts)}", options.document, "scale")


if __name__ == "__main__":
    main()
