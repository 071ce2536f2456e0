//! Blocks of a store's files that are cached before the first read. Source: HBase's `CacheConfig`.

use super::{Store, StoreFile};
use crate::settings::Settings;
use rowstone_model::schema::{CacheOnWrite, FamilyOptions};

/// Origin of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// It existed before, or was bulk loaded.
    Opened,
    /// It was written by a flush.
    Flush,
    /// It was written by a compaction; `is_major` if a major one was requested.
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
        // Compactions write mostly old cells. By default HBase does not cache their data.
        let compacted = if settings.flag("hbase.rs.cachecompactedblocksonwrite") {
            ALL
        } else {
            CacheOnWrite { data: false, ..flushed }
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
    /// Counts a new file, and caches the blocks of it that the family asks for. A read error is ignored here; the
    /// first reader gets it.
    pub(super) fn warm(&self, file: &StoreFile, origin: Origin) {
        self.counters.wrote(origin, file.entry.size_bytes);
        let kinds = self.config().warm.kinds(origin);
        if kinds != CacheOnWrite::default() {
            let _ = file.reader.warm(kinds);
        }
    }

    /// Whether files should be cached as soon as they are open.
    pub fn wants_prefetch(&self) -> bool {
        self.config().warm.opened != CacheOnWrite::default()
    }

    /// Loads the files into the cache, until `stops` returns true.
    pub fn prefetch(&self, stops: &dyn Fn() -> bool) {
        for file in self.files().iter() {
            if stops() {
                return;
            }
            self.warm(file, Origin::Opened);
        }
    }
}
