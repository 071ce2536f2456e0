"""A session of the Java client about what Rowstone once answered otherwise than HBase.

`python -m tests.clients.answers` records what a real HBase answers.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.hbase.cluster.server import JAVA_OPTIONS, StandaloneHBase
from tests.oracle.build import CONFIGURATION, POM, compiled, fetched

HERE = Path(__file__).parent
RECORDED = HERE / "answers.txt"


def session(address: str) -> list[str]:
    """What it prints about the server at ``host:port``."""
    path = [f"{fetched(POM, 'lib')}/*", str(CONFIGURATION)]
    classes = compiled([HERE / "java" / "AnswersSession.java"], path, "answers")
    command = ["java", "-Xmx256m", *JAVA_OPTIONS, "-cp", os.pathsep.join([str(classes), *path]), "AnswersSession"]
    done = subprocess.run([*command, address], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    return done.stdout.splitlines()


def main() -> None:
    with StandaloneHBase(servers=1, heap="512m") as server:
        RECORDED.write_text("\n".join(session(f"127.0.0.1:{server.master_port}")) + "\n")


if __name__ == "__main__":
    main()
