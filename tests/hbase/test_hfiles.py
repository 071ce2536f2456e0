"""HBase reads every kind of HFile that the engine writes."""

from tests.compat.check_with_hbase import main


def test_hbase_reads_our_files_as_we_do() -> None:
    assert main([]) == 0
