//! Dictionary of a compressed log: byte strings by index. When it is full, a new one replaces the least recently used. Sources: HBase's `LRUDictionary`, `CompressionContext`.
//!
//! ```text
//! entry = FF | varint length | bytes      new: it gets the next free index, or that of the entry it replaces
//!       | u16 index                       known; the first byte is never FF
//! ```

use super::file::Failure;
use crate::hfile::format::Damage;
use rowstone_model::codec::Reader;

/// Places for rows, tags, regions and tables.
pub(super) const MANY: usize = i16::MAX as usize;
/// Places for families and qualifiers.
pub(super) const FEW: usize = i8::MAX as usize;
const NEW: u8 = 0xff;

/// An entry in a list from the most recently used to the least.
struct Place {
    bytes: Vec<u8>,
    newer: usize,
    older: usize,
}

/// Byte strings by index.
pub(super) struct Dictionary {
    places: Vec<Place>,
    limit: usize,
    newest: usize,
    oldest: usize,
}

impl Dictionary {
    /// An empty dictionary with so many places.
    pub fn new(limit: usize) -> Self {
        Dictionary { places: Vec::new(), limit, newest: 0, oldest: 0 }
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
        let place = usize::from(first) << 8 | usize::from(reader.u8()?);
        if place >= self.places.len() {
            let known = self.places.len();
            return Err(Damage::new(format_args!("one of {known} known entries"), format_args!("entry {place}")).into());
        }
        if place != self.newest {
            self.unlink(place);
            self.link_newest(place);
        }
        Ok(self.places[place].bytes.clone())
    }

    fn add(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let place = if self.places.len() < self.limit {
            self.places.push(Place { bytes: bytes.to_vec(), newer: 0, older: 0 });
            self.places.len() - 1
        } else {
            let place = self.oldest;
            self.unlink(place);
            self.places[place].bytes = bytes.to_vec();
            place
        };
        self.link_newest(place);
    }

    fn unlink(&mut self, place: usize) {
        let (newer, older) = (self.places[place].newer, self.places[place].older);
        if place == self.newest {
            self.newest = older;
        } else {
            self.places[newer].older = older;
        }
        if place == self.oldest {
            self.oldest = newer;
        } else {
            self.places[older].newer = newer;
        }
    }

    fn link_newest(&mut self, place: usize) {
        if self.places.len() == 1 {
            (self.newest, self.oldest) = (place, place);
            return;
        }
        let before = self.newest;
        self.places[place].older = before;
        self.places[before].newer = place;
        self.newest = place;
    }
}
