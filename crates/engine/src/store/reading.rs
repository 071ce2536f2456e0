//! Readers of one store: the segments and files they read, and the rules they apply.

use super::source::{RowSource, Source};
use super::{Config, State, Store, StoreFile};
use crate::hfile::Patience;
use crate::mob::MobReading;
use crate::scan::new_version::{NewVersionRules, NewVersionSource};
use crate::scan::{Expiry, Matcher, MergedSource, RowLimits, RowReader, StoreReader};
use rowstone_model::cell::CellSource;
use rowstone_model::operations::{MobValues, Qualifiers, ReadOptions};
use rowstone_model::Result;
use std::borrow::Cow;
use std::sync::Arc;

/// A reader of one store.
pub type Reader = StoreReader<RowSource>;

/// A read request to a store.
pub struct ReadRequest<'a> {
    /// Options of the read.
    pub options: &'a ReadOptions,
    /// The columns of this family; `None` for all.
    pub qualifiers: Option<&'a Qualifiers>,
    /// Cells with larger sequence ids are invisible.
    pub read_point: u64,
    /// Time of the read, in milliseconds.
    pub now_ms: i64,
    /// For gets: behavior if a block is not in memory.
    pub patience: Patience,
    /// Treatment of values in MOB files.
    pub mob_values: MobValues,
    /// For scans: no row after this one is read.
    pub last_row: Option<&'a [u8]>,
}

impl Store {
    /// Creates a reader of the store's current contents. Seek before reading.
    pub fn reader(&self, request: &ReadRequest<'_>) -> Result<Reader> {
        self.count_read();
        let view = self.memstore.view();
        let State { config, files, mob } = &**view.files();
        let expiry = Expiry::new(request.now_ms, config.family.ttl_ms);
        let mut sources: Vec<Source> = Vec::new();
        view.sources(request.read_point, None, &mut sources);
        let mob = MobReading::new(mob.as_ref(), request.mob_values);
        let keeps_blocks = request.options.cache_blocks && config.family.block_cache;
        let oldest = oldest_that_matters(request, config, &expiry);
        let range = request.options.time_range_of(&self.family);
        let is_wanted = |file: &&Arc<StoreFile>| file.overlaps(range, oldest) && file.begins_by(request.last_row);
        let matching = files.iter().rev().filter(is_wanted);
        let (workers, last_row) = (self.services.workers(), request.last_row);
        let source = |file: &Arc<StoreFile>| file.reader.source(keeps_blocks).reading_ahead(workers, last_row);
        sources.extend(matching.map(|file| Source::File(source(file))));
        let merged = MergedSource::new(sources, request.read_point);
        let source = if is_new_version(request, config) {
            RowSource::NewVersion(Box::new(new_version_source(merged, request, config, expiry)))
        } else {
            RowSource::Merged(merged)
        };
        Ok(StoreReader::new(source, row_reader(request, config, expiry)).with_mob(mob))
    }
}

/// Files whose newest cell is older need not be read. With MIN_VERSIONS even expired cells may be returned, so no
/// file may be skipped.
pub(super) fn oldest_that_matters(request: &ReadRequest<'_>, config: &Config, expiry: &Expiry) -> i64 {
    if config.family.min_versions == 0 && !request.options.raw {
        expiry.oldest_unexpired
    } else {
        i64::MIN
    }
}

pub(super) fn is_new_version(request: &ReadRequest<'_>, config: &Config) -> bool {
    config.family.new_version_behavior && !request.options.raw
}

pub(super) fn new_version_source<S: CellSource>(
    source: S,
    request: &ReadRequest<'_>,
    config: &Config,
    expiry: Expiry,
) -> NewVersionSource<S> {
    let range = request.options.time_range_of(&config.family.name);
    let rules = NewVersionRules::for_read(&config.family, range, expiry, request.qualifiers.cloned());
    NewVersionSource::new(source, rules)
}

pub(super) fn row_reader(request: &ReadRequest<'_>, config: &Config, expiry: Expiry) -> RowReader {
    let qualifiers = request.qualifiers.cloned().map(Cow::Owned);
    RowReader::new(matcher(request, config, expiry, qualifiers), row_limits(request))
}

// Always inlined, because a call would return the rules through memory, which is slower.
#[inline(always)]
pub(super) fn matcher<'q>(
    request: &ReadRequest<'_>,
    config: &Config,
    expiry: Expiry,
    qualifiers: Option<Cow<'q, Qualifiers>>,
) -> Matcher<'q> {
    let (options, family) = (request.options, &config.family);
    let range = options.time_range_of(&family.name);
    // The rules for new version behavior have already selected the columns.
    let qualifiers = qualifiers.filter(|_| !is_new_version(request, config));
    let mut matcher = Matcher::for_read(family, options.raw, options.versions, qualifiers, range, expiry);
    // The rules for new version behavior return at most the requested versions, with or without a filter.
    if options.is_filtered() && !is_new_version(request, config) {
        matcher.show_all_versions(family);
    }
    matcher
}

pub(super) fn row_limits(request: &ReadRequest<'_>) -> RowLimits {
    RowLimits { offset: request.options.offset_per_family, count: request.options.cells_per_family }
}
