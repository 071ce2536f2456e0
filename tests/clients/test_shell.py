"""HBase's own shell (JRuby) before our server: a session of more than 40 commands, by way of ZooKeeper."""

from __future__ import annotations

import os
import re
import subprocess
import zipfile
from pathlib import Path

import rowstone as rs
from tests.hbase.cluster.server import JAVA_OPTIONS
from tests.oracle.build import POM, fetched

SHELL_POM = Path(__file__).with_name("shell-pom.xml")

SESSION: list[tuple[str, str]] = [
    ("status", "1 active master, 0 backup masters, 1 servers, 0 dead"),
    ("create 't', {NAME=>'f', VERSIONS=>3}, 'g', SPLITS=>['m']", "Created table t"),
    ("list", '=> ["t"]'),
    ("describe 't'", "VERSIONS => '3'"),
    ("put 't', 'a', 'f:q', '1'", "Took"),
    ("put 't', 'z', 'f:q', '2'", "Took"),
    ("get 't', 'a'", "value=1"),
    ("get 't', 'a', {COLUMN=>'f:q', VERSIONS=>3}", "value=1"),
    ("scan 't'", "2 row(s)"),
    ("scan 't', {REVERSED=>true, LIMIT=>1}", " z column=f:q"),
    ("scan 't', {FILTER=>\"PrefixFilter('z')\"}", "1 row(s)"),
    ("scan 't', {STARTROW=>'b', COLUMNS=>['f']}", "1 row(s)"),
    ("count 't'", "=> 2"),
    ("incr 't', 'a', 'f:n', 5", "COUNTER VALUE = 5"),
    ("get_counter 't', 'a', 'f:n'", "COUNTER VALUE = 5"),
    ("append 't', 'a', 'f:q', 'x'", "CURRENT VALUE = 1x"),
    ("delete 't', 'a', 'f:n'", "Took"),
    ("deleteall 't', 'z'", "Took"),
    ("scan 't'", "1 row(s)"),
    ("list_regions 't'", "2 rows"),
    ("get_splits 't'", "m"),
    ("locate_region 't', 'a'", "STARTKEY => ''"),
    ("alter 't', {NAME=>'h', VERSIONS=>2}", "2/2 regions updated."),
    ("alter 't', NAME=>'h', METHOD=>'delete'", "2/2 regions updated."),
    ("exists 't'", "Table t does exist"),
    ("is_enabled 't'", "true"),
    ("create_namespace 'own', {'a'=>'b'}", "Took"),
    ("describe_namespace 'own'", "a => 'b'"),
    ("list_namespace", "own"),
    ("list_namespace_tables 'default'", '=> ["t"]'),
    ("drop_namespace 'own'", "Took"),
    ("flush 't'", "Took"),
    ("compact 't'", "Took"),
    ("major_compact 't'", "Took"),
    ("list_snapshots", "0 row(s)"),
    ("list_quotas", "0 row(s)"),
    ("balancer_enabled", "true"),
    ("list_procedures", "0 row(s)"),
    ("list_locks", "=> []"),
    ("list_peers", "0 row(s)"),
    ("hbck_chore_run", "=> true"),
    ("catalogjanitor_run", "Took"),
    ("get_balancer_decisions", "Retrieved BalancerDecision Responses"),
    ("alter 't', CONFIGURATION=>{'hbase.server.keyvalue.maxsize'=>'1000'}", "2/2 regions updated."),
    ("describe 't'", "'hbase.server.keyvalue.maxsize' => '1000'"),
    ("status 'simple'", "1 live servers"),
    ("scan 'hbase:meta', {LIMIT=>2}", "column=info:server"),
    ("get_slowlog_responses '*'", '"methodName":'),
    ("get_slowlog_responses '*', {'TABLE_NAME' => 't'}", " t,"),
    ("get_largelog_responses '*'", "Retrieved LargeLog Responses from RegionServers"),
    ("clear_slowlog_responses", "Cleared Slowlog responses from 1/1 RegionServers"),
    ("truncate 't'", "Truncating table"),
    ("disable 't'", "Took"),
    ("is_disabled 't'", "true"),
    ("drop 't'", "Took"),
    ("list", "=> []"),
]


def ruby(folder: Path, shell: Path) -> None:
    """The shell's Ruby, without what HBase 2.6 has no classes for any more."""
    with zipfile.ZipFile(shell) as archive:
        archive.extractall(folder)
    main = folder / "shell.rb"
    main.write_text(re.sub(r"^ *trace\n", "", main.read_text(), flags=re.MULTILINE))
    admin = folder / "hbase" / "admin.rb"
    text = re.sub(r"^java_import org\.apache\.hadoop\.hbase\.zookeeper\.ZKUtil.*\n", "", admin.read_text(), flags=re.M)
    admin.write_text(text)


def configuration(folder: Path, server: rs.Server) -> None:
    """A folder with a file of settings."""
    settings = {
        "hbase.client.registry.impl": "org.apache.hadoop.hbase.client.ZKConnectionRegistry",
        "hbase.zookeeper.quorum": "127.0.0.1",
        "hbase.zookeeper.property.clientPort": str(server.zk_port),
        "hbase.client.retries.number": "4",
    }
    lines = [f"<property><name>{name}</name><value>{value}</value></property>" for name, value in settings.items()]
    folder.mkdir()
    (folder / "hbase-site.xml").write_text(f"<configuration>{''.join(lines)}</configuration>")


def test_hbase_shell_passes_its_session(tmp_path: Path) -> None:
    jars = fetched(SHELL_POM, "shell")
    [shell], [jruby] = jars.glob("hbase-shell-*.jar"), jars.glob("jruby-complete-*.jar")
    ruby(tmp_path / "ruby", shell)
    every_call_is_slow = {"hbase.ipc.warn.response.time": 0}
    with rs.serve(tmp_path / "db", port=0, zk_port=0, configuration=every_call_is_slow) as server:
        configuration(tmp_path / "conf", server)
        path = os.pathsep.join([f"{tmp_path}/ruby", f"{tmp_path}/conf", str(jruby), f"{fetched(POM, 'lib')}/*"])
        options = [*JAVA_OPTIONS, "--add-opens=java.base/java.security=ALL-UNNAMED", "-Xmx512m", "-cp", path]
        lines = "".join(f"{command}\n" for command, _ in SESSION)
        command = ["java", *options, "org.jruby.JarBootstrapMain", "-n"]
        done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    answers = re.split(r"^hbase:\d+:0> ", done.stdout, flags=re.MULTILINE)[1:]
    assert len(answers) >= len(SESSION) > 40
    for (typed, wanted), answer in zip(SESSION, answers, strict=False):
        assert answer.startswith(typed), answer
        assert wanted in answer, answer
