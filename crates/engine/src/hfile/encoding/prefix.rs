//! PREFIX: keys without the bytes they share with the previous key.
//!
//! ```text
//! varint key length - common | varint value length | varint common | key from byte `common` | value
//! ```

use super::delta::{common_bytes, length, Codec};
use super::output::Output;
use crate::hfile::format::Damage;
use rowstone_model::cell::Cell;
use rowstone_model::codec::{write_varint, Reader};

/// The encoding has no state of its own.
#[derive(Default)]
pub struct Prefix;

impl Codec for Prefix {
    fn encode(&mut self, cell: &Cell<'_>, previous: Option<&Cell<'_>>, out: &mut Vec<u8>) {
        let common = previous.map_or(0, |previous| common_bytes(cell, previous, true));
        write_varint(out, (cell.key().len() - common) as u64);
        write_varint(out, cell.value().len() as u64);
        write_varint(out, common as u64);
        out.extend_from_slice(&cell.key()[common..]);
        out.extend_from_slice(cell.value());
    }

    fn decode(&mut self, reader: &mut Reader<'_>, out: &mut Output) -> Result<(), Damage> {
        let own = length(reader)?;
        let value = length(reader)?;
        let common = length(reader)?;
        out.begin(own.saturating_add(common), value, common)?;
        out.push(reader.take(own)?)?;
        out.complete(Some(reader))
    }
}
