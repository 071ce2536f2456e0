//! Searchable form of index entries: one piece of memory, with the offsets where they start.

use crate::cache::CachedBlock;
use crate::hfile::format::Damage;
use crate::search::{partition_point, Marks};
use rowstone_model::cell::{compare_keys, row_of, Cell};
use rowstone_model::codec::Reader;
use std::cmp::Ordering;
use std::ops::Range;

/// Bytes of an entry before its key.
pub const ENTRY_HEAD_BYTES: usize = 12;
/// Bytes of the mid key record after a root index of several levels.
pub const MID_KEY_BYTES: usize = 16;

/// The end of a key that sorts before all cells of its row: an empty family, and the timestamp and type that sort first.
const FIRST_ON_ROW: [u8; 10] = [0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

/// An index entry: a block, and a key that separates it from the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Offset of the block in the file.
    pub offset: u64,
    /// Its bytes in the file, header and checksums included.
    pub bytes: usize,
    /// The key.
    pub key: &'a [u8],
}

/// Location of a file's middle data block, in an index of several levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MidKey {
    /// Offset of the leaf index block.
    pub offset: u64,
    /// Its bytes in the file.
    pub bytes: usize,
    /// Number of its entry in that block.
    pub entry: usize,
}

/// Searches entries. `marks` are their offsets in `bytes`, which end with the last entry.
#[derive(Debug, Clone, Copy)]
pub struct Entries<'a> {
    bytes: &'a [u8],
    marks: &'a Marks,
}

/// The row of the flat key of the entry at `start`.
#[inline]
fn row_at(bytes: &[u8], start: u32) -> &[u8] {
    row_of(&bytes[start as usize + ENTRY_HEAD_BYTES..])
}

impl<'a> Entries<'a> {
    /// The entries of a block that [`root_table`] or [`nonroot_marks`] prepared.
    #[inline]
    pub fn of(block: &'a CachedBlock) -> Self {
        Entries { bytes: block.bytes(), marks: block.marks() }
    }

    /// Number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place of entry `index` in the bytes.
    #[inline]
    fn place(&self, index: usize) -> Option<Range<usize>> {
        let start = self.marks.offset(index)? as usize;
        Some(start..self.marks.offset(index + 1).map_or(self.bytes.len(), |end| end as usize))
    }

    /// The key of entry `index`, which must be below [`Entries::len`].
    #[inline]
    pub fn key(&self, index: usize) -> &'a [u8] {
        let place = self.place(index).unwrap_or_default();
        &self.bytes[place.start + ENTRY_HEAD_BYTES..place.end]
    }

    /// Entry `index`, if it exists.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Entry<'a>> {
        let (head, key) = self.bytes.get(self.place(index)?)?.split_at_checked(ENTRY_HEAD_BYTES)?;
        let mut reader = Reader::new(head);
        let (offset, bytes) = (reader.u64().ok()?, reader.u32().ok()? as usize);
        Some(Entry { offset, bytes, key })
    }

    /// Number of entries for whose keys `is_before` is true. It must be true for a first part of them and false for
    /// the rest.
    #[inline]
    pub fn partition_point(&self, mut is_before: impl FnMut(&'a [u8]) -> bool) -> usize {
        partition_point(0..self.len(), |index| is_before(self.key(index)))
    }

    /// The last entry at or before the flat key `key`.
    #[inline]
    pub fn floor(&self, key: &[u8]) -> Option<usize> {
        let compare = |index| match compare_keys(self.key(index), key) {
            Ordering::Greater => Ordering::Greater,
            _ => Ordering::Less,
        };
        self.marks.smaller_than(row_of(key), compare).checked_sub(1)
    }

    /// The last entry at or before the key before all cells of `row`.
    #[inline]
    pub fn floor_of_row(&self, row: &[u8]) -> Option<usize> {
        let compare = |index| {
            let key = self.key(index);
            match row_of(key).cmp(row) {
                Ordering::Equal if is_first_on_row(key, row.len()) => Ordering::Less,
                Ordering::Equal => Ordering::Greater,
                unequal => unequal,
            }
        };
        self.marks.smaller_than(row, compare).checked_sub(1)
    }
}

/// Whether `key` is the one before all cells of its row, which is `row_bytes` long.
#[inline]
fn is_first_on_row(key: &[u8], row_bytes: usize) -> bool {
    key.get(2 + row_bytes..).is_some_and(|rest| rest == FIRST_ON_ROW)
}

/// Whether the keys of an index are flat keys of cells, or bare bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyForm {
    /// Flat keys.
    Flat,
    /// Bytes in byte order: rows in a Bloom filter's index, names of meta blocks.
    Bytes,
}

fn check_key(key: &[u8], form: KeyForm) -> Result<(), Damage> {
    if form == KeyForm::Flat {
        Cell::new(key, &[], &[], 0)?;
    }
    Ok(())
}

/// Parses `count` entries in root form into a block that [`Entries`] searches. With `is_flat`, their keys are flat
/// keys.
pub fn root_table(reader: &mut Reader<'_>, count: u64, is_flat: bool) -> Result<CachedBlock, Damage> {
    let form = if is_flat { KeyForm::Flat } else { KeyForm::Bytes };
    // Every entry takes at least 13 bytes, so a corrupt count cannot make us allocate too much.
    if count > (reader.remaining() / (ENTRY_HEAD_BYTES + 1)) as u64 {
        return Err(Damage::new(format_args!("{count} index entries"), format_args!("{} bytes", reader.remaining())));
    }
    let mut bytes = Vec::with_capacity(reader.remaining());
    let mut starts = Vec::with_capacity(count as usize);
    for _ in 0..count {
        starts.push(bytes.len() as u32);
        bytes.extend_from_slice(reader.take(ENTRY_HEAD_BYTES)?);
        let length = usize::try_from(reader.vlong()?).unwrap_or(usize::MAX);
        let key = reader.take(length)?;
        check_key(key, form)?;
        bytes.extend_from_slice(key);
    }
    let marks = match form {
        KeyForm::Flat => Marks::of_rows(&starts, |start| row_at(&bytes, start)),
        KeyForm::Bytes => Marks::without_rows(&starts),
    };
    Ok(CachedBlock::new(bytes, marks))
}

/// The offsets of the entries of a leaf or intermediate index block. The keys are flat keys.
pub fn nonroot_marks(payload: &[u8]) -> Result<Marks, Damage> {
    let mut reader = Reader::new(payload);
    let count = reader.u32()? as usize;
    if count == 0 || count > payload.len() / (ENTRY_HEAD_BYTES + 4) {
        return Err(Damage::new(format_args!("1 to {} index entries", payload.len() / 16), count));
    }
    let base = 4 * (count + 2);
    let mut starts = Vec::with_capacity(count + 1);
    for _ in 0..=count {
        starts.push((base + reader.u32()? as usize) as u32);
    }
    if starts.first() != Some(&(base as u32)) || starts.last() != Some(&(payload.len() as u32)) {
        return Err(Damage::new("index entries that fill their block", "others"));
    }
    for pair in starts.windows(2) {
        let key = payload.get(pair[0] as usize + ENTRY_HEAD_BYTES..pair[1] as usize);
        check_key(key.ok_or_else(|| Damage::new("index entries one after the other", "others"))?, KeyForm::Flat)?;
    }
    starts.pop();
    Ok(Marks::of_rows(&starts, |start| row_at(payload, start)))
}
