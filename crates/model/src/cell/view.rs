//! A borrowed view of a serialized cell.

use super::kind::CellType;
use crate::codec::read_vlong;

/// The optional parts that follow each KeyValue in a sequence of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// A `u16` tags length and the tags follow the value, even if there are none.
    pub has_tags: bool,
    /// A vlong with the sequence id follows last.
    pub has_sequence_id: bool,
}

impl Layout {
    /// Key and value alone.
    pub const PLAIN: Layout = Layout { has_tags: false, has_sequence_id: false };
    /// Key, value and tags: operations and results.
    pub const TAGGED: Layout = Layout { has_tags: true, has_sequence_id: false };
    /// Everything: the memstore.
    pub const STORED: Layout = Layout { has_tags: true, has_sequence_id: true };
}

/// Bytes that are not a valid cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MalformedCell {
    /// The reason.
    pub reason: &'static str,
}

const fn malformed<T>(reason: &'static str) -> Result<T, MalformedCell> {
    Err(MalformedCell { reason })
}

/// A cell whose parts borrow from bytes owned elsewhere. Copying it copies pointers only.
///
/// The key was checked when the cell was created: the lengths in it are valid, so the accessors cannot fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell<'a> {
    key: &'a [u8],
    value: &'a [u8],
    tags: &'a [u8],
    sequence_id: u64,
}

fn be_u32(bytes: &[u8]) -> usize {
    u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
}

fn check_key(key: &[u8]) -> Result<(), MalformedCell> {
    if key.len() < 12 {
        return malformed("key shorter than 12 bytes");
    }
    let row = usize::from(u16::from_be_bytes([key[0], key[1]]));
    if row + 12 > key.len() {
        return malformed("row length passes the key's end");
    }
    if row + usize::from(key[2 + row]) + 12 > key.len() {
        return malformed("family length passes the key's end");
    }
    Ok(())
}

impl<'a> Cell<'a> {
    /// Creates a cell; `key` is a flat key.
    ///
    /// # Errors
    /// If the lengths inside `key` do not fit it.
    pub fn new(key: &'a [u8], value: &'a [u8], tags: &'a [u8], sequence_id: u64) -> Result<Self, MalformedCell> {
        check_key(key)?;
        Ok(Cell { key, value, tags, sequence_id })
    }

    /// Reads the cell at the front of `bytes`; returns it with its length in bytes.
    ///
    /// # Errors
    /// If the bytes end too early or the lengths contradict each other.
    // Always inlined, because a call would return the cell through memory, which is slower.
    #[inline(always)]
    pub fn read(bytes: &'a [u8], layout: Layout) -> Result<(Self, usize), MalformedCell> {
        if bytes.len() < 8 {
            return malformed("fewer than 8 bytes for the lengths");
        }
        let key_end = 8 + be_u32(bytes);
        let value_end = key_end + be_u32(&bytes[4..]);
        if value_end > bytes.len() {
            return malformed("key and value pass the end");
        }
        let key = &bytes[8..key_end];
        check_key(key)?;
        let mut end = value_end;
        let mut tags: &[u8] = &[];
        if layout.has_tags {
            let Some(length) = bytes.get(end..end + 2) else { return malformed("no tags length") };
            let tags_end = end + 2 + usize::from(u16::from_be_bytes([length[0], length[1]]));
            if tags_end > bytes.len() {
                return malformed("tags pass the end");
            }
            tags = &bytes[end + 2..tags_end];
            end = tags_end;
        }
        let mut sequence_id = 0;
        if layout.has_sequence_id {
            let Some((id, length)) = read_vlong(&bytes[end..]) else { return malformed("no sequence id") };
            sequence_id = id as u64;
            end += length;
        }
        Ok((Cell { key, value: &bytes[key_end..value_end], tags, sequence_id }, end))
    }

    /// The flat key: row, family, qualifier, timestamp, type.
    pub fn key(&self) -> &'a [u8] {
        self.key
    }

    fn row_len(&self) -> usize {
        usize::from(u16::from_be_bytes([self.key[0], self.key[1]]))
    }

    /// The row key.
    #[inline]
    pub fn row(&self) -> &'a [u8] {
        &self.key[2..2 + self.row_len()]
    }

    /// The family name.
    #[inline]
    pub fn family(&self) -> &'a [u8] {
        let at = 2 + self.row_len();
        &self.key[at + 1..at + 1 + usize::from(self.key[at])]
    }

    /// The qualifier, possibly empty.
    #[inline]
    pub fn qualifier(&self) -> &'a [u8] {
        let at = 2 + self.row_len();
        &self.key[at + 1 + usize::from(self.key[at])..self.key.len() - 9]
    }

    /// The version: milliseconds, unless its writer chose another value.
    #[inline]
    pub fn timestamp(&self) -> i64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.key[self.key.len() - 9..self.key.len() - 1]);
        i64::from_be_bytes(bytes)
    }

    /// HBase's code for the type.
    #[inline]
    pub fn type_code(&self) -> u8 {
        self.key[self.key.len() - 1]
    }

    /// The type; codes unknown to HBase count as [`CellType::Minimum`].
    #[inline]
    pub fn cell_type(&self) -> CellType {
        CellType::from_code(self.type_code()).unwrap_or(CellType::Minimum)
    }

    /// Whether the cell is a delete marker.
    #[inline]
    pub fn is_delete(&self) -> bool {
        (8..=14).contains(&self.type_code())
    }

    /// The value; empty for markers.
    #[inline]
    pub fn value(&self) -> &'a [u8] {
        self.value
    }

    /// The tags in HBase's layout; see [`super::iterate_tags`].
    #[inline]
    pub fn tags(&self) -> &'a [u8] {
        self.tags
    }

    /// The position of the cell's write in the order of its region's writes.
    #[inline]
    pub fn sequence_id(&self) -> u64 {
        self.sequence_id
    }

    /// The same cell with another sequence id.
    pub fn with_sequence_id(mut self, sequence_id: u64) -> Self {
        self.sequence_id = sequence_id;
        self
    }

    /// The same cell with other tags.
    pub fn with_tags(mut self, tags: &'a [u8]) -> Self {
        self.tags = tags;
        self
    }

    /// Appends the cell to `out` in `layout`.
    #[inline]
    pub fn write(&self, out: &mut Vec<u8>, layout: Layout) {
        let lengths = (self.key.len() as u64) << 32 | self.value.len() as u64;
        out.reserve(8 + self.key.len() + self.value.len() + 2 + self.tags.len());
        out.extend_from_slice(&lengths.to_be_bytes());
        out.extend_from_slice(self.key);
        out.extend_from_slice(self.value);
        if layout.has_tags {
            out.extend_from_slice(&(self.tags.len() as u16).to_be_bytes());
            if !self.tags.is_empty() {
                out.extend_from_slice(self.tags);
            }
        }
        if layout.has_sequence_id {
            crate::codec::write_vlong(out, self.sequence_id as i64);
        }
    }

    /// The number of bytes that [`Cell::write`] appends.
    pub fn written_len(&self, layout: Layout) -> usize {
        let tags = if layout.has_tags { 2 + self.tags.len() } else { 0 };
        let id = if layout.has_sequence_id { crate::codec::vlong_len(self.sequence_id as i64) } else { 0 };
        8 + self.key.len() + self.value.len() + tags + id
    }
}
