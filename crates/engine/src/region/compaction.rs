//! Compactions of a region's families. Several run at once, over different files.

use super::since_flush::TICKS_OF_BURST;
use super::Region;
use crate::compact::selection::Choice;
use crate::store::{Compacted, Turn, Work};
use rowstone_model::admin::CompactionState;
use rowstone_model::Result;
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts of waiting and running compactions, as HBase reports them.
#[derive(Default)]
pub(super) struct Compactions {
    minor: AtomicU32,
    major: AtomicU32,
}

/// One counted compaction, until it is dropped.
struct Counted<'c>(&'c AtomicU32);

impl Compactions {
    fn begin(&self, major: bool) -> Counted<'_> {
        let count = if major { &self.major } else { &self.minor };
        count.fetch_add(1, Ordering::Relaxed);
        Counted(count)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Region {
    /// Merges files of `family`, or of every family: all files with `major`, else the runs that a minor compaction
    /// selects. Returns `false` if there was nothing to do, or if the table is not COMPACTION_ENABLED. HBase
    /// ignores every such request then.
    pub fn compact(&self, family: Option<&[u8]>, major: bool) -> Result<bool> {
        if let Some(family) = family {
            self.check_family(family)?;
        }
        let choice = if major { Choice::Major } else { Choice::Minor };
        let compacted = self.compact_as(family, choice, Turn::Alone);
        // Meanwhile background compactions may have yielded to this one, even if it failed.
        self.request_next_compaction();
        Ok(compacted?.any)
    }

    /// Merges files of every family that no running compaction merges, if a minor compaction selects any. Requests
    /// another compaction if more is due. Returns whether a large one is due, which only a thread with `may_be_large`
    /// runs.
    pub fn compact_beside(&self, may_be_large: bool) -> Result<bool> {
        let compacted = self.compact_as(None, Choice::Minor, Turn::Beside { may_be_large })?;
        if compacted.any {
            self.request_next_compaction();
        }
        Ok(compacted.is_large_due)
    }

    /// Counts a tick and returns the merge that is due after some ticks without a flush. First come the files that
    /// a burst of flushes left. After `quiet_ticks` ticks, if set, come files that are too few for a compaction.
    /// Otherwise reads would merge the same few files again and again, and now there is time to do it for them.
    pub fn tick(&self, quiet_ticks: Option<u32>) -> Option<Work> {
        let ticks = self.since_flush.tick();
        let name = || self.info.encoded_name.clone();
        if ticks == TICKS_OF_BURST && self.needs_compaction(false) {
            return Some(Work::Compact(name()));
        }
        let is_quiet =
            quiet_ticks.is_some_and(|quiet| ticks == quiet.max(TICKS_OF_BURST + 1)) && self.since_flush.has_flushed();
        (is_quiet && self.stores().iter().any(|store| store.has_leftovers())).then(|| Work::MergeLeftovers(name()))
    }

    pub(super) fn needs_compaction(&self, in_burst: bool) -> bool {
        self.stores().iter().any(|store| store.needs_compaction(in_burst))
    }

    /// Requests another compaction if more files should be merged. One compaction is limited in its number of
    /// files, and others may have been added meanwhile.
    fn request_next_compaction(&self) {
        if self.needs_compaction(self.since_flush.is_burst()) {
            self.services.request(Work::Compact(self.info.encoded_name.clone()));
        }
    }

    /// Merges small files that no minor compaction selects because they are too few.
    pub fn merge_leftovers(&self) -> Result<bool> {
        Ok(self.compact_as(None, Choice::Leftovers, Turn::Beside { may_be_large: false })?.any)
    }

    fn compact_as(&self, family: Option<&[u8]>, choice: Choice, turn: Turn) -> Result<Compacted> {
        if !self.is_compaction_enabled() {
            return Ok(Compacted::default());
        }
        let major = choice == Choice::Major;
        let Some(witness) = self.witness() else { return self.compact_now(family, choice, turn) };
        witness.pre_compact(&self.info, family, major)?;
        let compacted = self.compact_now(family, choice, turn)?;
        if compacted.any {
            witness.post_compact(&self.info, family, major)?;
        }
        Ok(compacted)
    }

    fn compact_now(&self, family: Option<&[u8]>, choice: Choice, turn: Turn) -> Result<Compacted> {
        let _counted = self.compactions.begin(choice == Choice::Major);
        let _compacting = self.compacting.read();
        self.check_not_gone()?;
        let mut whole = Compacted::default();
        for store in self.stores().iter() {
            if family.is_none_or(|family| family == store.family_name()) {
                let compacted = store.compact(choice, turn, &|| self.mvcc.smallest_read_point())?;
                whole.any |= compacted.any;
                whole.is_large_due |= compacted.is_large_due;
            }
        }
        if whole.any {
            self.services.request(Work::Split(self.info.encoded_name.clone()));
        }
        Ok(whole)
    }

    /// The kinds of compactions that wait or run.
    pub fn compaction_state(&self) -> CompactionState {
        let is_any = |count: &AtomicU32| count.load(Ordering::Relaxed) > 0;
        match (is_any(&self.compactions.minor), is_any(&self.compactions.major)) {
            (false, false) => CompactionState::None,
            (true, false) => CompactionState::Minor,
            (false, true) => CompactionState::Major,
            (true, true) => CompactionState::MajorAndMinor,
        }
    }
}
