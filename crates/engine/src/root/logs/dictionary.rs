//! Dictionary of a compressed log: byte strings by index. When it is full, a new one replaces the least recently used. Sources: HBase's `LRUDictionary`, `CompressionContext`.
//!
//! ```text
//! entry = FF | varint length | bytes      new: it gets the next free index, or that of the entry it replaces
//!       | u16 index                       known; the first byte is never FF
//! ```

use super::file::Failure;
use crate::hfile::format::Damage;
use rowstone_model::codec::Reader;

/// Entries for rows, tags, regions and tables.
pub(super) const MANY: usize = i16::MAX as usize;
/// Entries for families and qualifiers.
pub(super) const FEW: usize = i8::MAX as usize;
const NEW: u8 = 0xff;

/// An entry in a list from the most recently used to the least.
struct Entry {
    bytes: Vec<u8>,
    newer: usize,
    older: usize,
}

/// Byte strings by index.
pub(super) struct Dictionary {
    entries: Vec<Entry>,
    limit: usize,
    newest: usize,
    oldest: usize,
}

impl Dictionary {
    /// An empty dictionary with at most `limit` entries.
    pub fn new(limit: usize) -> Self {
        Dictionary { entries: Vec::new(), limit, newest: 0, oldest: 0 }
    }

    /// Reads an entry.
    pub fn read(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, Failure> {
        let first = reader.u8()?;
        if first == NEW {
            let length = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
            let bytes = reader.take(length)?;
            self.add(bytes);
            return Ok(bytes.to_vec());
        }
        let index = usize::from(first) << 8 | usize::from(reader.u8()?);
        if index >= self.entries.len() {
            let known = self.entries.len();
            return Err(Damage::new(format_args!("one of {known} known entries"), format_args!("entry {index}")).into());
        }
        if index != self.newest {
            self.unlink(index);
            self.link_newest(index);
        }
        Ok(self.entries[index].bytes.clone())
    }

    fn add(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let index = if self.entries.len() < self.limit {
            self.entries.push(Entry { bytes: bytes.to_vec(), newer: 0, older: 0 });
            self.entries.len() - 1
        } else {
            let index = self.oldest;
            self.unlink(index);
            self.entries[index].bytes = bytes.to_vec();
            index
        };
        self.link_newest(index);
    }

    fn unlink(&mut self, index: usize) {
        let (newer, older) = (self.entries[index].newer, self.entries[index].older);
        if index == self.newest {
            self.newest = older;
        } else {
            self.entries[newer].older = older;
        }
        if index == self.oldest {
            self.oldest = newer;
        } else {
            self.entries[older].newer = newer;
        }
    }

    fn link_newest(&mut self, index: usize) {
        if self.entries.len() == 1 {
            (self.newest, self.oldest) = (index, index);
            return;
        }
        let before = self.newest;
        self.entries[index].older = before;
        self.entries[before].newer = index;
        self.newest = index;
    }
}
