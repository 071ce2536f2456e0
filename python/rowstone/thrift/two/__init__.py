"""HBase's second Thrift service, ``THBaseService``: what each of its methods does.

Source: ``org.apache.hadoop.hbase.thrift2.ThriftHBaseServiceHandler`` of HBase 2.6.
"""

from rowstone.thrift.two import about, checks, families, locations, namespaces, rows, scanners, slow_log, tables
from rowstone.thrift.two._structs import DOCUMENT as DOCUMENT

MODULES = (about, checks, families, locations, namespaces, rows, scanners, slow_log, tables)
