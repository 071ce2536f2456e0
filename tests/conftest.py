"""Settings of the whole test suite.

ROWSTONE_HYPOTHESIS sets how long Hypothesis searches: `quick`, `usual` (the default) or `long`, with different examples
each time; or `fixed`, as long as `usual` with the same examples each time. CI uses `fixed`, so a failure is caused by
the change under test.

Tests that need more than Python (Java, a KDC, a browser, an S3 server, Spark) run only when their folder is named:
`ON_REQUEST`.

With `--served`, the tests of `tests/python` and `tests/checklist` that use a database run through a server.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.served.left_out import LEFT_OUT

ON_REQUEST = [
    Path(__file__).parent / name
    for name in ("hbase", "roots", "clients", "kerberos", "dashboard/browser", "storage", "engines/clusters")
]

_COMMON = settings(
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("quick", _COMMON, max_examples=25, stateful_step_count=30)
settings.register_profile("usual", _COMMON, max_examples=200, stateful_step_count=50)
settings.register_profile("fixed", settings.get_profile("usual"), derandomize=True)
settings.register_profile("long", _COMMON, max_examples=5000, stateful_step_count=100)
settings.load_profile(os.environ.get("ROWSTONE_HYPOTHESIS", "usual"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--served", action="store_true", help="ask databases through a server")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--served`: those tests that a server concerns."""
    if not config.getoption("--served"):
        return
    kept = [item for item in items if "db" in getattr(item, "fixturenames", ()) and not _names_of(item) & set(LEFT_OUT)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def _names_of(item: pytest.Item) -> set[str]:
    """Its name behind its file's; and, where it is one of many with parameters, those."""
    _, _, parameters = item.name.partition("[")
    return {f"{item.path.stem}::{name}" for name in (getattr(item, "originalname", item.name), parameters.rstrip("]"))}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip folders of tests that need more than Python unless they, or something in them, were requested."""
    if collection_path not in ON_REQUEST:
        return None
    named = [(config.invocation_params.dir / arg.split("::")[0]).resolve() for arg in config.args]
    return None if any(collection_path in [path, *path.parents] for path in named) else True


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The time zone of this process is UTC."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
