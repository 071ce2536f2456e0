//! Readers of one store: which segments and files take part, and under which rules.

use super::source::{RowSource, Source};
use super::{Config, Store};
use crate::scan::new_version::{NewVersionRules, NewVersionSource};
use crate::scan::{Expiry, Matcher, MergedSource, RowLimits, StoreReader};
use rowstone_model::operations::ReadOptions;
use rowstone_model::Result;
use std::sync::atomic::Ordering;

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
    /// The one row that will be read, where it is one.
    pub row: Option<&'a [u8]>,
    /// The time of the reading; the store adds its time to live.
    pub expiry: Expiry,
}

impl Store {
    /// A reader, and the generation of what it reads. Seek before reading.
    pub fn reader(&self, request: &ReadRequest<'_>) -> Result<(Reader, u64)> {
        let config = self.config();
        let expiry = Expiry::new(request.expiry.now_ms, config.family.ttl_ms);
        let (sources, generation) = self.sources(request, &config, &expiry)?;
        Ok((build(sources, request, &config, expiry), generation))
    }

    /// A reader that stands at the request's row; `None` where no source can have it.
    pub fn reader_for_row(&self, request: &ReadRequest<'_>) -> Result<Option<Reader>> {
        let Some(row) = request.row else { return Ok(None) };
        let config = self.config();
        let expiry = Expiry::new(request.expiry.now_ms, config.family.ttl_ms);
        let (sources, _) = self.sources(request, &config, &expiry)?;
        if sources.is_empty() {
            return Ok(None);
        }
        let mut reader = build(sources, request, &config, expiry);
        reader.seek_to_row(row)?;
        Ok((reader.current_row() == Some(row)).then_some(reader))
    }

    /// The sources that can matter, newest first, as one set.
    fn sources(&self, request: &ReadRequest<'_>, config: &Config, expiry: &Expiry) -> Result<(Vec<Source>, u64)> {
        let range = request.options.time_range_of(&self.family);
        // Below MIN_VERSIONS even expired cells count, so no file may be left out for its age.
        let oldest =
            if config.family.min_versions == 0 && !request.options.raw { expiry.oldest_unexpired } else { i64::MIN };
        let mut sources: Vec<Source> = Vec::new();
        let (files, generation) = {
            let guard = self.files.read();
            self.memstore.sources(request.read_point, request.row, &mut sources);
            (std::sync::Arc::clone(&guard), self.generation.load(Ordering::Acquire))
        };
        let cache_blocks = request.options.cache_blocks && config.family.block_cache;
        for file in files.iter().rev() {
            let matters = file.overlaps(range, oldest)
                && match request.row {
                    Some(row) => file.might_contain(row, request.qualifiers)?,
                    None => true,
                };
            if matters {
                sources.push(Source::File(file.reader.source(cache_blocks)));
            }
        }
        Ok((sources, generation))
    }
}

fn build(sources: Vec<Source>, request: &ReadRequest<'_>, config: &Config, expiry: Expiry) -> Reader {
    let (options, family) = (request.options, &config.family);
    let range = options.time_range_of(&family.name);
    let merged = MergedSource::new(sources, request.read_point);
    let limits = RowLimits { offset: options.offset_per_family, count: options.cells_per_family };
    let qualifiers = request.qualifiers.cloned();
    if family.new_version_behavior && !options.raw {
        let rules = NewVersionRules::for_read(family, range, expiry, qualifiers);
        let source = RowSource::NewVersion(Box::new(NewVersionSource::new(merged, rules)));
        let matcher = Matcher::for_read(family, false, options.versions, None, range, expiry);
        return StoreReader::new(source, matcher, limits);
    }
    let matcher = Matcher::for_read(family, options.raw, options.versions, qualifiers, range, expiry);
    StoreReader::new(RowSource::Merged(merged), matcher, limits)
}
