//! Claims of running compactions to files of a store. Several compactions run at once, each over its own files.
//! Source: HBase's `HStore.filesCompacting`, `SortedCompactionPolicy.getCurrentEligibleFiles`.
//!
//! Invariants: the claimed files of one compaction are neighbors in the order of writes. A compaction that runs
//! while others do only gets files that are newer than all claimed ones, so every result takes the place of its files in that order.

use super::StoreFile;
use crate::sys::lock::{Condvar, Mutex, MutexGuard};
use std::sync::Arc;

/// Compactions of the store that may run at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// None: it waits until they end, and then may merge all files.
    Alone,
    /// Any: it merges files that no other compaction merges. Large ones are only for threads that may run them.
    Beside {
        /// Whether it may merge more than `hbase.regionserver.thread.compaction.throttle` bytes.
        may_be_large: bool,
    },
}

/// The claims of one store.
#[derive(Default)]
pub(super) struct Claims {
    running: Mutex<Running>,
    ended: Condvar,
}

/// Claimed files and their compactions.
#[derive(Default)]
pub(super) struct Running {
    files: Vec<Arc<StoreFile>>,
    large_count: usize,
    /// Number of compactions that wait until no other runs.
    waiting_count: usize,
    /// The newest file of a large compaction that is due and has no thread yet.
    due: Option<Arc<StoreFile>>,
    /// A thread came for that compaction while newer files were claimed: others yield until it comes again.
    is_due_next: bool,
}

/// Claimed files, until it is dropped.
pub(super) struct Claim<'c> {
    claims: &'c Claims,
    pub(super) files: Vec<Arc<StoreFile>>,
    is_large: bool,
}

impl Claims {
    /// Locks the claims until files are claimed. `None` if others come first.
    pub(super) fn turn(&self, turn: Turn) -> Option<MutexGuard<'_, Running>> {
        let mut running = self.running.lock();
        match turn {
            Turn::Alone => {
                running.waiting_count += 1;
                while !running.files.is_empty() {
                    self.ended.wait(&mut running);
                }
                running.waiting_count -= 1;
                Some(running)
            }
            // While a large one runs, others continue: files would pile up. They yield when it has ended.
            Turn::Beside { .. } => (running.waiting_count == 0 || running.large_count > 0).then_some(running),
        }
    }

    /// Claims `files`, which are not claimed yet.
    pub(super) fn claim<'c>(
        &'c self,
        mut running: MutexGuard<'c, Running>,
        files: Vec<Arc<StoreFile>>,
        is_large: bool,
    ) -> Claim<'c> {
        running.files.extend(files.iter().cloned());
        running.large_count += usize::from(is_large);
        Claim { claims: self, files, is_large }
    }

    /// Index of the first of `files` that is newer than all claimed ones.
    pub(super) fn first_newer(&self, files: &[Arc<StoreFile>]) -> usize {
        self.running.lock().first_newer(files)
    }
}

impl Running {
    /// Index of the first file that is newer than all claimed ones.
    pub(super) fn first_newer(&self, files: &[Arc<StoreFile>]) -> usize {
        files.iter().rposition(|file| self.has(file)).map_or(0, |newest| newest + 1)
    }

    /// Index of the first file that is newer than those of a large compaction that is due; `None` if none is.
    pub(super) fn first_after_due(&self, files: &[Arc<StoreFile>]) -> Option<usize> {
        let due = self.due.as_ref()?;
        files.iter().rposition(|file| file.entry.path == due.entry.path).map(|newest| newest + 1)
    }

    /// Whether compactions of newer files yield to the large one that is due.
    pub(super) fn is_due_next(&self) -> bool {
        self.is_due_next
    }

    /// A thread came that may run a large compaction. If newer files are claimed, it cannot merge those that are due:
    /// others then yield until it comes again. Otherwise it decides what to merge.
    pub(super) fn come_for_due(&mut self, files: &[Arc<StoreFile>]) {
        self.is_due_next = self.first_after_due(files).is_some_and(|after| self.first_newer(files) > after);
        if !self.is_due_next {
            self.due = None;
        }
    }

    /// Notes that a large compaction of the files up to `newest` is due.
    pub(super) fn note_due(&mut self, newest: &Arc<StoreFile>) {
        self.due = Some(Arc::clone(newest));
    }

    /// Whether the file is claimed.
    pub(super) fn has(&self, file: &StoreFile) -> bool {
        self.files.iter().any(|claimed| claimed.entry.path == file.entry.path)
    }

    /// Whether a large compaction may begin. It would delay those that wait until no other runs.
    pub(super) fn may_begin_large(&self, turn: Turn) -> bool {
        match turn {
            Turn::Alone => true,
            Turn::Beside { may_be_large } => may_be_large && self.waiting_count == 0,
        }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        let mut running = self.claims.running.lock();
        running.files.retain(|file| !self.files.iter().any(|own| own.entry.path == file.entry.path));
        running.large_count -= usize::from(self.is_large);
        drop(running);
        self.claims.ended.notify_all();
    }
}
