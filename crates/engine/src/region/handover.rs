//! The end of a region whose rows go to others: a split, a merge, a truncation. Source: the closing of regions in HBase's
//! `SplitTableRegionProcedure`.
//!
//! 1. [`Region::halt`]: flushes and compactions end, then writes wait, and what is in memory goes to files.
//! 2. The caller makes the change permanent and routes to the regions that come.
//! 3. [`Halted::retire`]: writes that waited fail as "moved", and their callers look again for the region of the row. Reads
//!    that began before go on with what they have: it is what the region held at that moment, and nothing changes it any more.
//!
//! Where the change fails, dropping [`Halted`] lets the writes go on.

use super::{Quiet, Region};
use crate::sys::lock::RwLockWriteGuard;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::atomic::Ordering;

/// While it is held, nobody writes to the region, flushes or compacts it. Reads go on.
pub struct Halted<'r> {
    region: &'r Region,
    quiet: Quiet<'r>,
    _updates: RwLockWriteGuard<'r, ()>,
}

impl Region {
    /// Stops writes, flushes and compactions; with `flushes` everything is in files when it returns.
    ///
    /// # Errors
    /// Where the flush fails, or the region is gone; then it is as it was.
    pub fn halt(&self, flushes: bool) -> Result<Halted<'_>> {
        let quiet = self.quiesce();
        self.check_not_gone()?;
        if flushes {
            self.check_not_tied()?;
        }
        let updates = self.updates.write();
        if flushes {
            let aside = self.put_aside(&updates, |_| true);
            self.write_aside(&aside)?;
        }
        Ok(Halted { region: self, quiet, _updates: updates })
    }

    /// Whether its rows are others' now.
    pub fn is_moved(&self) -> bool {
        self.is_moved.load(Ordering::Acquire)
    }

    /// Whether a store has halves of files that a split cut.
    pub fn has_references(&self) -> bool {
        self.stores().iter().any(|store| store.has_references())
    }

    /// The refusal of what came too late: whoever routes looks again.
    pub(super) fn moved(&self) -> Error {
        let message = format!("region {} was split, merged or truncated", self.info.encoded_name);
        Error::new(ErrorKind::RegionNotFound, message)
    }

    /// Like `check_open`, for scanners: one that was open when the region was halted reads on.
    pub(super) fn check_readable(&self) -> Result<()> {
        match self.is_moved() {
            true => self.services.check_open(),
            false => self.check_open(),
        }
    }

    /// After a change whose fate is unknown: what is written now is lost if the manifest should turn out to have it. A
    /// commit that succeeds says that it has not.
    pub(super) fn settle(&self) -> Result<()> {
        self.services.commit_files(Vec::new())?;
        self.is_in_doubt.store(false, Ordering::Relaxed);
        Ok(())
    }
}

impl<'r> Halted<'r> {
    /// Lets the region be written to again; flushes and compactions wait on.
    pub fn into_quiet(self) -> Quiet<'r> {
        self.quiet
    }

    /// The last sequence id that the region gave out.
    pub fn last_sequence_id(&self) -> u64 {
        self.region.mvcc.last()
    }

    /// Whether the region behind this is `region`.
    pub fn is(&self, region: &Region) -> bool {
        std::ptr::eq(self.region, region)
    }

    /// The rows are others' from now on. Of the log the region needs nothing up to `flushed`.
    pub fn retire(self, flushed: u64) {
        let region = self.region;
        region.is_moved.store(true, Ordering::SeqCst);
        region.is_gone.store(true, Ordering::SeqCst);
        region.is_closed.store(true, Ordering::SeqCst);
        let bytes = region.memstore_bytes.swap(0, Ordering::Relaxed);
        region.services.memory_grew(-(bytes as i64));
        // Logs that cannot be put away now are put away after another flush, or at the next open.
        let _ = region.services.log_flushed(region.key, flushed);
    }

    /// The region stays, and it is unknown whether the manifest says so: it is written to only when that is known.
    pub fn doubt(&self) {
        self.region.is_in_doubt.store(true, Ordering::Relaxed);
    }
}
