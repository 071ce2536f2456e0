//! Exporting a family to one file outside the database, for HBase's bulk load.

use super::rows::RowsBetween;
use super::source::Source;
use super::{State, Store};
use crate::compact::rewrite::rewrite;
use crate::hfile::format::file_info::names;
use crate::hfile::{FileFacts, Summary, Writer, WriterOptions};
use crate::scan::{Expiry, MergedSource, Mode};
use crate::sys::FileSystem;
use rowstone_model::Result;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::Arc;

impl Store {
    /// Writes the cells that the read point sees to `path` of `outside`, as a compaction of memory and all files would
    /// retain them, with delete markers. Cells have no sequence ids, as in other files for bulk loads.
    /// Returns `None`, and creates no file, if there are no cells.
    ///
    /// The read point must be registered with the region until this returns.
    pub fn export(&self, outside: &dyn FileSystem, path: &Path, read_point: u64) -> Result<Option<Summary>> {
        let now_ms = self.services.system().clock.now_ms();
        let mut sources: Vec<Source> = Vec::new();
        let view = self.memstore.view();
        view.sources(read_point, None, &mut sources);
        let state = Arc::clone(view.files());
        drop(view);
        let State { config, files, mob } = &*state;
        sources.extend(files.iter().rev().map(|file| Source::File(file.reader.source(false))));
        let options = WriterOptions {
            include_tags: self.has_tags.load(Ordering::Relaxed),
            include_sequence_ids: false,
            ..WriterOptions::for_family(&config.family, now_ms)
        };
        let mut writer = Writer::create(outside, path, options)?;
        // Files of a split region contain rows of other regions.
        let merged = RowsBetween::new(MergedSource::new(sources, read_point), &self.rows);
        let expiry = Expiry::new(now_ms, config.family.ttl_ms);
        let mode = Mode::KeepDeletes { cut: read_point };
        rewrite(merged, &config.family, mode, expiry, |cell| match mob.as_ref().filter(|mob| mob.refers(cell)) {
            // A MOB reference is meaningless outside this database.
            Some(mob) => mob.load(cell, |whole| writer.append(&whole.with_sequence_id(0))),
            None => writer.append(&cell.with_sequence_id(0)),
        })?;
        let has_cells = writer.entry_count() > 0;
        let facts = FileFacts {
            extra_info: vec![(names::BULK_LOAD_TIME.to_vec(), now_ms.to_be_bytes().to_vec())],
            ..FileFacts::default()
        };
        let summary = writer.finish(&facts)?;
        Ok(has_cells.then_some(summary))
    }
}
