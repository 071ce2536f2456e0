"""Files in deploy/: they use options that exist, agree with each other, and the health check works."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import tomllib
from configparser import RawConfigParser
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer
import yaml

import rowstone as rs
from rowstone.cli._main import app_of
from rowstone.cli.serving.options import Options
from tests.planted.run import COPIED
from tests.python.structure import ROOT

DEPLOY = ROOT / "deploy"
STATE = "/var/lib/rowstone"


def load_script(name: str) -> ModuleType:
    """A script of deploy/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, DEPLOY / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parse(words: list[str]) -> dict[str, Any]:
    """The options of a command line of `rowstone serve`, parsed by the real command. An unknown option is an error."""
    assert words[0] == "serve", words
    group = typer.main.get_command(app_of(["serve"]))
    command = group.commands["serve"]  # type: ignore[attr-defined]
    params: dict[str, Any] = command.make_context("serve", words[1:]).params
    return params


def instructions(name: str) -> list[str]:
    """The values of an instruction of the Dockerfile, in order."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text())
    return re.findall(rf"^{name} (.+)$", text, re.MULTILINE)


def unit() -> RawConfigParser:
    parser = RawConfigParser(strict=False, interpolation=None, delimiters="=", comment_prefixes="#")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string((DEPLOY / "rowstone.service").read_text().replace("\\\n", ""))
    return parser


def compose() -> dict[str, Any]:
    service: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["rowstone"]
    return service


def kubernetes(kind: str) -> dict[str, Any]:
    [found] = [one for one in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()) if one["kind"] == kind]
    spec: dict[str, Any] = found["spec"]
    return spec


def pod() -> dict[str, Any]:
    spec: dict[str, Any] = kubernetes("StatefulSet")["template"]["spec"]
    return spec


def container() -> dict[str, Any]:
    [one] = pod()["containers"]
    found: dict[str, Any] = one
    return found


def unit_command() -> list[str]:
    program, *words = shlex.split(unit()["Service"]["ExecStart"])
    assert program == "/opt/rowstone/bin/rowstone"
    return words


COMMANDS = {
    "Dockerfile": lambda: json.loads(instructions("CMD")[-1]),
    "compose.yaml": lambda: compose()["command"],
    "kubernetes.yaml": lambda: container()["args"],
    "rowstone.service": unit_command,
}


@pytest.mark.parametrize("file", COMMANDS)
def test_commands_use_options_that_exist(file: str) -> None:
    options = parse(COMMANDS[file]())
    assert options["directory"] == f"{STATE}/db"
    assert (options["port"], options["zk_port"], options["info_port"]) == (16000, 2181, 16010)


def test_an_unknown_option_is_found() -> None:
    with pytest.raises(Exception, match="No such option"):
        parse(["serve", "db", "--hosts=0.0.0.0"])


@pytest.mark.parametrize("file", COMMANDS)
def test_servers_beyond_the_machine_authenticate(file: str) -> None:
    """The image alone listens inside its container; the other files use passwords over TLS."""
    options = parse(COMMANDS[file]())
    assert not options["insecure"]
    if file == "Dockerfile":
        assert options["host"] == "127.0.0.1"
    else:
        assert options["host"] == "0.0.0.0"
        assert options["advertised"], "clients would verify the certificate against an IP address"
        assert options["auth"] == ["password"]
        assert options["tls_only"]
        assert options["tls_certificate"]
        assert options["tls_key"]
        assert options["users"].endswith("/users.toml")


def test_the_server_has_time_to_stop() -> None:
    """It kills itself `--stop-timeout` seconds after SIGTERM; the supervisor must not be quicker."""
    graces = [
        unit()["Service"]["TimeoutStopSec"],
        compose()["stop_grace_period"],
        pod()["terminationGracePeriodSeconds"],
    ]
    assert [int(str(grace).rstrip("s")) > Options.stop_timeout for grace in graces] == [True] * 3
    assert instructions("STOPSIGNAL") == ["SIGTERM"]


def test_the_server_is_not_root() -> None:
    [user] = instructions("USER")
    context = pod()["securityContext"]
    assert user == f"{context['runAsUser']}:{context['runAsGroup']}" == "65532:65532"
    assert context["runAsNonRoot"]
    assert unit()["Service"]["User"] == "rowstone"
    assert unit()["Service"]["NoNewPrivileges"] == "yes"
    assert container()["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert compose()["cap_drop"] == ["ALL"]


def test_the_files_use_the_same_ports_and_folder() -> None:
    exposed = {int(port) for port in instructions("EXPOSE")[0].split()}
    assert {one["containerPort"] for one in container()["ports"]} == exposed
    assert {one["port"] for one in kubernetes("Service")["ports"]} == exposed
    assert {int(one.rpartition(":")[2]) for one in compose()["ports"]} == exposed
    assert f"data:{STATE}" in compose()["volumes"]
    assert instructions("VOLUME") == [STATE]
    assert unit()["Service"]["StateDirectory"] == Path(STATE).name
    assert STATE in [one["mountPath"] for one in container()["volumeMounts"]]
    assert kubernetes("StatefulSet")["replicas"] == 1


def test_probes_speak_tls() -> None:
    """A server with TLS has no plain HTTP port."""
    for probe in ("startupProbe", "readinessProbe"):
        assert container()[probe]["httpGet"] == {"path": "/ready", "port": "info", "scheme": "HTTPS"}
    assert compose()["environment"]["ROWSTONE_READY_URL"] == "https://127.0.0.1:16010/ready"


def test_the_dockerfile_copies_what_exists() -> None:
    allowed = {line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line[0] == "!"}
    copied = {word for one in instructions("COPY") if "--from" not in one for word in one.split()[:-1]}
    assert copied == allowed
    assert [one for one in copied if not (ROOT / one).exists()] == []


def test_the_dockerfile_and_planted_bugs_have_every_member_of_the_workspace() -> None:
    """Cargo reads the manifests of all members: without the one of ``fuzz``, neither of the two could build."""
    members = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["members"]
    folders = {member.partition("/")[0] for member in members}
    copied = {word for one in instructions("COPY") if "--from" not in one for word in one.split()[:-1]}
    assert folders <= copied
    assert folders <= set(COPIED)


def test_the_health_check_follows_the_server(capsys: pytest.CaptureFixture[str]) -> None:
    script = load_script("healthcheck")
    with rs.serve(":memory:", port=0, zk_port=None, info_port=0) as server:
        address = f"http://127.0.0.1:{server.info_port}"
        url = f"{address}/ready"
        assert script.is_ready(url)
        assert not script.is_ready(f"{address}/no-such-page")
        assert ": 404 " in capsys.readouterr().out
    assert not script.is_ready(url)
    assert "refused" in capsys.readouterr().out


def test_the_health_check_speaks_tls() -> None:
    files = ROOT / "tests/served/tls"
    tls = rs.ServerTls(files / "certificate.pem", files / "key.pem", plain_text=False)
    with rs.serve(":memory:", port=0, zk_port=None, info_port=0, tls=tls) as server:
        assert load_script("healthcheck").is_ready(f"https://127.0.0.1:{server.info_port}/ready")


def test_the_health_check_asks_where_the_image_listens() -> None:
    options = parse(json.loads(instructions("CMD")[-1]))
    script = load_script("healthcheck")
    assert f"http://{options['host']}:{options['info_port']}/ready" == script.READY_URL
    assert "/opt/rowstone/healthcheck.py" in instructions("HEALTHCHECK")[0]
    seconds = re.search(r"--timeout=(\d+)s", instructions("HEALTHCHECK")[0])
    assert seconds is not None
    assert int(seconds[1]) > script.TIMEOUT_S


def test_the_bill_of_materials_has_what_is_compiled() -> None:
    """Crates that only tests or build scripts use are left out; Python packages have ranges."""
    sbom = load_script("sbom")
    packages = [
        {"id": name, "name": name, "version": "1.2.3", "license": "MIT/Apache-2.0"}
        for name in ("rowstone-py", "zstd", "proptest", "cc")
    ]
    wanted = [("zstd", None), ("proptest", "dev"), ("cc", "build")]
    links = [{"pkg": name, "dep_kinds": [{"kind": kind}]} for name, kind in wanted]
    nodes = [{"id": one["id"], "deps": links if one["id"] == "rowstone-py" else []} for one in packages]
    metadata = {"packages": packages, "resolve": {"nodes": nodes}}
    lock = {"package": [{"name": "zstd", "version": "1.2.3", "checksum": "ab" * 32}]}
    project = {"dependencies": ["typer>=0.12"], "optional-dependencies": {"x": ["Pandas>=2"]}, "license": "Apache-2.0"}
    document = sbom.bill(metadata, lock, project)
    found = {one["name"]: one for one in document["components"]}
    assert sorted(found) == ["Pandas", "rowstone-py", "typer", "zstd"]
    assert found["zstd"]["hashes"] == [{"alg": "SHA-256", "content": "ab" * 32}]
    assert found["zstd"]["licenses"] == [{"expression": "MIT OR Apache-2.0"}]
    assert found["typer"]["properties"][0]["value"] == ">=0.12"
    assert (found["typer"]["scope"], found["Pandas"]["scope"]) == ("required", "optional")
    assert {"ref": "rowstone-py@1.2.3", "dependsOn": ["zstd@1.2.3"]} in document["dependencies"]
    assert document == sbom.bill(metadata, lock, project)
