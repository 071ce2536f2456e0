//! Output of a decoder. Compares every length in an encoded block with the size that the block declares.

use super::delta::VERSION_BYTES;
use crate::hfile::format::Damage;
use rowstone_model::cell::{row_of, Cell, Layout};
use rowstone_model::codec::Reader;
use std::ops::Range;

/// Maximum capacity allocated without proof that it is needed.
const FIRST_ROOM: usize = 1 << 20;
/// Numbers of bytes that [`Output::push_front`] copies at once.
const SHORT_BYTES: usize = 8;
const LONG_BYTES: usize = 32;
/// Bytes of a cell's two lengths, before its key.
const LENGTHS_BYTES: usize = 8;

/// The bytes so far, and the location of the last cell's key and value.
pub struct Output {
    bytes: Vec<u8>,
    limit: usize,
    /// Key of the last complete cell; empty before the first.
    key: Range<usize>,
    value: Range<usize>,
    begins_row: bool,
    /// Start of the current key, and the final lengths of it and its value.
    new_key: usize,
    new_key_len: usize,
    new_value_len: usize,
}

impl Output {
    /// Empty output for cells of `size` bytes in total.
    pub fn new(size: usize) -> Self {
        Output {
            bytes: Vec::with_capacity(size.min(FIRST_ROOM) + LONG_BYTES),
            limit: size,
            key: 0..0,
            value: 0..0,
            begins_row: true,
            new_key: 0,
            new_key_len: 0,
            new_value_len: 0,
        }
    }

    /// Output for cells of `size` bytes in total after the cell `previous`. It begins with that cell, and uses the
    /// memory of `buffer`.
    pub fn after(previous: &[u8], layout: Layout, size: usize, mut buffer: Vec<u8>) -> Result<Self, Damage> {
        buffer.clear();
        buffer.extend_from_slice(previous);
        let mut output = Output { bytes: buffer, ..Output::new(0) };
        output.limit = previous.len().saturating_add(size);
        if !previous.is_empty() {
            let (cell, _) = Cell::read(previous, layout)?;
            output.key = LENGTHS_BYTES..LENGTHS_BYTES + cell.key().len();
            output.value = output.key.end..output.key.end + cell.value().len();
        }
        Ok(output)
    }

    /// Refuses `count` more bytes if they exceed the declared size.
    #[inline]
    pub fn check_room(&self, count: usize) -> Result<(), Damage> {
        if count > self.limit - self.bytes.len().min(self.limit) {
            return Err(Damage::new(format_args!("{} bytes of cells", self.limit), "more"));
        }
        Ok(())
    }

    /// Appends `bytes`.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Damage> {
        self.check_room(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Appends the first `count` bytes of `source`. Copying a fixed number of bytes, and dropping the rest, takes 1 ns; a call
    /// that copies as many as needed takes 1.6.
    #[inline]
    pub fn push_front(&mut self, source: &[u8], count: usize) -> Result<(), Damage> {
        self.check_room(count)?;
        let end = self.bytes.len() + count;
        match (source.first_chunk::<SHORT_BYTES>(), source.first_chunk::<LONG_BYTES>()) {
            (Some(bytes), _) if count <= SHORT_BYTES => self.bytes.extend_from_slice(bytes),
            (_, Some(bytes)) if count <= LONG_BYTES => self.bytes.extend_from_slice(bytes),
            _ => self.bytes.extend_from_slice(&source[..count]),
        }
        self.bytes.truncate(end);
        Ok(())
    }

    /// The buffer, for callers that checked the room.
    pub fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Whether no cell is complete.
    pub fn is_first(&self) -> bool {
        self.key.is_empty()
    }

    /// Number of bytes so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Start of the last complete cell.
    pub fn previous_start(&self) -> usize {
        self.key.start.saturating_sub(LENGTHS_BYTES)
    }

    /// The last complete cell's key.
    #[inline]
    pub fn key(&self) -> &[u8] {
        &self.bytes[self.key.clone()]
    }

    /// Whether the last complete cell may be in another row than the cell before it. Never false if it is.
    #[inline]
    pub fn begins_row(&self) -> bool {
        self.begins_row
    }

    /// Length of the last complete cell's key.
    pub fn key_len(&self) -> usize {
        self.key.len()
    }

    /// Length of the last complete cell's value.
    pub fn value_len(&self) -> usize {
        self.value.len()
    }

    /// End of the row in the last complete cell's key; `None` before the first cell.
    #[inline]
    pub fn previous_row_end(&self) -> Option<usize> {
        let key = self.key();
        Some(2 + usize::from(u16::from_be_bytes([*key.first()?, *key.get(1)?])))
    }

    /// Begins a cell with a key of `key_len` bytes. Its first `common` bytes are those of the last key.
    pub fn begin(&mut self, key_len: usize, value_len: usize, common: usize) -> Result<(), Damage> {
        self.check_room(key_len.saturating_add(value_len).saturating_add(8))?;
        if common > self.key.len() || common > key_len {
            return Err(Damage::new(format_args!("at most {} bytes in common", self.key.len().min(key_len)), common));
        }
        self.bytes.extend_from_slice(&(key_len as u32).to_be_bytes());
        self.bytes.extend_from_slice(&(value_len as u32).to_be_bytes());
        (self.new_key, self.new_key_len, self.new_value_len) = (self.bytes.len(), key_len, value_len);
        self.bytes.extend_from_within(self.key.start..self.key.start + common);
        Ok(())
    }

    /// Begins a cell with a copy of the last key, in which [`Output::replace`] changes bytes.
    #[inline]
    pub fn begin_alike(&mut self, value_len: usize) -> Result<(), Damage> {
        let key_len = self.key.len();
        self.check_room((LENGTHS_BYTES + key_len).saturating_add(value_len))?;
        let start = self.bytes.len();
        self.bytes.extend_from_within(self.previous_start()..self.key.end);
        self.bytes[start + 4..start + LENGTHS_BYTES].copy_from_slice(&(value_len as u32).to_be_bytes());
        (self.new_key, self.new_key_len, self.new_value_len) = (start + LENGTHS_BYTES, key_len, value_len);
        Ok(())
    }

    /// Replaces bytes of the current key from `at` on.
    #[inline]
    pub fn replace(&mut self, at: usize, part: &[u8]) {
        let start = self.new_key + at;
        self.bytes[start..start + part.len()].copy_from_slice(part);
    }

    /// The current key so far.
    pub fn new_key(&self) -> &[u8] {
        &self.bytes[self.new_key..]
    }

    /// Final length of the current key.
    pub fn new_key_len(&self) -> usize {
        self.new_key_len
    }

    /// Appends `count` bytes of the last key's timestamp.
    pub fn repeat_timestamp(&mut self, count: usize) {
        let start = self.key.end.saturating_sub(VERSION_BYTES);
        self.bytes.extend_from_within(start..(start + count).min(self.key.end));
    }

    /// The last key's type.
    pub fn previous_type(&self) -> u8 {
        self.key().last().copied().unwrap_or(0)
    }

    /// The last key's timestamp.
    pub fn previous_timestamp(&self) -> i64 {
        let bytes = self.key().last_chunk::<VERSION_BYTES>().and_then(|version| version.first_chunk::<8>());
        bytes.map_or(0, |bytes| i64::from_be_bytes(*bytes))
    }

    /// Completes the cell with a value from `reader`, or with the last cell's value for `None`.
    #[inline]
    pub fn complete(&mut self, reader: Option<&mut Reader<'_>>) -> Result<(), Damage> {
        let key = self.new_key..self.bytes.len();
        if key.len() != self.new_key_len {
            return Err(Damage::new(format_args!("a key of {} bytes", self.new_key_len), key.len()));
        }
        let cell = Cell::new(&self.bytes[key], &[], &[], 0)?;
        let begins_row = cell.row() != row_of(self.key());
        self.complete_alike(reader, begins_row)
    }

    /// The same for a key that began with [`Output::begin_alike`], and whose lengths are those of the last key.
    #[inline]
    pub fn complete_alike(&mut self, reader: Option<&mut Reader<'_>>, begins_row: bool) -> Result<(), Damage> {
        let key = self.new_key..self.bytes.len();
        match reader {
            Some(reader) => {
                let value = reader.rest();
                reader.take(self.new_value_len)?;
                self.push_front(value, self.new_value_len)?;
            }
            None if self.new_value_len == self.value.len() => self.bytes.extend_from_within(self.value.clone()),
            None => return Err(Damage::new(format_args!("a value of {} bytes", self.new_value_len), self.value.len())),
        }
        self.value = key.end..self.bytes.len();
        (self.key, self.begins_row) = (key, begins_row);
        Ok(())
    }

    /// Returns the cells, which must have the declared size.
    pub fn finish(self) -> Result<Vec<u8>, Damage> {
        if self.bytes.len() != self.limit {
            return Err(Damage::new(format_args!("{} bytes of cells", self.limit), self.bytes.len()));
        }
        Ok(self.bytes)
    }
}
