"""Modules that implement the methods of the second service."""

from rowstone.server.thrift.two import checks, namespaces, rows, scanners, slow_log, tables
from rowstone.server.thrift.two._structs import DOCUMENT as DOCUMENT

MODULES = (checks, namespaces, rows, scanners, slow_log, tables)
