//! Failures that random operations found, in minimal form.

#![allow(unused_imports)]

use super::operations::Op::{self, *};
use super::shrink::Case;
use super::trouble::{endure, Trouble};
use rowstone_engine::sys::faulty::CallKind::*;
use rowstone_engine::sys::faulty::Crash::{self, *};
use rowstone_engine::sys::faulty::Fault;
use rowstone_engine::sys::faulty::Tail::*;
use rowstone_model::operations::Durability::*;

fn check(ops: &[Op], crashes: &[(usize, Crash)]) {
    let case = Case { ops: ops.to_vec(), crashes: crashes.to_vec() };
    case.check().unwrap_or_else(|reason| panic!("{reason}"));
}

fn survives(ops: &[Op], trouble: Trouble) {
    endure(ops, trouble).unwrap_or_else(|reason| panic!("{reason}"));
}

/// The name of the last log was not synced by the killed process, nor by the next one before it created a
/// successor.
#[test]
fn a_log_whose_name_a_killed_process_left_unsynced_is_not_missing_in_the_chain() {
    check(
        &[
            Create { table: 0, split: true },
            Increment { table: 0, row: 6, amount: 4, wal: FsyncWal },
            Flush { table: 0 },
        ],
        &[(36, Only(4)), (24, Killed), (10, Only(4))],
    );
}

/// A process was killed after creating the folders. The next one found them, and neither synced their names.
#[test]
fn a_database_in_folders_that_a_killed_process_made_outlives_a_power_loss() {
    check(&[Create { table: 0, split: true }], &[(1, Killed)]);
}

#[test]
fn a_disabled_table_that_was_flushed_is_as_it_was_after_any_failure_to_read() {
    let put = Put { table: 0, row: 5, wal: SyncWal };
    let ops = [Create { table: 0, split: true }, put, Disable { table: 0 }, Flush { table: 0 }];
    for number in 1..100 {
        survives(&ops, Trouble::Once { kind: Read, number, fault: Fault::Io });
    }
}

/// The record of the manifest's end included a mark that the previous process had not synced.
#[test]
fn the_note_of_the_ends_does_not_count_a_mark_that_a_killed_process_left_unsynced() {
    check(&[Create { table: 0, split: false }, Reopen, Reopen], &[(57, Only(8))]);
}

/// Two attempts to open failed while they added their logs to the manifest. It turned out to have the first log, and the
/// second one, which continues the same log as the first, was taken for one that the manifest had lost.
#[test]
fn a_log_of_a_failed_open_is_no_corruption_if_the_manifest_has_that_of_another() {
    survives(
        &[
            Create { table: 0, split: false },
            Put { table: 0, row: 7, wal: SyncWal },
            DeleteColumns { table: 0, row: 6, wal: SyncWal },
            Reopen,
            Flush { table: 0 },
            TruncateRegion { table: 0, row: 5 },
            Snapshot { table: 0, snapshot: 0 },
            Reopen,
        ],
        Trouble::Random { kind: Change, one_in: 32, seed: 20261127000190 },
    );
}

/// There was no room for a log when the database was opened, and there was when it was closed. Records that the process
/// before had not synced were in the old log only, and closing did not sync them.
#[test]
fn closing_syncs_replayed_records_even_if_there_was_no_room_for_a_log() {
    survives(
        &[
            Create { table: 0, split: true },
            Put { table: 0, row: 11, wal: AsyncWal },
            Load { table: 0, rows: 12, variant: 3 },
            Snapshot { table: 0, snapshot: 0 },
            Batch { table: 0, rows: 851, wal: FsyncWal },
            Disable { table: 0 },
            Drop { table: 0 },
            Create { table: 1, split: false },
            Split { table: 1, at: 1 },
            Append { table: 1, row: 1, wal: FsyncWal },
            Create { table: 0, split: true },
            Put { table: 1, row: 6, wal: SkipWal },
            Append { table: 0, row: 1, wal: SyncWal },
            Put { table: 1, row: 0, wal: AsyncWal },
        ],
        Trouble::Random { kind: Change, one_in: 32, seed: 103000759 },
    );
}
