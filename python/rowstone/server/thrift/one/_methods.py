"""Modules that implement the methods of the first service."""

from rowstone.server.thrift.one import counters, mutations, reads, scanners, tables
from rowstone.server.thrift.one._structs import DOCUMENT as DOCUMENT

MODULES = (counters, mutations, reads, scanners, tables)
