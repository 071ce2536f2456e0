"""The client's tests against a real HBase, run against Rowstone's server, without Java."""

from __future__ import annotations

from tests.hbase.test_admin import (
    test_a_table_is_made_changed_and_removed as test_a_table_is_made_changed_and_removed,
)
from tests.hbase.test_admin import test_flush_and_compaction as test_flush_and_compaction
from tests.hbase.test_admin import test_namespaces as test_namespaces
from tests.hbase.test_admin import test_regions_are_merged as test_regions_are_merged
from tests.hbase.test_admin import test_regions_are_split as test_regions_are_split
from tests.hbase.test_admin import test_truncation as test_truncation
from tests.hbase.test_admin import test_unknown_attributes_stay as test_unknown_attributes_stay
from tests.hbase.test_asyncio import *  # noqa: F403
from tests.hbase.test_client import *  # noqa: F403
from tests.hbase.test_connect import test_compressed as test_compressed
from tests.hbase.test_connect import test_through_zookeeper as test_through_zookeeper
