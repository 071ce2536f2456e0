//! The end of a region whose rows move to other regions: a split, a merge, a truncation. Source: the closing of
//! regions in HBase's `SplitTableRegionProcedure`.
//!
//! 1. [`Region::halt`]: flushes and compactions end, then writes wait, and the cells in memory are flushed.
//! 2. The caller makes the change permanent and routes to the new regions.
//! 3. [`Halted::retire`]: waiting writes fail as "moved", and their callers look up the region of the row again.
//!    Reads that began before continue on the region's final contents, which no longer change.
//!
//! If the change fails, dropping [`Halted`] resumes the writes.

use super::{Quiet, Region};
use crate::sys::lock::RwLockWriteGuard;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::atomic::Ordering;

/// While it exists, the region is neither written, flushed nor compacted. Reads continue.
pub struct Halted<'r> {
    region: &'r Region,
    quiet: Quiet<'r>,
    _updates: RwLockWriteGuard<'r, ()>,
}

impl Region {
    /// Stops writes, flushes and compactions. With `flushes`, all cells are in files when it returns.
    ///
    /// # Errors
    /// If the flush fails or the region has been removed. The region is then as before.
    pub fn halt(&self, flushes: bool) -> Result<Halted<'_>> {
        let quiet = self.quiesce();
        self.check_not_gone()?;
        if flushes {
            self.check_not_tied()?;
        }
        let updates = self.updates.write();
        if flushes {
            let aside = self.put_aside(&updates, |_| true);
            self.write_aside(aside)?;
        }
        Ok(Halted { region: self, quiet, _updates: updates })
    }

    /// Whether its rows now belong to other regions.
    pub fn is_moved(&self) -> bool {
        self.is_moved.load(Ordering::Acquire)
    }

    /// Whether a store has halves of files that a split cut.
    pub fn has_references(&self) -> bool {
        self.stores().iter().any(|store| store.has_references())
    }

    /// Error for late requests: the caller looks up the region again.
    pub(super) fn moved(&self) -> Error {
        let message = format!("region {} was split, merged or truncated", self.info.encoded_name);
        Error::new(ErrorKind::RegionNotFound, message)
    }

    /// Like `check_open`, for scanners: one that was open when the region was halted continues.
    pub(super) fn check_readable(&self) -> Result<()> {
        if self.is_moved() {
            self.services.check_open()
        } else {
            self.check_open()
        }
    }

    /// Resolves a change of unknown outcome. If the manifest has that change after all, writes made now would be
    /// lost. A commit that succeeds confirms that it does not.
    pub(super) fn resolve_doubt(&self) -> Result<()> {
        self.services.commit_files(Vec::new())?;
        self.is_in_doubt.store(false, Ordering::Relaxed);
        Ok(())
    }
}

impl<'r> Halted<'r> {
    /// Resumes writes; flushes and compactions still wait.
    pub fn into_quiet(self) -> Quiet<'r> {
        self.quiet
    }

    /// The last sequence id that the region allocated.
    pub fn last_sequence_id(&self) -> u64 {
        self.region.mvcc.last()
    }

    /// Whether this halted `region`.
    pub fn is(&self, region: &Region) -> bool {
        std::ptr::eq(self.region, region)
    }

    /// Marks the rows as moved. The log need not retain the region's records up to `flushed`.
    pub fn retire(self, flushed: u64) {
        let region = self.region;
        region.is_moved.store(true, Ordering::SeqCst);
        region.is_gone.store(true, Ordering::SeqCst);
        region.is_closed.store(true, Ordering::SeqCst);
        let bytes = region.memstore_bytes.swap(0, Ordering::Relaxed);
        region.services.memory_grew(-(bytes as i64));
        // Logs that cannot be archived now are archived after another flush, or at the next open.
        let _ = region.services.log_flushed(region.key, flushed);
    }

    /// Keeps the region although it is unknown whether the manifest still names it. Writes wait until that is
    /// resolved.
    pub fn doubt(&self) {
        self.region.is_in_doubt.store(true, Ordering::Relaxed);
    }
}
