"""Software bill of materials of the wheel, as CycloneDX 1.6: `make sbom` writes it to `dist/rowstone.cdx.json`.

Components are the crates that are compiled into the extension, for any platform, with the checksums of `Cargo.lock`,
and the Python packages that `pyproject.toml` names. pip chooses their versions at installation, so the document has
their ranges instead. It has no time and no random number: the same sources give the same bytes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import uuid
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
EXTENSION = "rowstone-py"
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(.*)")


def compiled_crates(metadata: dict[str, Any]) -> dict[str, list[str]]:
    """The crates of the extension by id, each with the ids that it depends on; none of tests and build scripts."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [package["id"] for package in metadata["packages"] if package["name"] == EXTENSION]
    found: dict[str, list[str]] = {}
    while waiting:
        crate = waiting.pop()
        if crate not in found:
            wanted = [one for one in nodes[crate]["deps"] if any(kind["kind"] is None for kind in one["dep_kinds"])]
            found[crate] = sorted({one["pkg"] for one in wanted})
            waiting += found[crate]
    return found


def crate_component(package: dict[str, Any], checksums: dict[tuple[str, str], str]) -> dict[str, Any]:
    """One crate. Those of this project have no registry, so neither purl nor checksum."""
    name, version = package["name"], package["version"]
    component = {"type": "library", "bom-ref": f"{name}@{version}", "name": name, "version": version}
    component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if checksum := checksums.get((name, version)):
        component["purl"] = f"pkg:cargo/{name}@{version}"
        component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return component


def python_components(project: dict[str, Any]) -> list[dict[str, Any]]:
    """The packages that pip installs with the wheel, and those of its extras."""
    wanted = dict.fromkeys(project["dependencies"], "required")
    for extra in project["optional-dependencies"].values():
        wanted |= {one: "optional" for one in extra if one not in wanted}
    components = []
    for requirement, scope in wanted.items():
        match = _REQUIREMENT.fullmatch(requirement)
        assert match, requirement
        component = {"type": "library", "bom-ref": f"pypi:{match[1]}", "name": match[1], "scope": scope}
        component["purl"] = f"pkg:pypi/{match[1].lower()}"
        component["properties"] = [{"name": "rowstone:versions", "value": match[2]}]
        components.append(component)
    return components


def bill(metadata: dict[str, Any], lock: dict[str, Any], project: dict[str, Any]) -> dict[str, Any]:
    """The document, from `cargo metadata`, `Cargo.lock` and the table `project` of `pyproject.toml`."""
    packages = {package["id"]: package for package in metadata["packages"]}
    checksums = {(one["name"], one["version"]): one["checksum"] for one in lock["package"] if "checksum" in one}
    graph = compiled_crates(metadata)
    components = {crate: crate_component(packages[crate], checksums) for crate in graph}
    python = python_components(project)
    [extension] = [component for component in components.values() if component["name"] == EXTENSION]
    version = extension["version"]
    wheel = {"type": "application", "bom-ref": "rowstone", "name": "rowstone", "version": version}
    wheel |= {"licenses": [{"expression": project["license"]}], "purl": f"pkg:pypi/rowstone@{version}"}
    required = [one["bom-ref"] for one in python if one["scope"] == "required"]
    links = {"rowstone": sorted([extension["bom-ref"], *required])}
    for crate, wanted in graph.items():
        links[components[crate]["bom-ref"]] = sorted(components[one]["bom-ref"] for one in wanted)
    ordered = sorted([*components.values(), *python], key=lambda component: component["bom-ref"])
    identity = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([wheel, ordered], sort_keys=True))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{identity}",
        "version": 1,
        "metadata": {"component": wheel},
        "components": ordered,
        "dependencies": [{"ref": ref, "dependsOn": wanted} for ref, wanted in sorted(links.items())],
    }


def main() -> None:
    """Write the document to the path that is given."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    document = bill(metadata, lock, project)
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(document, indent=1) + "\n")
    print(f"{target}: {len(document['components'])} components")


if __name__ == "__main__":
    main()
