//! An open MOB file.

use super::reference;
use crate::hfile::Reader;
use crate::manifest::MobEntry;
use rowstone_model::cell::{Cell, CellSource};
use rowstone_model::codec::printable;
use rowstone_model::{Error, Result};
use std::sync::{Arc, OnceLock};

/// Opens the file at a path relative to the database's directory.
type Opener = Box<dyn Fn(&str) -> Result<Arc<Reader>> + Send + Sync>;

/// A MOB file that store files refer to. It is opened together with them, so that readers can still use it if it is
/// deleted meanwhile. If opening fails, it is tried again when a value is needed.
pub struct MobFile {
    /// Its entry in the manifest, except for the number of references.
    entry: MobEntry,
    open: Opener,
    reader: OnceLock<Arc<Reader>>,
}

impl MobFile {
    /// Opens the file of `entry` if that is possible now.
    pub fn new(entry: &MobEntry, open: impl Fn(&str) -> Result<Arc<Reader>> + Send + Sync + 'static) -> Self {
        let file = MobFile { entry: entry.clone(), open: Box::new(open), reader: OnceLock::new() };
        // The first reader that needs one of its values gets the error.
        let _ = file.reader();
        file
    }

    /// The path, relative to the database's directory.
    pub fn path(&self) -> &str {
        &self.entry.path
    }

    /// The name to which cells refer.
    pub fn name(&self) -> &str {
        self.entry.name()
    }

    /// Bytes on disk.
    pub fn size_bytes(&self) -> u64 {
        self.entry.size_bytes
    }

    /// Cells in it.
    pub fn entry_count(&self) -> u64 {
        self.entry.entry_count
    }

    /// The manifest entry of a store file with that many references to it.
    pub fn entry(&self, references: u64) -> MobEntry {
        MobEntry { references, ..self.entry.clone() }
    }

    /// The open file.
    ///
    /// # Errors
    /// `Corruption` if it is missing, damaged or another file; `Io`.
    pub fn reader(&self) -> Result<&Arc<Reader>> {
        if let Some(reader) = self.reader.get() {
            return Ok(reader);
        }
        let MobEntry { path, size_bytes, entry_count, digest, .. } = &self.entry;
        let reader = (self.open)(path)?;
        reader.check_named(*size_bytes, *entry_count, digest.as_ref())?;
        Ok(self.reader.get_or_init(|| reader))
    }

    /// Passes the original cell of `cell`, a reference to this file, to `visit`.
    pub(super) fn load<T>(
        &self,
        cell: &Cell<'_>,
        length: u32,
        visit: impl FnOnce(&Cell<'_>) -> Result<T>,
    ) -> Result<T> {
        let reader = self.reader()?;
        let mut source = reader.source(false);
        source.seek(cell.key())?;
        let found = source.peek().filter(|found| found.key() == cell.key());
        let Some(found) = found.filter(|found| found.value().len() == length as usize) else {
            let expected = format!("a value of {length} bytes for the cell {}", printable(cell.key()));
            let found = found.map_or("none".to_string(), |found| format!("one of {}", found.value().len()));
            return Err(Error::corruption(reader.path().display(), 0, expected, found));
        };
        let tags = reference::own_tags(cell);
        let whole = Cell::new(cell.key(), found.value(), &tags, cell.sequence_id());
        visit(&whole.map_err(|error| Error::internal(error.reason))?)
    }
}
