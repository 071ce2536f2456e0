"""HBase's Java client in a JVM, as one of the compared clients."""

from __future__ import annotations

import os
from pathlib import Path

from tests.hbase.cluster.server import JAVA_OPTIONS, StandaloneHBase
from tests.oracle.build import class_path, compiled

JAVA = Path(__file__).resolve().parent / "java"
HEAP = "512m"


def java_client(hbase: StandaloneHBase) -> list[str]:
    """The command that runs HBase's Java client."""
    base = class_path()
    classes = compiled([JAVA / "ClusterBench.java"], [base], "cluster-bench")
    places = os.pathsep.join([str(hbase.folder / "conf"), str(classes), base])
    return ["java", f"-Xmx{HEAP}", *JAVA_OPTIONS, "-cp", places, "ClusterBench"]
