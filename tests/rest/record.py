"""Records what HBase's own REST server answers to the sessions: ``python -m tests.rest.record [http port]``.

Without a port it starts an HBase and its REST server for this.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.rest.cases import SESSIONS, table_of
from tests.rest.session import run

RECORDED = Path(__file__).with_name("recorded.json")


def recorded() -> dict[str, list[dict[str, Any]]]:
    """HBase's answers by session."""
    return json.loads(RECORDED.read_text())  # type: ignore[no-any-return]


def record(port: int) -> None:
    """Record the answers and write the file."""
    answers = {name: run(port, steps, table_of(name)) for name, steps in SESSIONS.items()}
    lines = [
        f"  {json.dumps(name)}: [\n"
        + ",\n".join(f"    {json.dumps(answer, ensure_ascii=False)}" for answer in found)
        + "\n  ]"
        for name, found in answers.items()
    ]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{sum(map(len, answers.values()))} answers of {len(answers)} sessions")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        record(int(sys.argv[1]))
    else:
        from tests.hbase.cluster.rest import RestServer
        from tests.hbase.cluster.server import StandaloneHBase

        with StandaloneHBase(servers=1, heap="512m") as hbase, RestServer(hbase) as rest:
            record(rest.port)
