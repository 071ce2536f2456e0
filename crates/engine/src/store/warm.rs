//! Which blocks of a store's files are in the cache before anyone reads them. Source: HBase's `CacheConfig`.

use super::{Store, StoreFile};
use crate::settings::Settings;
use rowstone_model::schema::{CacheOnWrite, FamilyOptions};

/// Where a file comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was there, or came from outside.
    Opened,
    /// Recent cells were written to it.
    Flush,
    /// It was merged of others; `is_major` where that was asked for.
    Compaction { is_major: bool },
}

/// The kinds of blocks for each origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Warmth {
    opened: CacheOnWrite,
    flushed: CacheOnWrite,
    compacted: CacheOnWrite,
}

impl Warmth {
    pub(super) fn new(family: &FamilyOptions, settings: &Settings) -> Self {
        const ALL: CacheOnWrite = CacheOnWrite { data: true, index: true, blooms: true };
        if family.prefetch || settings.flag("hbase.rs.prefetchblocksonopen") {
            return Warmth { opened: ALL, flushed: ALL, compacted: ALL };
        }
        let asked = family.cache_on_write;
        let flushed = CacheOnWrite {
            data: asked.data || settings.flag("hbase.rs.cacheblocksonwrite"),
            index: asked.index || settings.flag("hfile.block.index.cacheonwrite"),
            blooms: asked.blooms || settings.flag("hfile.block.bloom.cacheonwrite"),
        };
        // What compactions write are mostly old cells: HBase does not keep their data unless told so.
        let compacted = match settings.flag("hbase.rs.cachecompactedblocksonwrite") {
            true => ALL,
            false => CacheOnWrite { data: false, ..flushed },
        };
        Warmth { opened: CacheOnWrite::default(), flushed, compacted }
    }

    fn kinds(&self, origin: Origin) -> CacheOnWrite {
        match origin {
            Origin::Opened => self.opened,
            Origin::Flush => self.flushed,
            Origin::Compaction { .. } => self.compacted,
        }
    }
}

impl Store {
    /// Counts a file that is new, and puts blocks of it into the cache, where the family asks for that. What cannot be read
    /// now is a matter for who reads it.
    pub(super) fn warm(&self, file: &StoreFile, origin: Origin) {
        self.counters.wrote(origin, file.entry.size_bytes);
        let kinds = self.config().warm.kinds(origin);
        if kinds != CacheOnWrite::default() {
            let _ = file.reader.warm(kinds);
        }
    }

    /// Whether files are to be in the cache as soon as they are open.
    pub fn wants_prefetch(&self) -> bool {
        self.config().warm.opened != CacheOnWrite::default()
    }

    /// Puts the files into the cache, until `stops`.
    pub fn prefetch(&self, stops: &dyn Fn() -> bool) {
        for file in self.files().iter() {
            if stops() {
                return;
            }
            self.warm(file, Origin::Opened);
        }
    }
}
