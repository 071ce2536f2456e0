//! A store file: its manifest entry and its open reader.

use super::services::Services;
use crate::compact::selection::Candidate;
use crate::hfile::{Reader, ReaderOptions};
use crate::manifest::{FileEntry, Half, MobEntry};
use crate::mob::MobFile;
use rowstone_model::cell::row_of;
use rowstone_model::operations::{Qualifiers, TimeRange};
use rowstone_model::schema::{BloomFilter, FamilyOptions, RegionInfo};
use rowstone_model::{ErrorKind, Result};
use std::sync::Arc;

/// An open store file.
pub struct StoreFile {
    /// The entry in the manifest.
    pub entry: FileEntry,
    /// The open reader.
    pub reader: Arc<Reader>,
    /// The MOB files to which its cells refer.
    pub mob: Vec<Arc<MobFile>>,
}

impl StoreFile {
    /// Opens the file of `entry`. MOB files that are already open in `known` are reused.
    pub fn open(
        entry: FileEntry,
        family: &FamilyOptions,
        known: &[Arc<MobFile>],
        services: &Arc<dyn Services>,
    ) -> Result<Self> {
        let sequence_id = entry.is_bulk_loaded.then_some(entry.max_sequence_id);
        let options = ReaderOptions { in_memory: family.in_memory, sequence_id };
        let reader = services.open_file(&entry.path, options)?;
        reader.check_named(entry.size_bytes, entry.entry_count, entry.digest.as_ref())?;
        let open = |mob: &MobEntry| match known.iter().find(|known| known.path() == mob.path) {
            Some(known) => Ok(Arc::clone(known)),
            None => open_mob_file(mob, services),
        };
        let mob = entry.mob_files.iter().map(open).collect::<Result<_>>()?;
        Ok(StoreFile { entry, reader, mob })
    }

    /// Bytes that belong to the store: about half of a file that was cut by a split, as HBase counts.
    pub fn size_bytes(&self) -> u64 {
        self.entry.size_bytes / if self.is_reference() { 2 } else { 1 }
    }

    /// Number of cells that belong to the store, counted in the same way.
    pub fn entry_count(&self) -> u64 {
        self.entry.entry_count / if self.is_reference() { 2 } else { 1 }
    }

    /// Whether the store has only one half of it. The region's rows determine which.
    pub fn is_reference(&self) -> bool {
        self.entry.reference.is_some()
    }

    /// The first row and the last; `None` for a file without cells.
    pub fn rows(&self) -> Option<(&[u8], &[u8])> {
        let info = self.reader.info();
        Some((row_of(info.first_key.as_deref()?), row_of(info.last_key.as_deref()?)))
    }

    /// The part of the file in a region with fewer rows: all, some, or none of it.
    pub fn within(self: &Arc<Self>, region: &RegionInfo) -> Option<Arc<StoreFile>> {
        let (first, last) = self.rows()?;
        let half = match (region.contains(first), region.contains(last)) {
            (true, true) => return Some(Arc::clone(self)),
            (false, true) => Half { split_row: region.start_key.clone(), is_top: true },
            (true, false) => Half { split_row: region.end_key.clone(), is_top: false },
            (false, false) => return None,
        };
        let entry = FileEntry { reference: Some(half), ..self.entry.clone() };
        Some(Arc::new(StoreFile { entry, reader: Arc::clone(&self.reader), mob: self.mob.clone() }))
    }

    /// The paths of the file and of the MOB files to which it refers.
    pub fn paths(&self) -> impl Iterator<Item = String> + '_ {
        self.entry.paths().map(String::from)
    }

    /// Sort key from old to new: by sequence id, then larger files first, then by name, as in HBase.
    pub fn order(&self) -> (u64, std::cmp::Reverse<u64>, String) {
        (self.entry.max_sequence_id, std::cmp::Reverse(self.entry.size_bytes), self.entry.path.clone())
    }

    /// The properties that compaction selection uses.
    pub fn candidate(&self) -> Candidate {
        Candidate {
            size_bytes: self.size_bytes(),
            max_timestamp: self.reader.info().time_range.map(|range| range.1),
            is_reference: self.is_reference(),
        }
    }

    /// Whether a reader of `range` can find any unexpired cell in this file. `oldest_unexpired` is the limit for
    /// the time to live.
    pub fn overlaps(&self, range: TimeRange, oldest_unexpired: i64) -> bool {
        match self.reader.info().time_range {
            None => self.reader.info().entry_count > 0,
            Some((min, max)) => {
                max >= oldest_unexpired && max >= range.min && (min < range.max || range.max == i64::MAX)
            }
        }
    }

    /// Whether the first row of the file is not after `last_row`. Source: HBase's
    /// `StoreFileReader.passesKeyRangeFilter`.
    pub fn begins_by(&self, last_row: Option<&[u8]>) -> bool {
        let Some(last_row) = last_row else { return true };
        self.rows().is_some_and(|(first, _)| first <= last_row)
    }

    /// Whether `row` is between the first row of the file and the last.
    #[inline]
    pub fn covers(&self, row: &[u8]) -> bool {
        let info = self.reader.info();
        match (&info.first_key, &info.last_key) {
            (Some(first), Some(last)) => row >= row_of(first) && row <= row_of(last),
            _ => false,
        }
    }

    /// Whether the file can contain cells of `row` in one of `qualifiers` (or in any column), according to its
    /// Bloom filter. With `at_once` a filter that is not in memory always says yes.
    pub fn might_contain(&self, row: &[u8], qualifiers: Option<&Qualifiers>, at_once: bool) -> Result<bool> {
        match qualifiers {
            Some(qualifiers) if self.reader.info().bloom == BloomFilter::RowCol => {
                for qualifier in qualifiers.iter() {
                    if self.reader.might_contain_column(row, qualifier, at_once)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => self.reader.might_contain_row(row, at_once),
        }
    }
}

/// An unreadable MOB file only affects its values. Next to a writer, a missing one may have been removed
/// legitimately.
fn open_mob_file(entry: &MobEntry, services: &Arc<dyn Services>) -> Result<Arc<MobFile>> {
    let opener = Arc::clone(services);
    let file = MobFile::new(entry, move |path| opener.open_file(path, ReaderOptions::default()));
    match file.reader() {
        Err(error) if error.kind() == ErrorKind::Io && services.may_open_again() => Err(error),
        _ => Ok(Arc::new(file)),
    }
}
