"""HBase's second Thrift service, ``THBaseService``: the implementation of its methods.

Source: ``org.apache.hadoop.hbase.thrift2.ThriftHBaseServiceHandler`` of HBase 2.6.
"""
