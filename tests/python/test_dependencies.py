"""Dependencies: compatible licenses, one source, nothing banned, no version with a known vulnerability.

Part of `make lint`. It needs no network: crates are read from `cargo metadata --offline`, Python packages from the
requirements and from the installed ones. Known vulnerabilities are a hand-written list of first fixed versions.
"""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"
# CDLA-Permissive-2.0 is that of webpki-root-certs, a list of certificates that only Android compiles.
LICENSES = {
    "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "CDLA-Permissive-2.0", "ISC", "MIT",
    "Unicode-3.0", "Unlicense", "Zlib",
}  # fmt: skip
COPYLEFT = re.compile(r"\b[AL]?GPL|GNU (Affero|Lesser|General)|SSPL|BUSL", re.IGNORECASE)
# chrono comes with object_store and hdfs-native; docs/explanation/storage-libraries.md has the reason for these.
BANNED = {
    "openssl-sys": "TLS is rustls: nothing of the machine's is linked", "native-tls": "as openssl-sys",
    "aws-lc-sys": "needs cmake; ring does the same", "time": "dates come from the standard library",
}  # fmt: skip
# The newest advisory of each crate in RustSec's database of 2026-08-21: all 94 about crates of the lock file were read.
FIRST_SOUND = {
    "anyhow": ("1.0.103", "RUSTSEC-2026-0190"), "arc-swap": ("1.1.0", "RUSTSEC-2020-0091"),
    "borsh": ("1.0.0", "RUSTSEC-2023-0033"), "bumpalo": ("3.11.1", "RUSTSEC-2022-0078"),
    "bytes": ("1.11.1", "RUSTSEC-2026-0007"), "chrono": ("0.4.20", "RUSTSEC-2020-0159"),
    "cmov": ("0.4.4", "RUSTSEC-2026-0003"), "crossbeam-channel": ("0.5.15", "RUSTSEC-2025-0024"),
    "crossbeam-epoch": ("0.9.20", "RUSTSEC-2026-0204"), "crossbeam-utils": ("0.8.7", "RUSTSEC-2022-0041"),
    "futures-task": ("0.3.6", "RUSTSEC-2020-0060"), "futures-util": ("0.3.7", "RUSTSEC-2020-0059"),
    "generic-array": ("0.13.3", "RUSTSEC-2020-0146"), "h2": ("0.4.16", "RUSTSEC-2026-0258"),
    "hashbrown": ("0.15.1", "RUSTSEC-2024-0402"), "http": ("0.1.20", "RUSTSEC-2019-0034"),
    "hyper": ("0.14.12", "RUSTSEC-2022-0022"), "iana-time-zone": ("0.1.45", "RUSTSEC-2022-0049"),
    "idna": ("1.0.0", "RUSTSEC-2024-0421"), "lock_api": ("0.4.2", "RUSTSEC-2020-0070"),
    "lz4_flex": ("0.12.1", "RUSTSEC-2026-0041"), "mio": ("0.8.11", "RUSTSEC-2024-0019"),
    "object_store": ("0.10.2", "RUSTSEC-2024-0358"), "ordered-float": ("2.0.1", "RUSTSEC-2020-0082"),
    "prost": ("0.6.1", "RUSTSEC-2020-0002"), "prost-types": ("0.8.0", "RUSTSEC-2021-0073"),
    "pyo3": ("0.29.0", "RUSTSEC-2026-0176"), "quick-xml": ("0.41.0", "RUSTSEC-2026-0195"),
    "rand": ("0.8.6", "RUSTSEC-2026-0097"), "rand_core": ("0.6.2", "RUSTSEC-2021-0023"),
    "regex": ("1.5.5", "RUSTSEC-2022-0013"), "ring": ("0.17.12", "RUSTSEC-2025-0009"),
    "rustls": ("0.23.18", "RUSTSEC-2024-0399"), "rustls-webpki": ("0.103.12", "RUSTSEC-2026-0099"),
    "security-framework": ("0.1.12", "RUSTSEC-2017-0003"), "shlex": ("1.3.0", "RUSTSEC-2024-0006"),
    "slab": ("0.4.11", "RUSTSEC-2025-0047"), "smallvec": ("1.6.1", "RUSTSEC-2021-0003"),
    "socket2": ("0.3.16", "RUSTSEC-2020-0079"), "spin": ("0.9.8", "RUSTSEC-2023-0031"),
    "tokio": ("1.44.2", "RUSTSEC-2025-0023"), "tokio-rustls": ("0.13.1", "RUSTSEC-2020-0019"),
    "tower-http": ("0.2.1", "RUSTSEC-2022-0043"), "tracing": ("0.1.40", "RUSTSEC-2023-0078"),
    "whoami": ("1.5.0", "RUSTSEC-2024-0020"), "zerocopy": ("0.7.31", "RUSTSEC-2023-0074"),
    "zerovec": ("0.10.4", "RUSTSEC-2024-0347"), "zerovec-derive": ("0.10.3", "RUSTSEC-2024-0346"),
    "zlib-rs": ("0.4.0", "RUSTSEC-2024-0401"),
}  # fmt: skip
FIRST_SOUND_OF_PYTHON = {
    "h11": ("0.16.0", "CVE-2025-43859"), "idna": ("3.15", "CVE-2026-45409"), "jinja2": ("3.1.6", "CVE-2025-27516"),
    "pyarrow": ("14.0.1", "CVE-2023-47248"), "requests": ("2.32.4", "CVE-2024-47081"),
    "starlette": ("0.49.1", "CVE-2025-62727"), "urllib3": ("2.5.0", "CVE-2025-50181"),
    "protobuf": ("6.31.1", "CVE-2025-4565"), "tornado": ("6.5", "CVE-2025-47287"),
}  # fmt: skip


@cache
def crates() -> tuple[dict[str, Any], ...]:
    """All crates of the lock file, for every platform."""
    command = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        # A fresh machine has only fetched the crates of its own platform.
        host = re.search(r"host: (\S+)", subprocess.check_output(["rustc", "-vV"], text=True))
        assert host is not None
        command += ["--filter-platform", host[1]]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(json.loads(done.stdout)["packages"])


def is_allowed(expression: str) -> bool:
    """Whether a license may be chosen that is one of ours: of `OR` one, of `AND` all.

    >>> is_allowed("MIT OR GPL-2.0"), is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0"), is_allowed("MIT AND GPL-2.0")
    (True, True, False)
    """
    parts = [part.strip("() ") for part in re.split(r"\bAND\b", expression)]
    return all(any(one.strip() in LICENSES for one in re.split(r"\bOR\b|/", part)) for part in parts)


def version_of(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", text.split("+")[0])[:3])


def pinned() -> dict[str, str]:
    """The packages of all requirements, by lower-case name; each has one version."""
    found: dict[str, str] = {}
    for file in sorted(ROOT.glob("requirements-*.txt")):
        for line in file.read_text().splitlines():
            if line and not line.startswith(("#", "-")):
                name, exact, version = line.split(";")[0].partition("==")
                assert exact, f"{file.name}: {line} has no exact version"
                found[name.strip().lower()] = version.strip()
    return found


def license_of(distribution: Distribution) -> str:
    meta = distribution.metadata
    classifiers = [one for one in meta.get_all("Classifier") or () if one.startswith("License")]
    return " ".join([meta.get("License-Expression") or (meta.get("License") or "")[:100], *classifiers])


def test_licenses_of_crates_go_with_ours() -> None:
    assert {one["name"]: one["license"] for one in crates() if not is_allowed(one["license"] or "")} == {}
    assert is_allowed("MIT OR GPL-2.0")
    assert not is_allowed("MIT AND GPL-2.0")
    assert not is_allowed("")


def test_crates_come_from_one_registry() -> None:
    assert {one["name"]: one["source"] for one in crates() if one["source"] not in (None, CRATES_IO)} == {}


def test_no_crate_is_banned() -> None:
    assert {one["name"]: BANNED[one["name"]] for one in crates() if one["name"] in BANNED} == {}


def test_no_crate_has_a_known_hole() -> None:
    for one in crates():
        first, advisory = FIRST_SOUND.get(one["name"], ("0", ""))
        assert version_of(one["version"]) >= version_of(first), f"{one['name']} {one['version']}: {advisory}"


def test_no_package_of_python_has_a_known_hole() -> None:
    for name, version in pinned().items():
        first, advisory = FIRST_SOUND_OF_PYTHON.get(name, ("0", ""))
        assert version_of(version) >= version_of(first), f"{name} {version}: {advisory}"


def test_no_package_of_python_is_under_copyleft() -> None:
    wanted = pinned().keys()
    for one in distributions():
        if one.metadata["Name"].lower() in wanted:
            assert not COPYLEFT.search(license_of(one)), f"{one.metadata['Name']}: {license_of(one)}"


@pytest.mark.parametrize(("old", "new"), [("0.9.9", "0.17.12"), ("1.44.1", "1.44.2"), ("3.9", "3.20")])
def test_versions_are_compared_as_numbers(old: str, new: str) -> None:
    assert version_of(old) < version_of(new)
