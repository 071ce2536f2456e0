//! Readers of one store: which segments and files take part, and under which rules.

use super::source::{RowSource, Source};
use super::{Config, Store, StoreFile};
use crate::scan::new_version::{NewVersionRules, NewVersionSource};
use crate::scan::{Expiry, Matcher, MergedSource, RowLimits, RowReader, StoreReader};
use rowstone_model::cell::{CellBuffer, CellSource};
use rowstone_model::operations::ReadOptions;
use rowstone_model::Result;
use smallvec::SmallVec;
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// A reader of one store.
pub type Reader = StoreReader<RowSource>;

/// What a reader asks of a store.
pub struct ReadRequest<'a> {
    /// What is read.
    pub options: &'a ReadOptions,
    /// The columns of this family, sorted; `None` for all.
    pub qualifiers: Option<&'a Vec<Vec<u8>>>,
    /// Cells with larger sequence ids are not there.
    pub read_point: u64,
    /// The time of the reading, in milliseconds.
    pub now_ms: i64,
}

impl Store {
    /// A reader of all that is there at this moment. Seek before reading.
    pub fn reader(&self, request: &ReadRequest<'_>) -> Result<Reader> {
        let config = self.config();
        let expiry = Expiry::new(request.now_ms, config.family.ttl_ms);
        let mut sources: Vec<Source> = Vec::new();
        // Both under one lock: a flush swaps its snapshot for its file under the same.
        let files = {
            let guard = self.files.read();
            self.memstore.sources(request.read_point, None, &mut sources);
            Arc::clone(&guard)
        };
        let keeps_blocks = request.options.cache_blocks && config.family.block_cache;
        let oldest = oldest_that_matters(request, &config, &expiry);
        let range = request.options.time_range_of(&self.family);
        let matching = files.iter().rev().filter(|file| file.overlaps(range, oldest));
        sources.extend(matching.map(|file| Source::File(file.reader.source(keeps_blocks))));
        let merged = MergedSource::new(sources, request.read_point);
        let source = if is_new_version(request, &config) {
            RowSource::NewVersion(Box::new(new_version_source(merged, request, &config, expiry)))
        } else {
            RowSource::Merged(merged)
        };
        Ok(StoreReader::new(source, row_reader(request, &config, expiry)))
    }

    /// Appends to `out` up to `max_cells` cells of `row`; how many there were. `None` where files were written meanwhile that
    /// do not hold all that the read point sees: the caller takes a newer one.
    pub fn read_row(
        &self,
        request: &ReadRequest<'_>,
        row: &[u8],
        max_cells: usize,
        out: &mut CellBuffer,
    ) -> Result<Option<usize>> {
        let config = self.config();
        let expiry = Expiry::new(request.now_ms, config.family.ttl_ms);
        let mut recent: SmallVec<[crate::memstore::MemstoreSource; 1]> = SmallVec::new();
        let files = {
            let guard = self.files.read();
            if self.cut.load(Ordering::Acquire) > request.read_point {
                return Ok(None);
            }
            self.memstore.sources(request.read_point, Some(row), &mut recent);
            Arc::clone(&guard)
        };
        let mut older: SmallVec<[&Arc<StoreFile>; 4]> = SmallVec::new();
        let oldest = oldest_that_matters(request, &config, &expiry);
        let range = request.options.time_range_of(&self.family);
        for file in files.iter().rev() {
            if file.overlaps(range, oldest) && file.might_contain(row, request.qualifiers)? {
                older.push(file);
            }
        }
        let keeps_blocks = request.options.cache_blocks && config.family.block_cache;
        let rows = || row_reader(request, &config, expiry);
        // Most rows are in one place: then there is nothing to merge.
        let is_visible = older.iter().all(|file| file.reader.info().max_cell_sequence_id <= request.read_point);
        match (recent.as_mut_slice(), older.as_slice()) {
            ([], []) => Ok(Some(0)),
            ([only], []) if !is_new_version(request, &config) => read_from(only, rows(), row, max_cells, out),
            ([], [only]) if is_visible && !is_new_version(request, &config) => {
                read_from(&mut only.reader.source(keeps_blocks), rows(), row, max_cells, out)
            }
            _ => {
                let mut sources: Vec<Source> = recent.into_iter().map(Source::from).collect();
                sources.extend(older.iter().map(|file| Source::File(file.reader.source(keeps_blocks))));
                let mut merged = MergedSource::new(sources, request.read_point);
                if !is_new_version(request, &config) {
                    return read_from(&mut merged, rows(), row, max_cells, out);
                }
                read_from(&mut new_version_source(merged, request, &config, expiry), rows(), row, max_cells, out)
            }
        }
    }
}

fn read_from(
    source: &mut impl CellSource,
    mut rows: RowReader,
    row: &[u8],
    max_cells: usize,
    out: &mut CellBuffer,
) -> Result<Option<usize>> {
    rows.seek_to_row(source, row)?;
    if source.peek().is_none_or(|cell| cell.row() != row) {
        return Ok(Some(0));
    }
    rows.read_page(source, row, max_cells, out).map(|page| Some(page.0))
}

/// Files whose newest cell is older need not be read. Below MIN_VERSIONS even expired cells count, so none may be left out.
fn oldest_that_matters(request: &ReadRequest<'_>, config: &Config, expiry: &Expiry) -> i64 {
    if config.family.min_versions == 0 && !request.options.raw {
        expiry.oldest_unexpired
    } else {
        i64::MIN
    }
}

fn is_new_version(request: &ReadRequest<'_>, config: &Config) -> bool {
    config.family.new_version_behavior && !request.options.raw
}

fn new_version_source<S: CellSource>(
    source: S,
    request: &ReadRequest<'_>,
    config: &Config,
    expiry: Expiry,
) -> NewVersionSource<S> {
    let range = request.options.time_range_of(&config.family.name);
    let rules = NewVersionRules::for_read(&config.family, range, expiry, request.qualifiers.cloned());
    NewVersionSource::new(source, rules)
}

fn row_reader(request: &ReadRequest<'_>, config: &Config, expiry: Expiry) -> RowReader {
    let (options, family) = (request.options, &config.family);
    let range = options.time_range_of(&family.name);
    let limits = RowLimits { offset: options.offset_per_family, count: options.cells_per_family };
    // What the new version rules show is already narrowed to the columns.
    let qualifiers = request.qualifiers.filter(|_| !is_new_version(request, config)).cloned();
    RowReader::new(Matcher::for_read(family, options.raw, options.versions, qualifiers, range, expiry), limits)
}
