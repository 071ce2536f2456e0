"""The files by which a standalone HBase is configured: everything on loopback, small, and quick to notice a death."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

LOG4J = """\
log4j.rootLogger=INFO,file
log4j.appender.file=org.apache.log4j.FileAppender
log4j.appender.file.File={log}
log4j.appender.file.layout=org.apache.log4j.PatternLayout
log4j.appender.file.layout.ConversionPattern=%d{{ISO8601}} %-5p [%t] %c{{2}}: %m%n
log4j.logger.org.apache.zookeeper=WARN
"""


def settings(folder: Path, master_port: int, zookeeper_port: int) -> dict[str, str]:
    """HBase's settings for a server in ``folder``."""
    return {
        "hbase.cluster.distributed": "false",
        "hbase.rootdir": f"file://{folder}/data",
        "hbase.tmp.dir": f"{folder}/tmp",
        "hadoop.tmp.dir": f"{folder}/tmp/hadoop",
        "fs.defaultFS": "file:///",
        "hbase.unsafe.stream.capability.enforce": "false",
        "hbase.defaults.for.version.skip": "true",
        "hbase.zookeeper.property.dataDir": f"{folder}/zookeeper",
        "hbase.zookeeper.property.clientPort": str(zookeeper_port),
        "hbase.zookeeper.quorum": "127.0.0.1",
        "hbase.localcluster.assign.random.ports": "false",
        "hbase.master.hostname": "localhost",
        "hbase.regionserver.hostname": "localhost",
        "hbase.master.ipc.address": "127.0.0.1",
        "hbase.regionserver.ipc.address": "127.0.0.1",
        "hbase.master.port": str(master_port),
        # There may be several: each takes a free port.
        "hbase.regionserver.port": "0",
        # No web UI: the jars do not contain it.
        "hbase.master.info.port": "-1",
        "hbase.regionserver.info.port": "-1",
        "hbase.snapshot.enabled": "true",
        "hbase.io.compress.zstd.codec": "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec",
        "hbase.regionserver.handler.count": "12",
    }


def write(folder: Path, values: Mapping[str, str]) -> Path:
    """Writes the configuration into ``folder``/conf and gives that folder."""
    target = folder / "conf"
    target.mkdir(parents=True, exist_ok=True)
    properties = "\n".join(
        f"<property><name>{escape(name)}</name><value>{escape(value)}</value></property>"
        for name, value in values.items()
    )
    (target / "hbase-site.xml").write_text(f'<?xml version="1.0"?>\n<configuration>\n{properties}\n</configuration>\n')
    (target / "log4j.properties").write_text(LOG4J.format(log=folder / "hbase.log"))
    return target
