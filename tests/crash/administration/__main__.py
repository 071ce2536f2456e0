"""See the package's head."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.crash.administration.run import run


def main() -> None:
    """Runs it and says what came out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at", type=Path, help="an empty directory; kept")
    arguments = parser.parse_args()
    directory = arguments.at or Path(tempfile.mkdtemp(prefix="rowstone-administration-"))
    print(f"seed {arguments.seed} in {directory}")
    report = run(directory, arguments.minutes * 60, arguments.kills, arguments.seed, progress=True)
    print(f"seed {arguments.seed}: {report}")


if __name__ == "__main__":
    main()
