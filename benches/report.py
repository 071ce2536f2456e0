"""Helpers of all benchmarks: a description of the machine, CPU time of processes, updates of the documents."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path


def machine(versions: str) -> dict[str, str]:
    """Describe the machine."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return {
        "cpu": f"{model}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "versions": versions,
        "load": load(),
        "at": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def load() -> str:
    """The machine's load."""
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


def machine_text(facts: dict[str, str]) -> str:
    """Format the description as a sentence; ``load at the end`` must be present too."""
    place = f"{facts['cpu']}; {facts['system']}; Python {facts['python']}; {facts['versions']}"
    return f"{place}; load {facts['load']} before, {facts['load at the end']} after; {facts['at']}."


def cpu_seconds_of(process: int) -> float:
    """CPU time of another process, in steps of 10 ms; 0 without /proc."""
    place = Path(f"/proc/{process}/stat")
    if not place.exists():
        return 0.0
    fields = place.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def publish(text: str, document: Path | None, mark: str) -> None:
    """Print the text, and write it into ``document``, if given, between the two comments called ``mark``."""
    print(text)
    if document is not None:
        document.write_text(with_table(document.read_text(), text, mark))


def with_table(document: str, text: str, mark: str) -> str:
    """Return `document` with `text` between the two comments called ``mark``."""
    before, begin, rest = document.partition(f"<!-- {mark} -->\n")
    _, end, after = rest.partition(f"<!-- /{mark} -->")
    if not end:
        raise ValueError(f"the document has no place for the table: <!-- {mark} --> and <!-- /{mark} -->")
    return f"{before}{begin}{text}\n{end}{after}"
