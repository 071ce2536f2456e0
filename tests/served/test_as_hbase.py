"""The client's tests against a real HBase, run against Rowstone's server, without Java."""

from __future__ import annotations

from tests.hbase.test_admin import (
    test_a_snapshot_cannot_have_the_name_of_a_path as test_a_snapshot_cannot_have_the_name_of_a_path,
)
from tests.hbase.test_admin import (
    test_a_table_is_made_changed_and_removed as test_a_table_is_made_changed_and_removed,
)
from tests.hbase.test_admin import (
    test_an_unknown_durability_does_not_reach_the_master as test_an_unknown_durability_does_not_reach_the_master,
)
from tests.hbase.test_admin import test_flush_and_compaction as test_flush_and_compaction
from tests.hbase.test_admin import (
    test_namespaces_are_created_altered_and_dropped as test_namespaces_are_created_altered_and_dropped,
)
from tests.hbase.test_admin import test_regions_are_merged as test_regions_are_merged
from tests.hbase.test_admin import test_regions_are_split as test_regions_are_split
from tests.hbase.test_admin import (
    test_truncation_preserves_splits_on_request as test_truncation_preserves_splits_on_request,
)
from tests.hbase.test_admin import test_unknown_attributes_stay as test_unknown_attributes_stay
from tests.hbase.test_asyncio import *  # noqa: F403
from tests.hbase.test_client import *  # noqa: F403
from tests.hbase.test_connect import test_connects_through_zookeeper as test_connects_through_zookeeper
from tests.hbase.test_connect import test_connects_with_compression as test_connects_with_compression
from tests.hbase.test_same_errors import *  # noqa: F403
