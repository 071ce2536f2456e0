"""See the package's head."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.torture.programs import PROGRAMS, Bench, Size


def main() -> int:
    """Run the programs one after another; 0 if nothing was lost. The folder of a program that failed is kept."""
    parser = argparse.ArgumentParser(prog="torture")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="with commas, of: " + ", ".join(PROGRAMS))
    parser.add_argument("--nodes", type=int, default=25_000_000, help="nodes of the linked list")
    parser.add_argument("--rows", type=int, default=2_000_000, help="rows of LoadAndVerify")
    parser.add_argument("--minutes", type=float, default=30, help="duration of AcidGuarantees")
    parser.add_argument("--kills", type=int, default=100, help="kills of the server during each of the first two")
    parser.add_argument("--acid-kills", type=int, default=0, help="kills of the server during AcidGuarantees")
    parser.add_argument("--seed", type=int, default=1)
    options = vars(parser.parse_args())
    names = options.pop("programs").split(",")
    size = Size(**options)
    folder = Path(tempfile.mkdtemp(prefix="rowstone-torture-"))
    print(f"{size}, in {folder}", flush=True)
    for name in names:
        began = time.monotonic()
        print(name, flush=True)
        bench = Bench(folder / name)
        try:
            PROGRAMS[name](bench, size)
        finally:
            bench.close()
        print(f"  nothing lost; {time.monotonic() - began:.0f} s in total", flush=True)
        shutil.rmtree(folder / name)
    folder.rmdir()
    return 0


if __name__ == "__main__":
    sys.exit(main())
