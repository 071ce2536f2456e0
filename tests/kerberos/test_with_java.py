"""HBase's own: our client reads from a kerberized Apache HBase, and HBase's unmodified Java client from our server."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from tests.clients.test_java import HERE as CLIENTS
from tests.clients.test_java import JAVA, LEAST_STEPS
from tests.hbase.cluster import configuration
from tests.hbase.cluster.server import JAVA_OPTIONS, StandaloneHBase
from tests.kerberos.conftest import SERVICE, kerberized
from tests.kerberos.kdc import Realm, principal
from tests.oracle.build import CONFIGURATION, POM, compiled, fetched

PROTECTIONS = ("authentication", "integrity", "privacy")


def security(protection: str) -> dict[str, str]:
    """Settings of both sides of HBase."""
    return {
        "hbase.security.authentication": "kerberos",
        "hbase.rpc.protection": protection,
        "hbase.master.kerberos.principal": principal(SERVICE),
        "hbase.regionserver.kerberos.principal": principal(SERVICE),
    }


CORE_SITE = """\
<configuration>
<property><name>hadoop.security.authentication</name><value>kerberos</value></property>
</configuration>
"""


def write_core_site(conf: Path) -> None:
    """Hadoop's own classes only read this file."""
    conf.mkdir(exist_ok=True)
    (conf / "core-site.xml").write_text(CORE_SITE)


def java_options(realm: Realm) -> list[str]:
    """Options that give Java the realm."""
    return [f"-Djava.security.krb5.conf={realm.configuration}", "-Djavax.security.auth.useSubjectCredsOnly=true"]


@pytest.fixture(scope="module")
def hbase(realm: Realm) -> Iterator[StandaloneHBase]:
    """A kerberized HBase that takes each protection."""
    keytab = str(realm.keytab(SERVICE))
    settings = {
        **security("privacy,integrity,authentication"),
        "hbase.master.keytab.file": keytab,
        "hbase.regionserver.keytab.file": keytab,
        # The service that returns the current user; every secured cluster has it.
        "hbase.coprocessor.region.classes": "org.apache.hadoop.hbase.security.token.TokenProvider",
    }
    client: dict[str, Any] = {"kerberos": True, "service_principal": SERVICE}
    server = StandaloneHBase(
        servers=1, heap="512m", settings=settings, java_options=java_options(realm), client_options=client
    )
    write_core_site(server.folder / "conf")
    with server:
        yield server


@pytest.mark.parametrize("protection", PROTECTIONS)
def test_our_client_before_hbase(hbase: StandaloneHBase, protection: str) -> None:
    name = f"t-{protection}"
    rows = {f"{number:05}".encode(): os.urandom(200) for number in range(2_000)}
    with rs.connect(hbase.url, kerberos=True, service_principal=SERVICE, protection=protection) as db:
        assert db.admin.permissions.who_am_i() == "ada"
        db.create_table(name, ["f"], splits=["01000"])
        table = db.table(name)
        with table.batch() as batch:
            for key, value in rows.items():
                batch.put(key, {"f:q": value})
        big = os.urandom(2_000_000)
        table.put("big", {"f:q": big})
        assert table.get("big")["f:q"] == big
        assert {row.key: row["f:q"] for row in table.scan(stop="b")} == rows


def test_hbase_refuses_unauthenticated_clients(hbase: StandaloneHBase, realm: Realm) -> None:
    with pytest.raises(errors.AccessDenied, match=r"Authentication is required.*kerberos=True"):
        rs.connect(hbase.url, operation_timeout_ms=10_000)
    realm.keytab("hbase/other")
    with pytest.raises(errors.AccessDenied, match="refused the login"):
        rs.connect(hbase.url, kerberos=True, service_principal="hbase/other", operation_timeout_ms=10_000)


def test_our_client_through_zookeeper(hbase: StandaloneHBase, realm: Realm) -> None:
    bob: dict[str, Any] = {"principal": principal("bob"), "keytab": realm.keytab("bob")}
    with rs.connect(hbase.zookeeper_url, service_principal=SERVICE, **bob) as db:
        assert db.admin.permissions.who_am_i() == "bob"


@pytest.mark.parametrize("protection", PROTECTIONS)
def test_hbases_client_before_our_server(realm: Realm, tmp_path: Path, protection: str) -> None:
    """Through ZooKeeper: with the other registry the client 2.6.4 never begins its login."""
    client = {
        **security(protection),
        "hbase.defaults.for.version.skip": "true",
        "hbase.client.keytab.file": str(realm.keytab("java")),
        "hbase.client.keytab.principal": principal("java"),
    }
    conf = configuration.write(tmp_path, client)
    write_core_site(conf)
    jars = fetched(POM, "lib")
    classes = compiled([CLIENTS / "java" / "ClientSession.java"], [f"{jars}/*"], "clients-2.6")
    path = os.pathsep.join([str(conf), str(classes), f"{jars}/*", str(CONFIGURATION)])
    command = [*JAVA, *JAVA_OPTIONS, *java_options(realm), "-cp", path, "ClientSession", "zk", "127.0.0.1"]
    with kerberized(realm, protection) as server:
        # The session uses a database of its own.
        server.database.drop_table("secret", force=True)
        command += [str(server.port), str(server.zk_port)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        logins = server.logins
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    steps = [line for line in done.stdout.splitlines() if line.startswith("ok ")]
    assert len(steps) >= LEAST_STEPS, done.stdout
    assert logins["authenticationSuccesses"] >= 2
    assert set(logins.values()) == {logins["authenticationSuccesses"], 0}
