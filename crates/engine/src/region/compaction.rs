//! Merging the files of a region's families, one compaction of a region at a time.

use super::Region;
use rowstone_model::Result;

impl Region {
    /// Merges files of `family`, or of every family: all files with `major`, else runs that are worth it. `false` where there
    /// was nothing to do, or where the table is not COMPACTION_ENABLED: HBase ignores the request then, whoever makes it.
    pub fn compact(&self, family: Option<&[u8]>, major: bool) -> Result<bool> {
        if let Some(family) = family {
            self.check_family(family)?;
        }
        if !self.is_compaction_enabled() {
            return Ok(false);
        }
        let _compacting = self.compacting.lock();
        self.check_not_gone()?;
        let mut any = false;
        for store in self.stores().iter() {
            if family.is_none_or(|family| family == store.family_name()) {
                any |= store.compact(major, self.mvcc.smallest_read_point())?;
            }
        }
        Ok(any)
    }
}
