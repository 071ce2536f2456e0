//! Bulk load into a store. External files are copied to the store's folder under a temporary name, then renamed and
//! added to the manifest. A copy left behind by a crash is garbage. Source: HBase's `HStore.bulkLoadHFile`.

use super::services::FileChange;
use super::warm::Origin;
use super::{Store, StoreFile};
use crate::hfile::format::file_info::names;
use crate::hfile::{Digest, FileFacts, Reader, Summary, Writer, WriterOptions};
use crate::manifest::FileEntry;
use crate::memstore::Memstore;
use crate::sys::{random_hex, FileSystem};
use rowstone_model::cell::{first_on_row, CellSource};
use rowstone_model::schema::RegionInfo;
use rowstone_model::{Error, Result};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// Bytes copied per read.
const COPY_BYTES: usize = 1 << 20;

/// A synced copy in the store's folder. Nothing refers to it yet.
pub struct StagedFile {
    relative: String,
    size_bytes: u64,
    entry_count: u64,
    keeps_sequence_ids: bool,
    digest: Digest,
}

impl Store {
    /// Copies the file of `reader`, byte by byte.
    pub fn stage_copy(&self, outside: &dyn FileSystem, reader: &Reader) -> Result<StagedFile> {
        let info = reader.info();
        self.stage(info.entry_count, info.keeps_sequence_ids, |target| {
            let files = self.services.system().files.as_ref();
            let (size_bytes, whole) = copy_file(outside, reader.path(), files, target)?;
            Ok((size_bytes, reader.digest(whole)?))
        })
    }

    /// Copies the cells of the file whose rows lie in `region`; `None` if there are none.
    pub fn stage_part(&self, reader: &Arc<Reader>, region: &RegionInfo) -> Result<Option<StagedFile>> {
        let mut entry_count = 0;
        let staged = self.stage(0, reader.info().keeps_sequence_ids, |target| {
            let summary = self.write_part(reader, region, target)?;
            entry_count = summary.entry_count;
            Ok((summary.size_bytes, summary.digest))
        })?;
        if entry_count == 0 {
            self.unstage(&[staged]);
            return Ok(None);
        }
        Ok(Some(StagedFile { entry_count, ..staged }))
    }

    /// Creates a file with `write`, which returns its size and digest, and syncs the file and its name.
    fn stage(
        &self,
        entry_count: u64,
        keeps_sequence_ids: bool,
        write: impl FnOnce(&Path) -> Result<(u64, Digest)>,
    ) -> Result<StagedFile> {
        self.make_folder()?;
        let relative = format!("{}/{}", self.directory, random_hex(self.services.system().entropy.as_ref()));
        let written = write(&self.services.path(&relative)).and_then(|written| {
            self.sync_folder(&self.services.path(&self.directory))?;
            Ok(written)
        });
        match written {
            Ok((size_bytes, digest)) => {
                Ok(StagedFile { relative, size_bytes, entry_count, keeps_sequence_ids, digest })
            }
            Err(error) => {
                self.services.remove_files(&[relative]);
                Err(error)
            }
        }
    }

    fn write_part(&self, reader: &Arc<Reader>, region: &RegionInfo, target: &Path) -> Result<Summary> {
        let (info, system) = (reader.info(), self.services.system());
        let options = WriterOptions {
            include_tags: info.layout.has_tags,
            ..WriterOptions::for_family(&self.config().family, system.clock.now_ms())
        };
        let mut writer = Writer::create(system.files.as_ref(), target, options)?;
        let mut source = reader.source(false);
        source.seek(&first_on_row(&region.start_key))?;
        while let Some(cell) = source.peek().filter(|cell| region.contains(cell.row())) {
            writer.append(&cell)?;
            source.advance()?;
        }
        let kept = (names::KEEPS_SEQUENCE_IDS.to_vec(), vec![1]);
        let facts = FileFacts {
            max_sequence_id: info.max_sequence_id,
            extra_info: info.keeps_sequence_ids.then_some(kept).into_iter().collect(),
            ..FileFacts::default()
        };
        writer.finish(&facts.with_name(&target.to_string_lossy()))
    }

    /// Removes copies that are not needed.
    pub fn unstage(&self, staged: &[StagedFile]) {
        let paths: Vec<String> = staged.iter().map(|file| file.relative.clone()).collect();
        self.services.remove_files(&paths);
    }

    /// Gives the copy its final name and opens it. The name contains `sequence_id`: HBase, too, takes the sequence id
    /// of the cells from it. The manifest does not name the file yet; [`Store::settle_names`] syncs the name.
    pub fn take_staged(&self, staged: &StagedFile, sequence_id: u64) -> Result<Arc<StoreFile>> {
        let path = format!("{}_SeqId_{sequence_id}_", staged.relative);
        let (from, to) = (self.services.path(&staged.relative), self.services.path(&path));
        let renamed = self.services.system().files.rename(&from, &to);
        renamed.map_err(|error| Error::io("rename", from.display(), &error))?;
        let entry = FileEntry {
            path,
            size_bytes: staged.size_bytes,
            // As in HBase, a file whose cells retain their own ids sorts behind earlier writes.
            max_sequence_id: sequence_id + u64::from(staged.keeps_sequence_ids),
            entry_count: staged.entry_count,
            is_bulk_loaded: true,
            digest: Some(staged.digest),
            ..FileEntry::default()
        };
        let family = self.options();
        let file = StoreFile::open(entry.clone(), &family, &[], &self.services).map(Arc::new).inspect_err(|_| {
            self.services.remove_files(&[entry.path]);
        })?;
        self.warm(&file, Origin::Opened);
        Ok(file)
    }

    /// Syncs the store's folder, so that the names in it are on the disk.
    pub fn settle_names(&self) -> Result<()> {
        self.sync_folder(&self.services.path(&self.directory))
    }

    /// The change of the manifest that names the files.
    pub fn load_change(&self, files: &[Arc<StoreFile>]) -> FileChange {
        FileChange {
            region: self.region.clone(),
            family: self.family.clone(),
            remove: Vec::new(),
            add: files.iter().map(|file| file.entry.clone()).collect(),
            flushed_sequence_id: None,
            last_write_ms: None,
        }
    }

    /// Removes files that did not become permanent, if that is certain.
    pub fn discard_loaded(&self, files: &[Arc<StoreFile>], error: &Error) {
        files.iter().for_each(|file| self.discard_file(file, error));
    }

    /// Shows the files, which are now permanent, to readers. Cannot fail.
    pub fn show_loaded(&self, loaded: &[Arc<StoreFile>]) {
        if loaded.iter().any(|file| file.reader.info().layout.has_tags) {
            self.has_tags.store(true, Ordering::Relaxed);
        }
        self.swap_files(0, |files| files.extend(loaded.iter().cloned()), Memstore::set_files);
    }
}

/// Copies a file and syncs the copy. Returns the size and the CRC32C of its bytes.
pub fn copy_file(from_files: &dyn FileSystem, from: &Path, to_files: &dyn FileSystem, to: &Path) -> Result<(u64, u32)> {
    let reading = |error: std::io::Error| Error::io("read", from.display(), &error);
    let writing = |error: std::io::Error| Error::io("write", to.display(), &error);
    let source = from_files.open(from).map_err(reading)?;
    let size_bytes = source.len().map_err(reading)?;
    let mut target = to_files.create(to).map_err(writing)?;
    let mut buffer = vec![0; COPY_BYTES.min(size_bytes as usize)];
    let (mut offset, mut checksum) = (0, 0);
    while offset < size_bytes {
        let count = buffer.len().min((size_bytes - offset) as usize);
        source.read_at(offset, &mut buffer[..count]).map_err(reading)?;
        target.append(&buffer[..count]).map_err(writing)?;
        checksum = crc32c::crc32c_append(checksum, &buffer[..count]);
        offset += count as u64;
    }
    target.sync().map_err(writing)?;
    Ok((size_bytes, checksum))
}
