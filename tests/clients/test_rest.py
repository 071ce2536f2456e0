"""HBase's Java client for REST (`RemoteHTable`, `RemoteAdmin`) before our gateway: a session of over 30 steps."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import rowstone as rs
from rowstone.server import rest
from tests.hbase.cluster.rest import rest_class_path
from tests.hbase.cluster.server import JAVA_OPTIONS
from tests.oracle.build import compiled

HERE = Path(__file__).parent
LEAST_STEPS = 30


def test_the_java_client_for_rest() -> None:
    path = rest_class_path()
    classes = compiled([HERE / "rest" / "RestSession.java"], [path], "rest-client")
    with rs.connect(":memory:") as db, rest.serve(db, port=0) as gateway:
        command = ["java", "-Xmx256m", *JAVA_OPTIONS, "-cp", os.pathsep.join([str(classes), path])]
        command += ["RestSession", "127.0.0.1", str(gateway.port)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    assert done.stdout.count("ok ") >= LEAST_STEPS, done.stdout
