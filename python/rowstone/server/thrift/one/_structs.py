"""The structs of the first service."""

from rowstone.server.thrift._idl import load

DOCUMENT = load("hbase1.thrift")
