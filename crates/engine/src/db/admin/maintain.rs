//! Flushes and compactions on request; statistics.

use super::super::Database;
use crate::db::state::tables::TableHandle;
use crate::region::Region;
use crate::store::{Services, Store, StoreFile};
use rowstone_model::admin::{Statistics, StoreFileInfo, StoreLoad};
use rowstone_model::schema::{RegionInfo, TableName};
use rowstone_model::switches::Switch;
use rowstone_model::{ErrorKind, Result};
use std::sync::Arc;

/// Limit on restarts of a compaction that a change of the table interrupted.
const MAX_COMPACTION_ATTEMPTS: usize = 100;

/// Whether two regions of a table have rows in common.
fn overlap(left: &RegionInfo, right: &RegionInfo) -> bool {
    let begins_before_end =
        |one: &RegionInfo, other: &RegionInfo| other.end_key.is_empty() || one.start_key < other.end_key;
    begins_before_end(left, right) && begins_before_end(right, left)
}

impl Database {
    pub(super) fn do_flush(&self, name: Option<&TableName>) -> Result<()> {
        self.shared.check_changeable()?;
        let tables = match name {
            // A view of the manifest.
            Some(name) if name.is_meta() => Vec::new(),
            Some(name) => vec![self.shared.tables.find(name)?],
            None => self.shared.tables.all(),
        };
        for table in tables {
            for region in table.regions().iter() {
                region.flush()?;
            }
        }
        Ok(())
    }

    pub(super) fn do_compact(&self, name: &TableName, family: Option<&[u8]>, major: bool) -> Result<()> {
        self.shared.check_changeable()?;
        if name.is_meta() {
            return Ok(());
        }
        let table = self.shared.tables.find(name)?;
        let regions = Vec::clone(&table.regions());
        regions.into_iter().try_for_each(|region| self.compact_rows(&table, region, family, major))
    }

    /// Compacts a region. If it is split, merged or altered meanwhile, compacts the regions that then have its
    /// rows.
    pub(super) fn compact_rows(
        &self,
        table: &TableHandle,
        region: Arc<Region>,
        family: Option<&[u8]>,
        major: bool,
    ) -> Result<()> {
        if !self.shared.switches.is_on(Switch::Compaction) {
            // HBase ignores the request too.
            return Ok(());
        }
        let (mut waiting, mut attempts) = (vec![region], 0);
        while let Some(region) = waiting.pop() {
            let Err(error) = region.compact(family, major) else { continue };
            attempts += 1;
            let was_stopped = matches!(error.kind(), ErrorKind::TableNotEnabled | ErrorKind::RegionNotFound);
            if !was_stopped || attempts > MAX_COMPACTION_ATTEMPTS {
                return Err(error);
            }
            // Wait until the change that interrupted the compaction is complete.
            drop(self.shared.begin_schema_change()?);
            if table.is_dropped() {
                return Err(error);
            }
            waiting.extend(table.regions().iter().filter(|other| overlap(region.info(), other.info())).cloned());
        }
        Ok(())
    }

    pub(super) fn list_store_files(&self, name: &TableName) -> Result<Vec<StoreFileInfo>> {
        self.shared.check_open()?;
        let mut files = Vec::new();
        for region in self.shared.tables.find(name)?.regions().iter() {
            for store in region.stores().iter() {
                files.extend(store.files().iter().map(|file| self.describe_file(region, store, file)));
            }
        }
        Ok(files)
    }

    pub(super) fn describe_file(&self, region: &Region, store: &Store, file: &StoreFile) -> StoreFileInfo {
        StoreFileInfo {
            region: region.info().encoded_name.clone(),
            family: store.family_name().to_vec(),
            path: self.shared.path(&file.entry.path).display().to_string(),
            size_bytes: file.entry.size_bytes,
            entry_count: file.entry.entry_count,
            max_sequence_id: file.entry.max_sequence_id,
            time_range: file.reader.info().time_range,
            is_major: file.entry.is_major,
        }
    }

    pub(super) fn list_store_loads(&self, name: &TableName) -> Result<Vec<StoreLoad>> {
        self.shared.check_open()?;
        let mut loads = Vec::new();
        for region in self.shared.tables.find(name)?.regions().iter() {
            let (reads, writes) = region.request_counts();
            for store in region.stores().iter() {
                let mut numbers = store.numbers();
                numbers.insert("region_reads".into(), reads as i64);
                numbers.insert("region_writes".into(), writes as i64);
                let family = Some(store.family_name().to_vec());
                loads.push(StoreLoad { region: region.info().clone(), family, numbers });
            }
        }
        Ok(loads)
    }

    pub(super) fn gather_statistics(&self, name: Option<&TableName>) -> Result<Statistics> {
        self.shared.check_open()?;
        let mut numbers = Statistics::new();
        let tables = match name {
            Some(name) => vec![self.shared.tables.find(name)?],
            None => self.shared.tables.all(),
        };
        for table in &tables {
            add_table(&mut numbers, table);
        }
        if name.is_none() {
            numbers.insert("tables".into(), tables.len() as i64);
            let own = self.memory_numbers().into_iter().chain(self.handle_numbers()).chain(self.log_numbers());
            numbers.extend(own.map(|(name, number)| (name.to_string(), as_number(number))));
            let now_ms = self.shared.system.clock.now_ms();
            numbers.insert("clock_behind_ms".into(), self.shared.clock_watch.behind_ms(now_ms));
            for (name, number) in self.shared.counts.numbers() {
                numbers.insert(name.into(), number as i64);
            }
        }
        Ok(numbers)
    }

    /// Numbers of the block cache, and the limit of the memstores.
    fn memory_numbers(&self) -> Vec<(&'static str, u64)> {
        let cache = self.shared.cache.statistics();
        vec![
            ("memstore_limit_bytes", self.shared.limits.memstore.bytes),
            ("cache_bytes", cache.bytes),
            ("cache_limit_bytes", cache.limit_bytes),
            ("cache_blocks", cache.block_count),
            ("cache_hits", cache.hits),
            ("cache_misses", cache.misses),
            ("cache_evictions", cache.evictions),
        ]
    }

    /// Numbers of the handles of store files; none if all of them stay open.
    fn handle_numbers(&self) -> Vec<(&'static str, u64)> {
        self.shared.system.files.handle_counts().map_or_else(Vec::new, |handles| {
            vec![
                ("file_handles", handles.open),
                ("file_handle_limit", handles.limit),
                ("file_handles_reopened", handles.reopened),
            ]
        })
    }

    /// Numbers of the log; none if there is no log.
    fn log_numbers(&self) -> Vec<(&'static str, u64)> {
        self.shared.wal().map(|wal| wal.statistics()).map_or_else(Vec::new, |log| {
            vec![
                ("logs", log.log_count),
                ("log_bytes", log.log_bytes),
                ("log_records", log.appends),
                ("log_writes", log.writes),
                ("log_syncs", log.syncs),
                ("log_sync_ns", log.sync_ns),
                ("log_appended_bytes", log.appended_bytes),
                ("log_rolls", log.rolls),
            ]
        })
    }
}

fn as_number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn add_table(numbers: &mut Statistics, table: &Arc<TableHandle>) {
    let mut most_files = 0;
    let mut add = |key: &str, value: i64| *numbers.entry(key.to_string()).or_insert(0) += value;
    for region in table.regions().iter() {
        let (reads, writes) = region.request_counts();
        let (_, _, scanners) = region.sequence_state();
        add("regions", 1);
        add("read_requests", reads as i64);
        add("write_requests", writes as i64);
        add("open_scanners", scanners as i64);
        let (mutations, bytes) = region.unlogged_counts();
        add("unlogged_mutations", mutations as i64);
        add("unlogged_bytes", bytes as i64);
        for store in region.stores().iter() {
            let files = store.files();
            add("stores", 1);
            most_files = most_files.max(files.len() as i64);
            add("store_files", files.len() as i64);
            add("store_file_bytes", store.file_bytes() as i64);
            add("store_file_cells", files.iter().map(|file| file.entry_count() as i64).sum());
            add("reference_files", files.iter().filter(|file| file.is_reference()).count() as i64);
            let mob_files = store.mob_files();
            add("mob_files", mob_files.len() as i64);
            add("mob_file_bytes", mob_files.iter().map(|file| file.size_bytes() as i64).sum());
            add("memstore_cells", store.memstore_cells() as i64);
            add("memstore_bytes", store.memstore_bytes() as i64);
        }
    }
    let most = numbers.entry("most_store_files".to_string()).or_insert(0);
    *most = most_files.max(*most);
}
