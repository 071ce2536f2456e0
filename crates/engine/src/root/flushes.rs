//! The files of a region between flushes. A flush writes a file for each family and commits them one after another: a
//! listing in between has some of them, and rows without a family. The committed files of such a flush are left out.
//! Source: HBase's `HRegion.internalFlushCacheAndCommit`.

use super::messages::{read_compacted, NamedFile};
use super::names::{family_folder, form_of, sequence_id_in, Form};
use super::snapshot::understood;
use super::tracker::Tracker;
use crate::cache::BlockCache;
use crate::hfile::format::file_info::names;
use crate::hfile::{Reader, ReaderOptions};
use crate::sys::FileSystem;
use rowstone_model::schema::TableDescriptor;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Listings of one region until two in a row are equal.
const ATTEMPTS: usize = 100;
const CACHE_BYTES: u64 = 1 << 20;

/// Each family with its files.
type Families = Vec<(Vec<u8>, Vec<NamedFile>)>;

/// Lists the files of the region in `folder`: of each flush the files of all families, or none.
///
/// # Errors
/// `Io` for a file that vanishes meanwhile, and if the files change during all attempts.
pub(super) fn committed(files: &dyn FileSystem, folder: &Path, table: &TableDescriptor) -> Result<Families> {
    let mut listed = list(files, folder, table)?;
    if table.families.len() < 2 {
        return Ok(listed);
    }
    for _ in 0..ATTEMPTS {
        // All files of a flush are complete before the first one is committed. So if a file of a flush is in the listing,
        // and another is missing there, then the missing one is found between this listing and the next equal one.
        let waiting = waiting(files, folder, table, &listed);
        let again = list(files, folder, table)?;
        match waiting {
            Ok(waiting) if again == listed => return without(files, folder, listed, &waiting),
            Err(error) if !error.is_not_found() => return Err(error),
            _ => listed = again,
        }
    }
    let why =
        io::Error::new(io::ErrorKind::NotFound, format!("its files changed {ATTEMPTS} times while it was listed"));
    Err(Error::io("list", folder.display(), &why))
}

fn list(files: &dyn FileSystem, folder: &Path, table: &TableDescriptor) -> Result<Families> {
    let mut listed = Vec::new();
    for (name, family) in &table.families {
        let found = Tracker::of(table, family)?.files(files, &store_folder(folder, name))?;
        listed.push((name.clone(), found));
    }
    Ok(listed)
}

/// Families and sequence ids of flushed files that are complete and not committed.
fn waiting(
    files: &dyn FileSystem,
    folder: &Path,
    table: &TableDescriptor,
    listed: &Families,
) -> Result<Vec<(Vec<u8>, u64)>> {
    let mut found = Vec::new();
    for ((name, family), (_, committed)) in table.families.iter().zip(listed) {
        for path in Tracker::of(table, family)?.uncommitted(files, folder, name, committed)? {
            let flush = origin(files, &path)?.filter(|origin| origin.is_flush);
            found.extend(flush.map(|flush| (name.clone(), flush.sequence_id)));
        }
    }
    Ok(found)
}

/// The listed files without those of flushes of which a file is waiting. A waiting file whose sequence id its family
/// has reached is none: a compaction has replaced it, or a server was killed and its successor flushed the cells again.
fn without(
    files: &dyn FileSystem,
    folder: &Path,
    mut listed: Families,
    waiting: &[(Vec<u8>, u64)],
) -> Result<Families> {
    if waiting.is_empty() {
        return Ok(listed);
    }
    let mut flushes = BTreeMap::new();
    let mut reached: BTreeMap<&[u8], u64> = BTreeMap::new();
    for (family, committed) in &listed {
        for file in committed.iter().filter(|file| is_written_here(&file.name)) {
            let Some(origin) = origin(files, &store_folder(folder, family).join(&file.name))? else { continue };
            let most = reached.entry(family).or_default();
            *most = origin.sequence_id.max(*most);
            if origin.is_flush {
                flushes.insert(file.name.clone(), origin.sequence_id);
            }
        }
    }
    let is_flush = |(name, id): &&(Vec<u8>, u64)| reached.get(name.as_slice()).is_none_or(|most| most < id);
    let missing: Vec<_> = waiting.iter().filter(is_flush).cloned().collect();
    for (name, sequence_id) in &missing {
        for (_, committed) in listed.iter_mut().filter(|(family, _)| family != name) {
            committed.retain(|file| flushes.get(&file.name) != Some(sequence_id));
        }
    }
    Ok(listed)
}

/// Whether the region's server wrote a file of this name: it is no link, no reference, and was not loaded.
fn is_written_here(name: &str) -> bool {
    form_of(name) == Some(Form::File) && sequence_id_in(name).is_none()
}

/// The operation that wrote a file.
struct Origin {
    sequence_id: u64,
    /// Whether it was a flush; else it was a compaction.
    is_flush: bool,
}

/// The origin of a file; `None` if it is still being written.
fn origin(files: &dyn FileSystem, path: &Path) -> Result<Option<Origin>> {
    let cache = Arc::new(BlockCache::new(CACHE_BYTES));
    let reader = match Reader::open(files, path, cache, ReaderOptions::default()) {
        Err(error) if error.kind() == ErrorKind::Corruption => return Ok(None),
        reader => reader?,
    };
    let info = reader.info();
    let compacted = match info.raw.get(names::COMPACTION_EVENT) {
        Some(bytes) => understood(read_compacted(bytes), path)?,
        None => Vec::new(),
    };
    Ok(Some(Origin { sequence_id: info.max_sequence_id, is_flush: compacted.is_empty() }))
}

fn store_folder(folder: &Path, family: &[u8]) -> PathBuf {
    folder.join(family_folder(family))
}
