"""HBase's first Thrift service, ``Hbase``: what each of its methods does.

Source: ``org.apache.hadoop.hbase.thrift.ThriftHBaseServiceHandler`` of HBase 2.6.
"""

from rowstone.thrift.one import about, counters, mutations, reads, scanners, tables
from rowstone.thrift.one._structs import DOCUMENT as DOCUMENT

MODULES = (about, counters, mutations, reads, scanners, tables)
