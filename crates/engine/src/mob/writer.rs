//! Writing cells to a store file, and their large values to MOB files.

use super::{reference, MobFile, MobSet, References};
use crate::hfile::format::file_info::names;
use crate::hfile::{FileFacts, Writer, WriterOptions};
use crate::manifest::MobEntry;
use crate::sys::FileSystem;
use rowstone_model::cell::{Cell, CellType};
use rowstone_model::schema::BloomFilter;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Rules for large values.
#[derive(Clone, Default)]
pub struct MobRules {
    /// Values with more bytes go to MOB files. `None`: the family is not a MOB family, and referenced values are
    /// written back into the store file.
    pub threshold: Option<u64>,
    /// The MOB files to which the cells may refer.
    pub known: Option<Arc<MobSet>>,
    /// Names of the MOB files whose values are rewritten.
    pub rewritten: BTreeSet<String>,
    /// A MOB file of this size takes no more values: `hbase.mob.compactions.max.file.size`.
    pub max_file_bytes: u64,
}

/// Destination and format of new MOB files.
pub struct MobPlace<'a> {
    /// The disk.
    pub files: &'a dyn FileSystem,
    /// Resolves a path that is relative to the database's directory.
    pub path: &'a dyn Fn(&str) -> PathBuf,
    /// The path of a new file, relative to the database's directory.
    pub new_path: &'a dyn Fn() -> Result<String>,
    /// The table's name.
    pub table: &'a str,
    /// Options of the family's files.
    pub options: WriterOptions,
}

/// A MOB file being written.
struct Open {
    path: String,
    name: String,
    writer: Writer,
    /// Key of the last cell in it.
    last_key: Vec<u8>,
}

/// A property of a file info: name and value.
type Property = (Vec<u8>, Vec<u8>);

/// Receives cells in order.
pub struct MobWriter<'a> {
    rules: MobRules,
    place: MobPlace<'a>,
    facts: FileFacts,
    tags: Vec<u8>,
    open: Option<Open>,
    /// New files, complete.
    written: Vec<MobEntry>,
    /// Paths of new files, complete or not.
    begun: Vec<String>,
    references: References,
}

impl<'a> MobWriter<'a> {
    /// Creates a writer. Its files get the properties that `facts` gives for the store file.
    pub fn new(rules: MobRules, place: MobPlace<'a>, facts: &FileFacts) -> Self {
        let facts = FileFacts { compacted_files: Vec::new(), ..facts.clone() };
        MobWriter {
            tags: reference::tags_of(place.table),
            rules,
            place,
            facts,
            open: None,
            written: Vec::new(),
            begun: Vec::new(),
            references: References::default(),
        }
    }

    /// Paths of the files that were begun, to be removed after a failure.
    pub fn begun(&self) -> &[String] {
        &self.begun
    }

    /// Writes `cell` to `store`: itself, or a reference to it.
    pub fn append(&mut self, cell: &Cell<'_>, store: &mut Writer) -> Result<()> {
        if cell.cell_type() != CellType::Put {
            return store.append(cell);
        }
        if !reference::is_reference(cell) {
            return self.append_value(cell, store);
        }
        let Some(known) = self.rules.known.clone() else { return store.append(cell) };
        // A reference to a file that no entry names is copied as it is.
        let Some((file, _)) = known.find(cell) else { return store.append(cell) };
        if self.rules.threshold.is_some() && !self.rules.rewritten.contains(file.name()) {
            return self.keep(cell, file, store);
        }
        match known.load(cell, |whole| self.append_value(whole, store)) {
            // Copying the reference loses nothing.
            Err(error) if error.kind() == ErrorKind::Corruption => self.keep(cell, file, store),
            outcome => outcome,
        }
    }

    fn keep(&mut self, cell: &Cell<'_>, file: &Arc<MobFile>, store: &mut Writer) -> Result<()> {
        store.append(cell)?;
        self.references.add(reference::table(cell).unwrap_or(self.place.table), file.name());
        Ok(())
    }

    fn append_value(&mut self, cell: &Cell<'_>, store: &mut Writer) -> Result<()> {
        let is_large = self.rules.threshold.is_some_and(|threshold| cell.value().len() as u64 > threshold);
        let has_room = self.tags.len() + cell.tags().len() <= usize::from(u16::MAX);
        let is_second = self.open.as_ref().is_some_and(|open| open.last_key == cell.key());
        if !is_large || !has_room || is_second {
            return store.append(cell);
        }
        if self.open.as_ref().is_some_and(|open| open.writer.byte_len() >= self.rules.max_file_bytes) {
            self.close()?;
        }
        let name = {
            let open = self.opened()?;
            open.writer.append(cell)?;
            open.last_key.clear();
            open.last_key.extend_from_slice(cell.key());
            open.name.clone()
        };
        let value = reference::value(cell.value().len(), &name);
        let tags = [self.tags.as_slice(), cell.tags()].concat();
        let stand_in = Cell::new(cell.key(), &value, &tags, cell.sequence_id());
        store.append(&stand_in.map_err(|error| Error::internal(error.reason))?)?;
        self.references.add(self.place.table, &name);
        Ok(())
    }

    /// The current file for values.
    fn opened(&mut self) -> Result<&mut Open> {
        if self.open.is_none() {
            let path = (self.place.new_path)()?;
            self.begun.push(path.clone());
            let name = path.rsplit('/').next().unwrap_or(&path).to_string();
            // It needs no Bloom filter: a reference proves that the row is in it.
            let options = WriterOptions { bloom: BloomFilter::None, include_tags: true, ..self.place.options.clone() };
            let writer = Writer::create(self.place.files, &(self.place.path)(&path), options)?;
            self.open = Some(Open { path, name, writer, last_key: Vec::new() });
        }
        self.open.as_mut().ok_or_else(|| Error::internal("a MOB file was opened and is not there"))
    }

    fn close(&mut self) -> Result<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let cells = open.writer.entry_count();
        let mut facts = self.facts.clone().with_name(&open.name);
        facts.extra_info.push((names::MOB_CELLS_COUNT.to_vec(), cells.to_be_bytes().to_vec()));
        let summary = open.writer.finish(&facts)?;
        let (size_bytes, entry_count, digest) = (summary.size_bytes, summary.entry_count, Some(summary.digest));
        self.written.push(MobEntry { path: open.path, size_bytes, entry_count, references: 0, digest });
        Ok(())
    }

    /// Completes and syncs the new files. Returns all files to which the store file refers, and a property for its
    /// file info. Names of new files are not durable yet: the caller syncs their folder.
    pub fn finish(&mut self) -> Result<(Vec<MobEntry>, Option<Property>)> {
        self.close()?;
        let known = self.rules.known.iter().flat_map(|known| known.files()).map(|file| file.entry(0));
        let all = self.written.iter().cloned().chain(known);
        let counted = all.filter_map(|entry| {
            let references = self.references.count(entry.name())?;
            Some(MobEntry { references, ..entry })
        });
        let entries = counted.collect();
        let is_said = self.rules.threshold.is_some() || !self.references.is_empty();
        Ok((entries, is_said.then(|| self.references.info())))
    }
}
