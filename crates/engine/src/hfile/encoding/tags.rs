//! Tag dictionary that DIFF, FAST_DIFF and PREFIX blocks can have. Sources: `TagCompressionContext`,
//! `LRUDictionary`.
//!
//! ```text
//! tag = FF | varint length | type and value      a new tag: it gets the next free index
//!     | u16 index                                a known tag; the first byte is never FF
//! ```
//!
//! There are 127 indexes. Once all are used, a new tag replaces the least recently used one. Reader and writer must
//! do exactly the same, or later indexes mean other tags. Every block starts with an empty dictionary.

use crate::hfile::format::Damage;
use rowstone_model::codec::{write_varint, Reader};

const PLACES: usize = 127;
const NEW: u8 = 0xff;

/// Tags by index, with the time of their last use. Blocks have few different tags, so a search is linear.
#[derive(Default)]
pub struct Dictionary {
    entries: Vec<(Vec<u8>, u64)>,
    clock: u64,
}

impl Dictionary {
    fn use_place(&mut self, place: usize) -> Option<&[u8]> {
        self.clock += 1;
        let clock = self.clock;
        let entry = self.entries.get_mut(place)?;
        entry.1 = clock;
        Some(&entry.0)
    }

    fn add(&mut self, tag: &[u8]) {
        if tag.is_empty() {
            return;
        }
        self.clock += 1;
        let entry = (tag.to_vec(), self.clock);
        if self.entries.len() < PLACES {
            self.entries.push(entry);
        } else if let Some(oldest) = self.entries.iter_mut().min_by_key(|(_, used)| *used) {
            *oldest = entry;
        }
    }

    /// Appends `tags`, which have the layout of a cell's tags.
    pub fn encode(&mut self, mut tags: &[u8], out: &mut Vec<u8>) {
        while let Some((length, rest)) = tags.split_first_chunk::<2>() {
            let (tag, rest) = rest.split_at(rest.len().min(usize::from(u16::from_be_bytes(*length))));
            tags = rest;
            match self.entries.iter().position(|(known, _)| known == tag) {
                Some(place) => {
                    self.use_place(place);
                    out.extend_from_slice(&(place as u16).to_be_bytes());
                }
                None => {
                    out.push(NEW);
                    write_varint(out, tag.len() as u64);
                    out.extend_from_slice(tag);
                    self.add(tag);
                }
            }
        }
    }

    /// Appends tags that take `length` bytes in a cell.
    pub fn decode(&mut self, reader: &mut Reader<'_>, length: usize, out: &mut Vec<u8>) -> Result<(), Damage> {
        let end = out.len() + length;
        while out.len() < end {
            let first = reader.u8()?;
            let tag = if first == NEW {
                let length = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
                let tag = reader.take(length)?;
                self.add(tag);
                tag
            } else {
                let place = usize::from(first) << 8 | usize::from(reader.u8()?);
                let known = self.entries.len();
                self.use_place(place).ok_or_else(|| {
                    Damage::new(format_args!("one of {known} known tags"), format_args!("tag {place}"))
                })?
            };
            if tag.len() + 2 > end - out.len() {
                return Err(Damage::new(format_args!("{length} bytes of tags"), "more"));
            }
            out.extend_from_slice(&(tag.len() as u16).to_be_bytes());
            out.extend_from_slice(tag);
        }
        Ok(())
    }
}
