"""pytest plugin that runs happybase's suite with happybase itself; loaded by `test_happybase_suite.py`."""

from __future__ import annotations

import builtins
import os

import happybase.connection
import pytest

import happybase

# The suite of 1.3.0 calls assert_raises and imports it from nowhere: it was moved away from nose halfway.
builtins.assert_raises = pytest.raises  # type: ignore[attr-defined]

# The suite passes the port from its environment as text, which thriftpy2 rejects. Without one, this default is used.
happybase.connection.DEFAULT_PORT = int(os.environ["ROWSTONE_THRIFT_PORT"])

# The suite has an option for the transport but not for the protocol, which is the last of happybase's defaults.
_defaults = happybase.Connection.__init__.__defaults__
assert _defaults[-1] == "binary"
happybase.Connection.__init__.__defaults__ = (*_defaults[:-1], os.environ["ROWSTONE_THRIFT_PROTOCOL"])
