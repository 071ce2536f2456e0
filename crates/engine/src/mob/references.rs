//! References of a store file's cells to MOB files.

use super::reference;
use crate::hfile::format::file_info::names;
use crate::hfile::Reader;
use rowstone_model::cell::{first_on_row, Cell, CellSource};
use rowstone_model::{Error, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Refuses a store file with references to MOB files, which a bulk load does not bring along.
///
/// HBase lists the MOB files in the file's properties since 2.5. Before, only the tags of the cells show them.
///
/// # Errors
/// `InvalidArgument`; `Corruption`, `Io`.
pub fn refuse_references(reader: &Arc<Reader>) -> Result<()> {
    let info = reader.info();
    let mut has_reference = info.raw.get(names::MOB_FILE_REFS).is_some_and(|files| files != [0]);
    if !has_reference && info.max_tags_len > 0 {
        let mut source = reader.source(false);
        source.seek(&first_on_row(&[]))?;
        while let Some(cell) = source.peek().filter(|_| !has_reference) {
            has_reference = reference::is_reference(&cell);
            source.advance()?;
        }
    }
    if has_reference {
        return Err(Error::invalid(format!(
            "{} refers to large values in MOB files, which are elsewhere: copy the table from HBase's whole root \
             instead, with rowstone copy root+file:///ROOT/TABLE DIR/TABLE",
            reader.path().display()
        )));
    }
    Ok(())
}

/// Number of references to each MOB file, by its name and the table that wrote it.
#[derive(Debug, Clone, Default)]
pub struct References {
    counts: BTreeMap<String, BTreeMap<String, u64>>,
}

impl References {
    /// Counts a reference to the file `name` of `table`.
    pub(super) fn add(&mut self, table: &str, name: &str) {
        let names = match self.counts.get_mut(table) {
            Some(names) => names,
            None => self.counts.entry(table.to_string()).or_default(),
        };
        match names.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(names.insert(name.to_string(), 1)),
        }
    }

    /// Counts `cell` if it is a reference.
    pub fn add_cell(&mut self, cell: &Cell<'_>) {
        if !reference::is_reference(cell) {
            return;
        }
        if let (Some((_, name)), Some(table)) = (reference::parts(cell), reference::table(cell)) {
            self.add(table, name);
        }
    }

    /// The name of the file to which `cell` refers, if it is a reference.
    pub fn name_of<'c>(cell: &Cell<'c>) -> Option<&'c str> {
        Some(reference::parts(cell)?.1).filter(|_| reference::is_reference(cell))
    }

    /// Whether there are no references.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Table, name and count of each file.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.counts
            .iter()
            .flat_map(|(table, names)| names.iter().map(move |(name, count)| (table.as_str(), name.as_str(), *count)))
    }

    /// Number of references to the file of that name; `None` if there are none.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        let counts = self.counts.values().filter_map(|names| names.get(name));
        counts.copied().reduce(|left, right| left + right)
    }

    /// Parses the property of [`References::info`]: table and name of each file; `None` if it has another form.
    pub fn parse(value: &[u8]) -> Option<Vec<(String, String)>> {
        if value == [0] {
            return Some(Vec::new());
        }
        let mut files = Vec::new();
        for part in std::str::from_utf8(value).ok()?.split("//") {
            let (table, names) = part.split_once('/')?;
            files.extend(names.split(',').map(|name| (table.to_string(), name.to_string())));
        }
        Some(files)
    }

    /// Property for the store file's file info: HBase's `MOB_FILE_REFS`, `table/file,file//table/file`, one zero
    /// byte for none.
    pub fn info(&self) -> (Vec<u8>, Vec<u8>) {
        let of_table = |(table, names): (&String, &BTreeMap<String, u64>)| {
            format!("{table}/{}", names.keys().map(String::as_str).collect::<Vec<_>>().join(","))
        };
        let value = if self.is_empty() {
            vec![0]
        } else {
            self.counts.iter().map(of_table).collect::<Vec<_>>().join("//").into_bytes()
        };
        (names::MOB_FILE_REFS.to_vec(), value)
    }
}
