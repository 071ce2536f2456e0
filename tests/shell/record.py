"""Records HBase's own shell on clusters: `python -m tests.shell.record [NAME...]`.

It sends `sessions/NAME.txt` to the shell of HBase 2.4.17 (the newest that is published as an artifact) on the jars of
HBase 2.6.4, connected to a cluster of one server, and stores the output in `transcripts/cluster/NAME.txt`. Words such
as @SERVER@ stand for values that differ between clusters: they are filled in before the text is sent, and put back into
the stored output.
"""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import rowstone as rs
from tests.clients.test_shell import SHELL_POM, ruby
from tests.hbase.cluster.server import JAVA_OPTIONS, StandaloneHBase
from tests.oracle.build import POM, fetched
from tests.shell.transcript import FOLDER

SESSIONS = Path(__file__).parent / "sessions"
RECORDED = FOLDER / "cluster"
TIMEOUT_SECONDS = 600

_ACCESS = "org.apache.hadoop.hbase.security.access.AccessController"
_LABELS = "org.apache.hadoop.hbase.security.visibility.VisibilityController"
GUARDED: Mapping[str, str] = {
    "hbase.quota.enabled": "true",
    "hbase.security.authorization": "true",
    "hbase.superuser": f"rowstone,{getpass.getuser()}",
    "hbase.coprocessor.master.classes": f"{_ACCESS},{_LABELS}",
    "hbase.coprocessor.region.classes": f"{_ACCESS},{_LABELS}",
    "hbase.coprocessor.regionserver.classes": _ACCESS,
}
"""Settings of a cluster with quotas, access control and labels."""

PLAIN: Mapping[str, str] = {}

KINDS: Mapping[str, Mapping[str, str]] = {
    "peers": PLAIN,
    "regions": PLAIN,
    "rights": GUARDED,
    "labels": GUARDED,
    "limits": GUARDED,
}
"""The sessions, and the settings of their cluster."""


def prepared(name: str, hbase: StandaloneHBase, cluster: rs.Database) -> dict[str, str]:
    """Replacements for the words. A session that does not create a table `t` itself finds one with three regions."""
    if cluster.admin.tables.exists("t"):
        cluster.drop_table("t", force=True)
    cluster.create_table("t", ["f"], splits=["h", "p"])
    words = {"@ZK@": str(hbase.zookeeper_port), "@SERVER@": cluster.admin.servers.status().servers[0].name}
    regions = cluster.admin.regions.list("t")
    words |= {f"@R{number}@": region.encoded_name for number, region in enumerate(regions, 1)}
    if name == "rights":
        words["@USER@"] = getpass.getuser()
    if "create 't'" in (SESSIONS / f"{name}.txt").read_text():
        cluster.drop_table("t", force=True)
    return words


def filled(text: str, words: Mapping[str, str]) -> str:
    """With the names of this cluster."""
    for word, name in words.items():
        text = text.replace(word, name)
    return text


def blank(text: str, words: Mapping[str, str]) -> str:
    """With words in the place of names."""
    for word, name in words.items():
        text = text.replace(name, word)
    return text


def typed(folder: Path, hbase: StandaloneHBase, text: str) -> str:
    """Output of HBase's shell for a text from a pipe."""
    jars = fetched(SHELL_POM, "shell")
    [shell], [jruby] = jars.glob("hbase-shell-*.jar"), jars.glob("jruby-complete-*.jar")
    ruby(folder / "ruby", shell)
    path = os.pathsep.join([f"{folder}/ruby", f"{hbase.folder}/conf", str(jruby), f"{fetched(POM, 'lib')}/*"])
    options = [*JAVA_OPTIONS, "--add-opens=java.base/java.security=ALL-UNNAMED", "-Xmx512m", "-cp", path]
    command = ["java", *options, "org.jruby.JarBootstrapMain"]
    environment = {**os.environ, "TZ": "UTC"}
    return subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True, env=environment
    ).stdout


def record(names: list[str]) -> None:
    """Records these sessions, with a cluster for each kind."""
    for settings in (PLAIN, GUARDED):
        chosen = [name for name in names if KINDS[name] is settings]
        if not chosen:
            continue
        with StandaloneHBase(servers=1, settings=settings) as hbase, rs.connect(hbase.url) as cluster:
            for name in chosen:
                words = prepared(name, hbase, cluster)
                text = (SESSIONS / f"{name}.txt").read_text()
                with tempfile.TemporaryDirectory() as folder:
                    shown = typed(Path(folder), hbase, filled(text, words))
                shown = shown[shown.index("hbase:001:0> ") :]
                RECORDED.mkdir(exist_ok=True)
                (RECORDED / f"{name}.txt").write_text(blank(shown, words))
                print(f"{name}: {len(text.splitlines())} statements")


if __name__ == "__main__":
    record(sys.argv[1:] or list(KINDS))
