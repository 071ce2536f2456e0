//! Cell buffer: cells back to back in one allocation, in the tagged layout. Operations and results carry their cells
//! in it.

use super::key::write_flat_key;
use super::kind::CellType;
use super::view::{Cell, Layout, MalformedCell};

/// The parts of a cell to append to a [`CellBuffer`].
#[derive(Debug, Clone, Copy)]
pub struct CellParts<'a> {
    /// Row key.
    pub row: &'a [u8],
    /// Family name.
    pub family: &'a [u8],
    /// Qualifier, possibly empty.
    pub qualifier: &'a [u8],
    /// Version, or [`super::LATEST_TIMESTAMP`] for "time of the write".
    pub timestamp: i64,
    /// The cell's type.
    pub cell_type: CellType,
    /// Value; empty for markers.
    pub value: &'a [u8],
    /// Tags in HBase's layout.
    pub tags: &'a [u8],
}

impl<'a> From<&Cell<'a>> for CellParts<'a> {
    fn from(cell: &Cell<'a>) -> Self {
        CellParts {
            row: cell.row(),
            family: cell.family(),
            qualifier: cell.qualifier(),
            timestamp: cell.timestamp(),
            cell_type: cell.cell_type(),
            value: cell.value(),
            tags: cell.tags(),
        }
    }
}

/// A growable sequence of cells in [`Layout::TAGGED`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CellBuffer {
    bytes: Vec<u8>,
}

impl CellBuffer {
    /// An empty buffer.
    pub const fn new() -> Self {
        CellBuffer { bytes: Vec::new() }
    }

    /// An empty buffer with room for `bytes` bytes of cells.
    pub fn with_capacity(bytes: usize) -> Self {
        CellBuffer { bytes: Vec::with_capacity(bytes) }
    }

    /// A buffer of the cells in `bytes`, each of which is checked.
    ///
    /// # Errors
    /// If `bytes` is not a sequence of tagged cells.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, MalformedCell> {
        let mut offset = 0;
        while offset < bytes.len() {
            offset += Cell::read(&bytes[offset..], Layout::TAGGED)?.1;
        }
        Ok(CellBuffer { bytes })
    }

    /// Appends a cell built from `parts`.
    pub fn push(&mut self, parts: CellParts<'_>) {
        let key_len = 12 + parts.row.len() + parts.family.len() + parts.qualifier.len();
        self.bytes.reserve(10 + key_len + parts.value.len() + parts.tags.len());
        self.bytes.extend_from_slice(&(key_len as u32).to_be_bytes());
        self.bytes.extend_from_slice(&(parts.value.len() as u32).to_be_bytes());
        write_flat_key(&mut self.bytes, parts.row, parts.family, parts.qualifier, parts.timestamp, parts.cell_type);
        self.bytes.extend_from_slice(parts.value);
        self.bytes.extend_from_slice(&(parts.tags.len() as u16).to_be_bytes());
        self.bytes.extend_from_slice(parts.tags);
    }

    /// Appends a copy of `cell`, without its sequence id.
    #[inline]
    pub fn push_cell(&mut self, cell: &Cell<'_>) {
        cell.write(&mut self.bytes, Layout::TAGGED);
    }

    /// Appends the cell in `key_value`, in the form of a cell block: tags length and tags are present only if it has
    /// tags.
    ///
    /// # Errors
    /// If the bytes are not exactly one cell; nothing is appended then.
    #[inline]
    pub fn push_key_value(&mut self, key_value: &[u8]) -> Result<(), MalformedCell> {
        let end = Cell::read(key_value, Layout::PLAIN)?.1;
        if end == key_value.len() {
            self.bytes.reserve(key_value.len() + 2);
            self.bytes.extend_from_slice(key_value);
            self.bytes.extend_from_slice(&[0, 0]);
            return Ok(());
        }
        if Cell::read(key_value, Layout::TAGGED)?.1 != key_value.len() {
            return Err(MalformedCell { reason: "bytes after the cell" });
        }
        self.bytes.extend_from_slice(key_value);
        Ok(())
    }

    /// Iterates over the cells in the order in which they were appended.
    pub fn iter(&self) -> Cells<'_> {
        Cells { bytes: &self.bytes }
    }

    /// Iterates over the cells between two byte offsets, each of which is the start of a cell or the end of the
    /// buffer.
    pub fn range(&self, start: usize, end: usize) -> Cells<'_> {
        Cells { bytes: self.bytes.get(start..end).unwrap_or(&[]) }
    }

    /// The bytes of all cells.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The length of all cells in bytes.
    pub fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Reserves room for `bytes` more bytes of cells.
    pub fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve(bytes);
    }

    /// Allocated bytes, including those in use.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Removes all cells but retains the allocation.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Truncates to the cells in the first `byte_len` bytes.
    pub fn truncate(&mut self, byte_len: usize) {
        self.bytes.truncate(byte_len);
    }

    /// Appends copies of all cells of `other`.
    pub fn extend_from(&mut self, other: &CellBuffer) {
        self.bytes.extend_from_slice(&other.bytes);
    }

    /// Replaces [`super::LATEST_TIMESTAMP`] with `now` in the cells from byte `start` on. Returns whether this can be
    /// undone by [`Self::clear_timestamps`]: no cell had `now` before.
    pub fn fill_timestamps_from(&mut self, start: usize, now: i64) -> bool {
        !self.replace_timestamps(start, super::LATEST_TIMESTAMP, now)
    }

    /// Sets every timestamp `now` to [`super::LATEST_TIMESTAMP`] again.
    pub fn clear_timestamps(&mut self, now: i64) {
        self.replace_timestamps(0, now, super::LATEST_TIMESTAMP);
    }

    /// Replaces a timestamp in the cells from byte `start` on. Returns whether a cell had the new one before.
    fn replace_timestamps(&mut self, start: usize, old: i64, new: i64) -> bool {
        let (mut offset, mut is_known) = (start, false);
        while offset < self.bytes.len() {
            let Ok((cell, length)) = Cell::read(&self.bytes[offset..], Layout::TAGGED) else { break };
            let (key_end, timestamp) = (offset + 8 + cell.key().len(), cell.timestamp());
            if timestamp == old {
                self.bytes[key_end - 9..key_end - 1].copy_from_slice(&new.to_be_bytes());
            }
            is_known |= timestamp == new;
            offset += length;
        }
        is_known
    }
}

impl<'a> IntoIterator for &'a CellBuffer {
    type Item = Cell<'a>;
    type IntoIter = Cells<'a>;

    fn into_iter(self) -> Cells<'a> {
        self.iter()
    }
}

/// Iterates over the cells of a [`CellBuffer`].
#[derive(Debug, Clone)]
pub struct Cells<'a> {
    bytes: &'a [u8],
}

impl<'a> Iterator for Cells<'a> {
    type Item = Cell<'a>;

    #[inline]
    fn next(&mut self) -> Option<Cell<'a>> {
        let (cell, length) = Cell::read(self.bytes, Layout::TAGGED).ok()?;
        self.bytes = &self.bytes[length..];
        Some(cell)
    }
}
