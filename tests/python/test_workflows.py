"""Workflows below .github: steps are the Makefile's targets or install a tool, permissions are minimal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.python.structure import ROOT, name_of

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.y*ml"))
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
INSTALLATION = re.compile(
    r"apt-get update|apt-get install -y --no-install-recommends [\w. -]+"
    r"|rustup toolchain install stable --profile minimal|rustup component add [\w -]+"
    r"|python -m pip install [\w.=-]+|go install [\w./-]+@v[\d.]+"
)
WRITING = {
    ("docs.yml", "publish"): {"pages", "id-token"},
    ("release.yml", "attest"): {"attestations", "id-token"},
    ("release.yml", "github"): {"contents"},
    ("release.yml", "image"): {"attestations", "id-token", "packages"},
    ("release.yml", "pypi"): {"id-token"},
}
"""Jobs that may write, and what."""


def load(workflow: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(workflow.read_text())
    return loaded


def jobs() -> Iterator[tuple[Path, str, dict[str, Any]]]:
    for workflow in WORKFLOWS:
        for name, job in load(workflow)["jobs"].items():
            yield workflow, name, job


def expand(text: str, matrix: dict[str, list[str]]) -> set[str]:
    """A step's text with every value of the matrix in its place.

    >>> sorted(expand("make ${{ matrix.target }}", {"target": ["rot", "soak"]}))
    ['make rot', 'make soak']
    """
    names = sorted(set(re.findall(r"\$\{\{ matrix\.(\w+) \}\}", text)))
    expanded = set()
    for values in product(*(matrix[name] for name in names)):
        one = text
        for name, value in zip(names, values, strict=True):
            one = one.replace(f"${{{{ matrix.{name} }}}}", str(value))
        expanded.add(one)
    return expanded


def matrix_of(job: dict[str, Any]) -> dict[str, list[str]]:
    matrix = dict(job.get("strategy", {}).get("matrix", {}))
    included = matrix.pop("include", [])
    for one in included:
        for name, value in one.items():
            matrix.setdefault(name, []).append(value)
    return matrix


def wrong_commands(text: str, targets: set[str]) -> list[str]:
    """The commands of a step that are neither an existing target of make nor an installation."""
    wrong = []
    for command in re.split(r"\n|&&", text):
        words = command.split()
        wanted = {word for word in words[1:] if not re.fullmatch(r"[A-Z]+=[\w.-]+", word)}
        is_target = words[:1] == ["make"] and bool(wanted) and wanted <= targets
        if not is_target and not INSTALLATION.fullmatch(command.strip()):
            wrong.append(command.strip())
    return wrong


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("make lint test", []),
        ("make lint missing", ["make lint missing"]),
        ("make test SEED=7", []),
        ("make SEED=7", ["make SEED=7"]),
        ("make", ["make"]),
        ("apt-get update && apt-get install -y --no-install-recommends make", []),
        ("apt-get install -y --no-install-recommends make && curl example.org", ["curl example.org"]),
        ("rustup component add clippy; make lint", ["rustup component add clippy; make lint"]),
        ("python -m pytest", ["python -m pytest"]),
    ],
)
def test_other_commands_are_found(text: str, expected: list[str]) -> None:
    assert wrong_commands(text, {"lint", "test"}) == expected


def test_steps_are_targets_of_the_makefile() -> None:
    found = 0
    for workflow, name, job in jobs():
        for step in job.get("steps", []):
            for text in expand(step["run"], matrix_of(job)) if "run" in step else ():
                found += text.count("make ")
                assert wrong_commands(text.strip(), TARGETS) == [], f"{workflow.name}: {name}"
    assert found >= 30


def test_every_check_of_ci_is_a_job() -> None:
    """The workflow `test` runs every check of `.ci/run`."""

    def targets_of(text: str) -> set[str]:
        commands = re.findall(r"\bmake((?: [\w=-]+)+)", text)
        return {word for command in commands for word in command.split() if not word.startswith("-")}

    steps = [
        step.get("run", "")
        for job in load(ROOT / ".github/workflows/test.yml")["jobs"].values()
        for step in job["steps"]
    ]
    lines = [line for line in (ROOT / ".ci/run").read_text().splitlines() if not line.startswith("#")]
    in_steps = targets_of("\n".join(step for step in steps if step.startswith("make")))
    assert in_steps == targets_of("\n".join(lines))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=name_of)
def test_actions_have_a_version_and_jobs_an_end(workflow: Path) -> None:
    for name, job in load(workflow)["jobs"].items():
        assert "uses" in job or job["timeout-minutes"] <= 340, name
        for step in [job, *job.get("steps", [])]:
            action = step.get("uses", "")
            assert action.startswith("./") or re.fullmatch(r"([\w./-]+@v\d+(\.\d+)*)?", action), action
            if action.startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False, name


def test_jobs_have_the_least_permissions() -> None:
    writing = {}
    for workflow in WORKFLOWS:
        assert load(workflow)["permissions"] == {"contents": "read"}, workflow.name
        assert "pull_request_target" not in workflow.read_text()
    for workflow, name, job in jobs():
        if written := {scope for scope, level in job.get("permissions", {}).items() if level == "write"}:
            writing[(workflow.name, name)] = written
    assert writing == WRITING


def test_wheels_that_are_only_built_are_marked_and_not_published() -> None:
    """`make wheel` installs what it builds and runs the demo. PyPI gets no other wheels."""
    for name, job in load(ROOT / ".github/workflows/wheels.yml")["jobs"].items():
        is_tried = any(step.get("run") == "make wheel" for step in job["steps"])
        [artifact] = [step["with"]["name"] for step in job["steps"] if "upload-artifact" in step.get("uses", "")]
        assert ("(untested)" in job["name"]) is not is_tried, name
        assert artifact.startswith("wheel-" if is_tried else "untested-wheel-"), name
    [published] = [
        step["with"]
        for step in load(ROOT / ".github/workflows/release.yml")["jobs"]["pypi"]["steps"]
        if "download-artifact" in step["uses"]
    ]
    assert published["pattern"] == "wheel-*"
