//! The manifest: every change is atomic, and on the disk before it is visible.

mod basics;
mod crash;
mod damage;
mod model;
mod sweep;

use super::*;
use crate::sys::{FileSystem, ManualClock, MemoryFileSystem, SeededEntropy, System};
use rowstone_model::schema::{FamilyDescriptor, NamespaceDescriptor, TableDescriptor, TableName, TableState};
use rowstone_model::ErrorKind;
use std::path::Path;
use std::sync::Arc;

pub(super) fn directory() -> &'static Path {
    Path::new("/db")
}

pub(super) fn system_on(files: impl FileSystem + 'static) -> System {
    let (clock, entropy) = (Arc::new(ManualClock::new(1_000)), Arc::new(SeededEntropy::new(3)));
    System { files: Arc::new(files), clock, entropy }
}

pub(super) fn memory() -> System {
    system_on(MemoryFileSystem::new())
}

pub(super) fn name(text: &str) -> TableName {
    TableName::parse(text).unwrap()
}

pub(super) fn table(text: &str, families: &[&str]) -> TableDescriptor {
    let with = |table: TableDescriptor, family: &&str| table.with_family(FamilyDescriptor::new(*family));
    families.iter().fold(TableDescriptor::new(name(text)), with)
}

/// Regions of `descriptor`, split at `splits`.
pub(super) fn regions(descriptor: &TableDescriptor, splits: &[&[u8]], region_id: i64) -> Vec<RegionEntry> {
    let starts = std::iter::once(&b""[..]).chain(splits.iter().copied());
    let ends = splits.iter().copied().chain(std::iter::once(&b""[..]));
    let region = |(start, end): (&[u8], &[u8])| {
        RegionEntry::new(new_region(&descriptor.name, start.to_vec(), end.to_vec(), region_id), descriptor)
    };
    starts.zip(ends).map(region).collect()
}

pub(super) fn create(text: &str, families: &[&str], splits: &[&[u8]], region_id: i64) -> Edit {
    let descriptor = table(text, families);
    let regions = regions(&descriptor, splits, region_id);
    Edit::CreateTable { descriptor, regions }
}

pub(super) fn file(path: &str, max_sequence_id: u64) -> FileEntry {
    FileEntry { path: path.into(), size_bytes: 10, max_sequence_id, entry_count: 2, ..FileEntry::default() }
}
