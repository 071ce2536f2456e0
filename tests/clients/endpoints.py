"""A session of services that Java's clients call by name.

`python -m tests.clients.endpoints` records what a real HBase answers.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.hbase.cluster.server import JAVA_OPTIONS, StandaloneHBase
from tests.oracle.build import CONFIGURATION, POM, compiled, fetched

HERE = Path(__file__).parent
RECORDED = HERE / "endpoints.txt"


def jars() -> Path:
    """Jars of the services, for HBase's server and its client."""
    return fetched(HERE / "endpoint-pom.xml", "endpoint")


def session(address: str) -> list[str]:
    """Output of the client against the server at ``host:port``."""
    path = [f"{jars()}/*", f"{fetched(POM, 'lib')}/*", str(CONFIGURATION)]
    classes = compiled([HERE / "java" / "EndpointSession.java"], path[:2], "endpoints")
    command = [
        "java",
        "-Xmx256m",
        *JAVA_OPTIONS,
        "-cp",
        os.pathsep.join([str(classes), *path]),
        "EndpointSession",
        address,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    return done.stdout.splitlines()


def main() -> None:
    with StandaloneHBase(servers=1, heap="512m", more_jars=jars()) as server:
        RECORDED.write_text("\n".join(session(f"127.0.0.1:{server.master_port}")) + "\n")


if __name__ == "__main__":
    main()
