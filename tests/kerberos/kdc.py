"""A realm of its own in a folder: MIT's KDC on a free port of this machine, principals, keytabs, tickets."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from tests.hbase.cluster.server import end_with_parent, free_ports

REALM = "ROWSTONE.TEST"
START_SECONDS = 20.0

KRB5_CONF = """\
[libdefaults]
  default_realm = {realm}
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
  default_ccache_name = FILE:{folder}/tickets
  default_keytab_name = FILE:{folder}/no-default.keytab
  default_client_keytab_name = FILE:{folder}/no-default.keytab
[realms]
  {realm} = {{
    kdc = 127.0.0.1:{port}
  }}
"""

KDC_CONF = """\
[kdcdefaults]
  kdc_listen = 127.0.0.1:{port}
  kdc_tcp_listen = 127.0.0.1:{port}
[realms]
  {realm} = {{
    database_name = {folder}/principals
    key_stash_file = {folder}/stash
    acl_file = {folder}/nobody.acl
    max_life = 1h
    supported_enctypes = aes256-cts-hmac-sha1-96:normal aes128-cts-hmac-sha1-96:normal
    disable_pac = true
  }}
[logging]
  kdc = FILE:{folder}/kdc.log
  default = FILE:{folder}/kdc.log
"""


def principal(name: str) -> str:
    """The name with the realm."""
    return f"{name}@{REALM}"


class Realm:
    """A running KDC. `environment` is what programs need to find it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        [self.port] = free_ports(1)
        self._process: subprocess.Popen[bytes] | None = None
        self.configuration = folder / "krb5.conf"
        self.environment = {
            "KRB5_CONFIG": str(self.configuration),
            "KRB5_KDC_PROFILE": str(folder / "kdc.conf"),
            "KRB5CCNAME": f"FILE:{folder}/tickets",
            # The replay cache: a ticket that is sent twice is a replay.
            "KRB5RCACHENAME": f"file2:{folder}/replays",
        }

    def start(self) -> None:
        """Makes the realm and starts the KDC."""
        for name, text in (("krb5.conf", KRB5_CONF), ("kdc.conf", KDC_CONF)):
            (self.folder / name).write_text(text.format(realm=REALM, folder=self.folder, port=self.port))
        self.run(["kdb5_util", "create", "-s", "-r", REALM, "-P", "not-a-secret"])
        self._process = subprocess.Popen(
            [_program("krb5kdc"), "-n"],
            env=self._all(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=end_with_parent,
        )

    def keytab(self, name: str) -> Path:
        """Create a keytab with a new key of a principal, and the principal if it is missing."""
        file = self.folder / f"{name.replace('/', '-')}.keytab"
        if not file.exists():
            self.run(["kadmin.local", "-q", f"addprinc -randkey {name}"])
            self.run(["kadmin.local", "-q", f"ktadd -k {file} {name}"])
        return file

    def kinit(self, name: str, *, cache: Path | None = None, life: str = "30m") -> Path:
        """A ticket of a principal, in a cache."""
        target = cache or self.folder / "tickets"
        command = ["kinit", "-k", "-t", str(self.keytab(name)), "-l", life, "-c", f"FILE:{target}", name]
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                self.run(command)
                return target
            except subprocess.CalledProcessError as error:
                # The KDC may have started only just now.
                if b"Cannot contact any KDC" not in error.stderr or time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def has_ticket(self, cache: Path) -> bool:
        """Whether there is one in the cache that is still good."""
        done = subprocess.run([_program("klist"), "-s", "-c", f"FILE:{cache}"], env=self._all(), check=False)
        return done.returncode == 0

    def run(self, command: list[str]) -> bytes:
        """Run a Kerberos program and return its output."""
        done = subprocess.run(
            [_program(command[0]), *command[1:]], env=self._all(), capture_output=True, check=True, timeout=60
        )
        return done.stdout

    def _all(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        return {**os.environ, **self.environment, **(more or {})}

    def stop(self) -> None:
        """Ends the KDC."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Realm:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _program(name: str) -> str:
    """Debian installs some of them in a folder that is only on root's path."""
    import shutil

    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    return found or name


def is_installed() -> bool:
    """Whether the programs and the library are installed: `make test-kerberos` installs them."""
    import importlib.util
    import shutil

    has_library = importlib.util.find_spec("gssapi") is not None
    return has_library and shutil.which(_program("krb5kdc")) is not None and shutil.which("kinit") is not None
