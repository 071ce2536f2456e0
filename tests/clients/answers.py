"""Sessions of the Java client whose answers a real HBase gave, and was recorded.

`answers.txt` is about what Rowstone once answered otherwise, `differences.txt` about what it answers otherwise on
purpose. `python -m tests.clients.answers` records both.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.hbase.cluster.server import JAVA_OPTIONS, StandaloneHBase
from tests.oracle.build import CONFIGURATION, POM, compiled, fetched

HERE = Path(__file__).parent
SOURCES = [
    HERE / "java" / f"{name}.java" for name in ("AnswersSession", "AdminAnswers", "TrackerAnswers", "DifferentAnswers")
]
RECORDED = {"AnswersSession": HERE / "answers.txt", "DifferentAnswers": HERE / "differences.txt"}


def session(address: str, name: str = "AnswersSession") -> list[str]:
    """Output of the client against the server at ``host:port``."""
    path = [f"{fetched(POM, 'lib')}/*", str(CONFIGURATION)]
    classes = compiled(SOURCES, path, "answers")
    command = ["java", "-Xmx256m", *JAVA_OPTIONS, "-cp", os.pathsep.join([str(classes), *path]), name]
    done = subprocess.run([*command, address], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    return done.stdout.splitlines()


def main() -> None:
    with StandaloneHBase(servers=1, heap="512m") as server:
        for name, recorded in RECORDED.items():
            recorded.write_text("\n".join(session(f"127.0.0.1:{server.master_port}", name)) + "\n")


if __name__ == "__main__":
    main()
