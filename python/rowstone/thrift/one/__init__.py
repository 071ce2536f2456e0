"""HBase's first Thrift service, ``Hbase``: what each of its methods does.

Source: ``org.apache.hadoop.hbase.thrift.ThriftHBaseServiceHandler`` of HBase 2.6.
"""
