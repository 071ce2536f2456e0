"""HBase's first Thrift service, ``Hbase``: the implementation of its methods.

Source: ``org.apache.hadoop.hbase.thrift.ThriftHBaseServiceHandler`` of HBase 2.6.
"""
