"""Tests that `--served` leaves out, each with its reason."""

from __future__ import annotations

NO_FILES = "a client hands no files over; HBase's own tool does (tests/clients)"
NO_COUNTS = "a server does not tell its clients about its scanners and files"
ONE_ERROR = "HBase has one exception, DoNotRetryIOException, for this and much else: the client says RemoteError"

LEFT_OUT = {
    "test_advice::test_the_size_of_regions": "a server keeps its configuration for itself",
    "test_served::test_the_server_says_when": "it serves its database itself",
    "test_served::test_the_four_operations_are_the_same_everywhere": "it serves its database itself",
    "test_admin::test_split_keys_and_the_region_of_a_row": "it says that regions are on no server",
    "test_bulk_load::test_a_loaded_file_counts_as_written_at_that_moment": NO_FILES,
    "test_bulk_load::test_sequence_ids_in_the_file_do_not_count": NO_FILES,
    "test_bulk_load::test_a_file_that_keeps_its_sequence_ids": NO_FILES,
    "test_bulk_load::test_delete_markers_are_loaded": NO_FILES,
    "test_bulk_load::test_a_file_over_regions_is_cut": NO_FILES,
    "test_bulk_load::test_a_region_between_the_rows_of_a_file_takes_no_part": NO_FILES,
    "test_bulk_load::test_families_become_visible_together": NO_FILES,
    "test_bulk_load::test_an_open_scan_does_not_see_it": NO_FILES,
    "test_bulk_load::test_wrong_files_are_refused_and_change_nothing": NO_FILES,
    "test_bulk_load::test_an_empty_file_and_no_file": NO_FILES,
    "test_bulk_load::test_references_to_large_values_are_not_loaded": NO_FILES,
    "test_scan::test_a_piece_may_be_the_last_although_another_family_has_cells": "a client looks ahead, and knows",
    "test_scan::test_a_closed_scanner_raises_and_an_open_one_counts": NO_COUNTS,
    "test_scan::test_a_forgotten_scanner_closes_itself": NO_COUNTS,
    "test_scan::test_an_exhausted_scanner_stays_exhausted": NO_COUNTS,
    "test_scan::test_raw_scans_refuse_columns_as_hbase_does": ONE_ERROR,
    "test_wrong_calls::number as constraint": "constraints in Python belong to a directory",
    "test_kept_deleted_cells::test_raw_scans_return_markers": ONE_ERROR,
    "test_namespaces::test_a_limit_of_zero_is_refused": ONE_ERROR,
    "test_operations::test_a_scan_left_early_is_given_back": NO_COUNTS,
    "test_time_to_live::test_minimum_versions_keep_expired_files": NO_COUNTS,
    "test_time_to_live::test_expiry_is_part_of_reads_and_of_compaction": NO_COUNTS,
}
