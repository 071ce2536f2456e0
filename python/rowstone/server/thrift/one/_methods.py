"""Modules that implement the methods of the first service."""

from rowstone.server.thrift.one import about, counters, mutations, reads, scanners, tables
from rowstone.server.thrift.one._structs import DOCUMENT as DOCUMENT

MODULES = (about, counters, mutations, reads, scanners, tables)
