"""The ways to a cluster: through its servers, through ZooKeeper, compressed, encrypted."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors
from tests.hbase.cluster.server import StandaloneHBase

ROWS = {f"{number:05}".encode(): (f"{number} " * 20).encode() for number in range(5_000)}


def exercise(db: rs.Database, name: str) -> None:
    """Writes and reads in every way that carries cells."""
    db.create_table(name, ["f"], splits=["02000"])
    table = db.table(name)
    with table.batch() as batch:
        for key, value in ROWS.items():
            batch.put(key, {"f:a": value})
    assert {row.key: row["f:a"] for row in table.scan()} == ROWS
    assert [row["f:a"] for row in table.get_many(list(ROWS))] == list(ROWS.values())
    assert table.get("00007")["f:a"] == ROWS[b"00007"]
    assert table.increment("n", "f:n", 3) == 3
    table.put("big", {"f:a": bytes(3_000_000)})
    assert table.get("big")["f:a"] == bytes(3_000_000)
    db.drop_table(name, force=True)


def test_connects_through_zookeeper(hbase: StandaloneHBase) -> None:
    with rs.connect(hbase.zookeeper_url) as db:
        exercise(db, "through-zk")
    with pytest.raises(errors.ConnectionFailed, match="/elsewhere/hbaseid"):
        rs.connect(hbase.zookeeper_url.replace("/hbase", "/elsewhere"), connect_timeout_ms=3_000)
    with pytest.raises(errors.ConnectionFailed):
        rs.connect(f"hbase+zk://127.0.0.1:{hbase.master_port}", connect_timeout_ms=3_000)


@pytest.mark.parametrize("compression", ["gz", "snappy", "lz4"])
def test_connects_with_compression(hbase: StandaloneHBase, compression: str) -> None:
    with rs.connect(hbase.url, compression=compression) as db:
        exercise(db, f"compressed-{compression}")


def test_options_that_are_wrong(hbase: StandaloneHBase, tmp_path: Path) -> None:
    with pytest.raises(errors.InvalidArgument, match="zip"):
        rs.connect(hbase.url, compression="zip")
    with pytest.raises(errors.InvalidArgument, match=r"missing\.pem"):
        rs.connect(hbase.url, tls=rs.Tls(tmp_path / "missing.pem"))
    with pytest.raises(errors.InvalidArgument, match="neither"):
        rs.connect(hbase.url, tls=rs.Tls(tmp_path / "ca.pem", certificate=tmp_path / "own.pem"))


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a server's key (key.p12, password `password`) and its certificate (ca.pem)."""
    folder = tmp_path_factory.mktemp("tls")
    store = ["-keystore", "key.p12", "-storetype", "PKCS12", "-storepass", "password", "-alias", "server"]
    names = "SAN=dns:localhost,ip:127.0.0.1"
    for command in (
        ["keytool", "-genkeypair", *store, "-keyalg", "EC", "-dname", "CN=localhost", "-ext", names],
        ["keytool", "-exportcert", *store, "-rfc", "-file", "ca.pem"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def encrypted(keys: Path) -> Iterator[StandaloneHBase]:
    """A server that speaks TLS, and to its own kind still in plain text."""
    settings = {
        "hbase.server.netty.tls.enabled": "true",
        "hbase.server.netty.tls.supportplaintext": "true",
        "hbase.server.netty.tls.client.auth.mode": "NONE",
        "hbase.rpc.tls.keystore.location": str(keys / "key.p12"),
        "hbase.rpc.tls.keystore.type": "PKCS12",
        "hbase.rpc.tls.keystore.password": "password",
    }
    with StandaloneHBase(servers=1, settings=settings) as server:
        yield server


def test_connects_with_tls(encrypted: StandaloneHBase, keys: Path) -> None:
    with rs.connect(encrypted.url, tls=rs.Tls(keys / "ca.pem")) as db:
        exercise(db, "encrypted")
    with rs.connect(encrypted.url, tls=rs.Tls(keys / "ca.pem"), compression="gz") as db:
        exercise(db, "both")


def test_a_server_that_is_not_trusted_or_speaks_no_tls(
    hbase: StandaloneHBase, encrypted: StandaloneHBase, keys: Path, tmp_path: Path
) -> None:
    other = ["keytool", "-genkeypair", "-keystore", "other.p12", "-storepass", "password", "-alias", "other"]
    subprocess.run([*other, "-keyalg", "EC", "-dname", "CN=localhost"], cwd=tmp_path, check=True, capture_output=True)
    export = ["keytool", "-exportcert", "-keystore", "other.p12", "-storepass", "password", "-alias", "other"]
    subprocess.run([*export, "-rfc", "-file", "other.pem"], cwd=tmp_path, check=True, capture_output=True)
    with pytest.raises(errors.ConnectionFailed, match="no TLS"):
        rs.connect(encrypted.url, tls=rs.Tls(tmp_path / "other.pem"), connect_timeout_ms=3_000)
    with pytest.raises(errors.ConnectionFailed, match="no TLS"):
        rs.connect(hbase.url, tls=rs.Tls(keys / "ca.pem"), connect_timeout_ms=3_000)
