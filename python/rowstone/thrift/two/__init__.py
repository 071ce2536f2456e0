"""HBase's second Thrift service, ``THBaseService``: what each of its methods does.

Source: ``org.apache.hadoop.hbase.thrift2.ThriftHBaseServiceHandler`` of HBase 2.6.
"""
