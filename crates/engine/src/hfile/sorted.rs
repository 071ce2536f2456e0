//! Files for a bulk load from puts in any order: one for each region and family, or several if memory does not suffice.
//!
//! Cells are collected in memory, sorted by row, and written. HBase sorts in the shuffle of a MapReduce job instead.
//! Sources: `HFileOutputFormat2` (layout of the folder, a file ends with its region), `PutSortReducer`.

use super::format::file_info::names;
use super::{FileFacts, Writer, WriterOptions};
use crate::sys::{make_folders, random_hex, System};
use rowstone_model::cell::{compare_keys, Cell, CellBuffer};
use rowstone_model::codec::printable;
use rowstone_model::operations::Mutation;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind as ErrorCode;
use std::path::PathBuf;

#[cfg(test)]
mod tests;

/// The cells of one put, in the buffer.
#[derive(Debug, Clone, Copy)]
struct PutAt {
    /// The first eight bytes of the row, which decide most comparisons.
    prefix: u64,
    start: usize,
    end: usize,
}

/// A file that is being written.
struct Open {
    writer: Writer,
    path: PathBuf,
}

/// Collects puts and writes sorted files `<folder>/<family>/<32 hex digits>`.
pub struct SortedFiles {
    system: System,
    folder: PathBuf,
    /// Start keys of all regions but the first, sorted.
    splits: Vec<Vec<u8>>,
    families: BTreeMap<Vec<u8>, WriterOptions>,
    memory_bytes: usize,
    cells: CellBuffer,
    puts: Vec<PutAt>,
    written: Vec<(Vec<u8>, PathBuf)>,
}

impl SortedFiles {
    /// Files below `folder`, which exists, for a table with these split keys and families. They are written whenever `memory_bytes` of
    /// cells have been collected.
    pub fn new(
        system: System,
        folder: PathBuf,
        splits: Vec<Vec<u8>>,
        families: BTreeMap<Vec<u8>, WriterOptions>,
        memory_bytes: usize,
    ) -> Self {
        let without_ids = |(name, options)| (name, WriterOptions { include_sequence_ids: false, ..options });
        let families = families.into_iter().map(without_ids).collect();
        let (cells, puts, written) = (CellBuffer::new(), Vec::new(), Vec::new());
        SortedFiles { system, folder, splits, families, memory_bytes, cells, puts, written }
    }

    /// Adds a put. Of puts to the same cell, the last one counts if they are written to the same file.
    ///
    /// # Errors
    /// `NoSuchColumnFamily`; nothing is added. Errors of writing the files.
    pub fn add(&mut self, put: &Mutation) -> Result<()> {
        let unknown = put.cells.iter().find(|cell| !self.families.contains_key(cell.family()));
        if let Some(cell) = unknown {
            let message = format!("there is no column family '{}'", printable(cell.family()));
            return Err(Error::new(ErrorKind::NoSuchColumnFamily, message));
        }
        let start = self.cells.byte_len();
        self.cells.extend_from(&put.cells);
        self.puts.push(PutAt { prefix: prefix_of(&put.row), start, end: self.cells.byte_len() });
        if self.cells.byte_len() + self.puts.len() * size_of::<PutAt>() >= self.memory_bytes {
            self.write_collected()?;
        }
        Ok(())
    }

    /// Writes the remaining cells, and syncs the names of all files. Returns families and paths.
    pub fn finish(mut self) -> Result<Vec<(Vec<u8>, PathBuf)>> {
        self.write_collected()?;
        let folders: BTreeSet<_> = self.written.iter().filter_map(|(_, path)| path.parent()).collect();
        for folder in folders {
            let synced = self.system.files.sync_dir(folder);
            synced.map_err(|error| Error::io("sync directory", folder.display(), &error))?;
        }
        Ok(self.written)
    }

    fn write_collected(&mut self) -> Result<()> {
        let (cells, mut puts) = (std::mem::take(&mut self.cells), std::mem::take(&mut self.puts));
        puts.sort_unstable_by(|left, right| {
            let rows = || row_at(&cells, left).cmp(row_at(&cells, right));
            left.prefix.cmp(&right.prefix).then_with(rows).then(left.start.cmp(&right.start))
        });
        let mut open: BTreeMap<Vec<u8>, Open> = BTreeMap::new();
        let mut region = 0;
        for same_row in puts.chunk_by(|left, right| row_at(&cells, left) == row_at(&cells, right)) {
            let row = row_at(&cells, &same_row[0]);
            let found = region + self.splits[region..].partition_point(|split| split.as_slice() <= row);
            if found != region {
                self.close(&mut open)?;
                region = found;
            }
            self.write_row(&cells, same_row, &mut open)?;
        }
        self.close(&mut open)
    }

    /// Writes the cells of a row to the files of its region.
    fn write_row(&self, cells: &CellBuffer, puts: &[PutAt], open: &mut BTreeMap<Vec<u8>, Open>) -> Result<()> {
        // The newest first: of equal keys, the first one is kept.
        let mut row: Vec<Cell<'_>> = puts.iter().rev().flat_map(|put| cells.range(put.start, put.end)).collect();
        row.sort_by(|left, right| compare_keys(left.key(), right.key()));
        row.dedup_by(|later, first| later.key() == first.key());
        for cell in &row {
            if !open.contains_key(cell.family()) {
                open.insert(cell.family().to_vec(), self.create(cell.family())?);
            }
            if let Some(file) = open.get_mut(cell.family()) {
                file.writer.append(cell)?;
            }
        }
        Ok(())
    }

    fn create(&self, family: &[u8]) -> Result<Open> {
        let (files, folder) = (self.system.files.as_ref(), self.folder.join(printable(family)));
        if !files.is_dir(&self.folder) {
            // It was removed: the job of the files has failed.
            return Err(Error::io("open directory", self.folder.display(), &ErrorCode::NotFound.into()));
        }
        make_folders(files, &folder).map_err(|error| Error::io("make directory", folder.display(), &error))?;
        let path = folder.join(random_hex(self.system.entropy.as_ref()));
        let options = self.families.get(family).cloned().unwrap_or_default();
        Ok(Open { writer: Writer::create(files, &path, options)?, path })
    }

    /// Finishes the files of a region.
    fn close(&mut self, open: &mut BTreeMap<Vec<u8>, Open>) -> Result<()> {
        let now_ms = self.system.clock.now_ms();
        for (family, Open { writer, path }) in std::mem::take(open) {
            let extra_info = vec![(names::BULK_LOAD_TIME.to_vec(), now_ms.to_be_bytes().to_vec())];
            writer.finish(&FileFacts { extra_info, ..FileFacts::default() })?;
            self.written.push((family, path));
        }
        Ok(())
    }
}

fn row_at<'a>(cells: &'a CellBuffer, put: &PutAt) -> &'a [u8] {
    cells.range(put.start, put.end).next().map_or(&[], |cell| cell.row())
}

fn prefix_of(row: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = row.len().min(8);
    bytes[..length].copy_from_slice(&row[..length]);
    u64::from_be_bytes(bytes)
}
