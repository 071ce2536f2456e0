"""`make planted`: plants each bug of `patches/` into a copy of the sources and runs the test that must catch it.

    python -m tests.planted.run [NAME...]

A patch says in its first two lines what it breaks and which command catches it, in the command's short size. A bug is
caught when the patched sources build and the command fails, or does not end. The copy and what is built of it stay in
`build/planted`, so that each bug costs one incremental build. The sources without a bug must pass all commands first.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATCHES = Path(__file__).parent / "patches"
PLACE = ROOT / "build" / "planted"
TREE = PLACE / "tree"
MOST_SECONDS = 900
COPIED = ("crates", "fuzz", "tests/compat/hfiles", "tests/oracle/filter_language.txt", "Cargo.toml", "Cargo.lock")

_HEAD = re.compile(r"Breaks: (?P<breaks>[^\n]+)\nCaught by: (?P<command>cargo test [^\n]+)\n")
_CAUSE = re.compile(r"^(?:test \S+ \.\.\. FAILED|thread .*panicked at [^\n]*)$", re.MULTILINE)


@dataclass(frozen=True)
class Planted:
    """A bug: its name, what it breaks, the command that must fail because of it."""

    name: str
    breaks: str
    command: tuple[str, ...]
    patch: Path


def planted() -> list[Planted]:
    """All bugs, in the order of their names."""
    bugs = []
    for patch in sorted(PATCHES.glob("*.patch")):
        head = _HEAD.match(patch.read_text())
        if head is None:
            raise ValueError(f"{patch.name} does not begin with 'Breaks:' and 'Caught by: cargo test ...'")
        bugs.append(Planted(patch.stem, head["breaks"], tuple(head["command"].split()), patch))
    return bugs


def apply(patch: Path, tree: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Applies a patch below `tree`, which `git` shall not take for a part of a repository."""
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)}
    command = ["git", "apply", "-p1", *options, str(patch)]
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)


def copy_sources() -> None:
    """Makes the tree what the sources are. The engine counts as changed: what was built last may have had a bug."""
    shutil.rmtree(TREE, ignore_errors=True)
    for name in COPIED:
        source, target = ROOT / name, TREE / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
    (TREE / "crates/engine/src/lib.rs").touch()


def cargo(command: tuple[str, ...], *options: str) -> tuple[bool, str]:
    """Runs the command in the tree; whether it passed, and what it printed."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(PLACE / "target"), "CARGO_PROFILE_DEV_DEBUG": "0"}
    environment.pop("RUSTFLAGS", None)
    try:
        done = subprocess.run(
            [*command, *options],
            cwd=TREE,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"it did not end within {MOST_SECONDS} seconds"
    return done.returncode == 0, done.stdout


def try_bug(bug: Planted) -> str:
    """Plants a bug; gives what caught it, or raises `LookupError` with why it was missed."""
    applied = apply(bug.patch, TREE)
    if applied.returncode:
        raise LookupError(f"the patch does not apply: {applied.stderr.strip()}")
    try:
        builds, text = cargo(bug.command, "--no-run")
        if not builds:
            raise LookupError(f"it does not build:\n{text[-3000:]}")
        passed, text = cargo(bug.command)
        if passed:
            raise LookupError("every test passed")
        causes = _CAUSE.findall(text)
        return causes[0][:140] if causes else text.strip()[-140:]
    finally:
        apply(bug.patch, TREE, "--reverse")


def main(names: list[str]) -> int:
    """Tries the named bugs, or all."""
    bugs = [bug for bug in planted() if not names or bug.name in names]
    copy_sources()
    for command in sorted({bug.command for bug in bugs}):
        passed, text = cargo(command)
        print(f"without a bug: {'passed' if passed else 'FAILED'}: {' '.join(command)}", flush=True)
        if not passed:
            print(text[-3000:])
            return 1
    caught = 0
    for bug in bugs:
        started = time.monotonic()
        try:
            cause = try_bug(bug)
            caught += 1
            verdict = f"caught: {cause}"
        except LookupError as error:
            verdict = f"MISSED: {error}"
        print(f"{bug.name} ({time.monotonic() - started:.0f} s) {verdict}", flush=True)
    print(f"planted: {caught} of {len(bugs)} caught")
    return 0 if caught == len(bugs) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
