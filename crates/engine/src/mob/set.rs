//! The MOB files that a reader may need: those to which its store files refer.

use super::{reference, MobFile};
use rowstone_model::cell::{Cell, CellBuffer, CellParts};
use rowstone_model::codec::printable;
use rowstone_model::operations::MobValues;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// MOB files by name.
pub struct MobSet {
    files: BTreeMap<String, Arc<MobFile>>,
    /// The family's folder of MOB files, for error messages.
    directory: String,
    is_mob_family: bool,
}

impl MobSet {
    /// A set of these files; `None` if no cell can be a reference. `directory` is the family's folder of MOB files.
    pub fn new<'f>(
        files: impl IntoIterator<Item = &'f Arc<MobFile>>,
        directory: &str,
        is_mob_family: bool,
    ) -> Option<Arc<Self>> {
        let files: BTreeMap<_, _> = files.into_iter().map(|file| (file.name().to_string(), Arc::clone(file))).collect();
        let directory = directory.to_string();
        (is_mob_family || !files.is_empty()).then(|| Arc::new(MobSet { files, directory, is_mob_family }))
    }

    /// The files, by name.
    pub fn files(&self) -> impl Iterator<Item = &Arc<MobFile>> {
        self.files.values()
    }

    /// The file of the reference `cell` and the length of the value; `None` for a name that no entry has.
    pub(super) fn find(&self, cell: &Cell<'_>) -> Option<(&Arc<MobFile>, u32)> {
        let (length, name) = reference::parts(cell)?;
        Some((self.files.get(name)?, length))
    }

    /// Whether the value of `cell` is in a MOB file. Outside MOB families, a cell loaded from another store may
    /// only look like a reference; it is then an ordinary cell.
    #[inline]
    pub fn refers(&self, cell: &Cell<'_>) -> bool {
        // After a filter dropped the value, it contains no file name.
        reference::is_reference(cell) && (self.is_mob_family || cell.value().is_empty() || self.find(cell).is_some())
    }

    /// Passes the original cell of the reference `cell` to `visit`.
    ///
    /// # Errors
    /// `Corruption` with the file's name if it is missing or damaged; `Io`.
    pub fn load<T>(&self, cell: &Cell<'_>, visit: impl FnOnce(&Cell<'_>) -> Result<T>) -> Result<T> {
        if let Some((file, length)) = self.find(cell) {
            return file.load(cell, length, visit);
        }
        let name = reference::parts(cell).map_or_else(|| printable(cell.value()), |parts| parts.1.to_string());
        let expected = format!("the MOB file of the cell {}", printable(cell.key()));
        Err(Error::corruption(format!("{}/{name}", self.directory), 0, expected, "none that the manifest names"))
    }
}

/// A reader's treatment of references.
#[derive(Clone)]
pub struct MobReading {
    set: Arc<MobSet>,
    values: MobValues,
}

impl MobReading {
    /// `None` if references need no treatment.
    pub fn new(set: Option<&Arc<MobSet>>, values: MobValues) -> Option<Self> {
        let set = set.filter(|_| values != MobValues::References)?;
        Some(MobReading { set: Arc::clone(set), values })
    }

    /// The original of a reference `cell`, in a buffer of its own; `None` if it is not a reference.
    #[inline]
    pub fn loaded(&self, cell: &Cell<'_>) -> Result<Option<CellBuffer>> {
        if !self.set.refers(cell) {
            return Ok(None);
        }
        let mut out = CellBuffer::new();
        self.push(cell, &mut out)?;
        Ok(Some(out))
    }

    /// Whether there is a reference among the cells of `out` from byte `start` on.
    pub fn is_needed(&self, out: &CellBuffer, start: usize) -> bool {
        out.range(start, out.byte_len()).any(|cell| self.set.refers(&cell))
    }

    /// Replaces references by their original cells, from byte `start` of `out` on.
    ///
    /// # Errors
    /// As [`MobSet::load`]; `out` is then truncated at `start`.
    #[inline]
    pub fn load_all(&self, out: &mut CellBuffer, start: usize) -> Result<()> {
        if !self.is_needed(out, start) {
            return Ok(());
        }
        let mut stored = CellBuffer::with_capacity(out.byte_len() - start);
        out.range(start, out.byte_len()).for_each(|cell| stored.push_cell(&cell));
        out.truncate(start);
        for cell in &stored {
            let pushed = if self.set.refers(&cell) {
                self.push(&cell, out)
            } else {
                out.push_cell(&cell);
                Ok(())
            };
            pushed.inspect_err(|_| out.truncate(start))?;
        }
        Ok(())
    }

    fn push(&self, cell: &Cell<'_>, out: &mut CellBuffer) -> Result<()> {
        // A filter dropped the value, and the file's name with it.
        if cell.value().is_empty() {
            push_without_value(cell, out);
            return Ok(());
        }
        let loaded = self.set.load(cell, |whole| {
            out.push_cell(whole);
            Ok(())
        });
        match loaded {
            Err(error) if self.values == MobValues::EmptyWhereLost && error.kind() == ErrorKind::Corruption => {
                push_without_value(cell, out);
                Ok(())
            }
            outcome => outcome,
        }
    }
}

fn push_without_value(cell: &Cell<'_>, out: &mut CellBuffer) {
    out.push(CellParts { value: &[], tags: &reference::own_tags(cell), ..cell.into() });
}
