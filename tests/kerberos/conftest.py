"""A realm for the tests of this folder, and a table in a server that requires its tickets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import rowstone as rs
from rowstone.server.security import Authentication
from tests.kerberos.kdc import Realm, is_installed, principal

SERVICE = "hbase/localhost"


def pytest_configure() -> None:
    """Without a KDC, or without the library, there is nothing to test with."""
    if not is_installed():
        raise pytest.UsageError("tests/kerberos needs krb5-kdc and gssapi: make test-kerberos installs them")


@pytest.fixture(scope="session")
def realm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Realm]:
    """The realm, found by this process and those that it starts."""
    before = dict(os.environ)
    with Realm(tmp_path_factory.mktemp("realm")) as realm:
        os.environ.update(realm.environment)
        try:
            realm.keytab(SERVICE)
            realm.kinit("ada")
            yield realm
        finally:
            os.environ.clear()
            os.environ.update(before)


@contextmanager
def kerberized(realm: Realm, protection: str, **more: object) -> Iterator[rs.Server]:
    """A server of that realm, with a table."""
    keytab = realm.keytab(SERVICE)
    authentication = Authentication(
        "kerberos",
        keytab=keytab,
        principal=principal(SERVICE),
        protection=protection,
        **more,  # type: ignore[arg-type]
    )
    with rs.serve(":memory:", port=0, zk_port=0, authentication=authentication, advertised="localhost") as server:
        server.database.create_table("secret", ["f"])
        server.database.table("secret").put("r", {"f:q": "hidden"})
        yield server


@pytest.fixture(scope="session")
def server(realm: Realm) -> Iterator[rs.Server]:
    """One that takes each protection."""
    with kerberized(realm, "authentication,integrity,privacy") as server:
        yield server
