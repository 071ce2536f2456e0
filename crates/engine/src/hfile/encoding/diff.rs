//! DIFF: the differences to the previous cell. Timestamps are numbers of as few bytes as needed, or differences.
//!
//! ```text
//! before the first cell of a block: u8 family length | family
//! u8 flags      bit 0 same key length | bit 1 same value length | bit 2 same type | bit 3 timestamp is a difference
//!               bits 4-6 bytes of the timestamp, less one | bit 7 it is negative
//! [varint key length] [varint value length] varint common
//! rest of row and qualifier, family left out | timestamp, little-endian | [type] | value
//! ```
//!
//! The difference is the previous timestamp minus this one. It is used if it needs fewer bytes.

use super::delta::{common_bytes, decode_front, encode_front, length, Codec};
use super::output::Output;
use crate::hfile::format::Damage;
use rowstone_model::cell::Cell;
use rowstone_model::codec::{write_varint, Reader};

const SAME_KEY_LEN: u8 = 1;
const SAME_VALUE_LEN: u8 = 1 << 1;
const SAME_TYPE: u8 = 1 << 2;
const IS_DIFFERENCE: u8 = 1 << 3;
const LENGTH_SHIFT: u8 = 4;
const LENGTH_MASK: u8 = 7;
const IS_NEGATIVE: u8 = 1 << 7;

/// State: the block's family, as its length and name.
#[derive(Default)]
pub struct Diff {
    family: Vec<u8>,
}

/// Number of bytes for a number. One whose magnitude is still negative (the smallest of all) needs all eight.
fn bytes_for(number: i64) -> u8 {
    match number {
        ..0 => 8,
        0 => 1,
        _ => (64 - number.leading_zeros()).div_ceil(8) as u8,
    }
}

/// Encodes a timestamp for DIFF: magnitude, number of bytes, and flags.
fn pack(timestamp: i64, previous: Option<i64>) -> (i64, u8, u8) {
    let magnitude = timestamp.wrapping_abs();
    let count = bytes_for(magnitude);
    let sign = |number: i64| if number < 0 { IS_NEGATIVE } else { 0 };
    if let Some(previous) = previous {
        let difference = previous.wrapping_sub(timestamp);
        let shorter = bytes_for(difference.wrapping_abs());
        if shorter < count {
            let flags = (shorter - 1) << LENGTH_SHIFT | IS_DIFFERENCE | sign(difference);
            return (difference.wrapping_abs(), shorter, flags);
        }
    }
    (magnitude, count, (count - 1) << LENGTH_SHIFT | sign(timestamp))
}

impl Codec for Diff {
    fn encode(&mut self, cell: &Cell<'_>, previous: Option<&Cell<'_>>, out: &mut Vec<u8>) {
        let (key, value) = (cell.key(), cell.value());
        if previous.is_none() {
            out.push(cell.family().len() as u8);
            out.extend_from_slice(cell.family());
        }
        let (number, count, timestamp_flags) = pack(cell.timestamp(), previous.map(Cell::timestamp));
        let same_key_len = previous.is_some_and(|previous| previous.key().len() == key.len());
        let same_value_len = previous.is_some_and(|previous| previous.value().len() == value.len());
        let same_type = previous.is_some_and(|previous| previous.type_code() == cell.type_code());
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        out.push(
            timestamp_flags
                | flag(same_key_len, SAME_KEY_LEN)
                | flag(same_value_len, SAME_VALUE_LEN)
                | flag(same_type, SAME_TYPE),
        );
        if !same_key_len {
            write_varint(out, key.len() as u64);
        }
        if !same_value_len {
            write_varint(out, value.len() as u64);
        }
        let common = previous.map_or(0, |previous| common_bytes(cell, previous, false));
        write_varint(out, common as u64);
        encode_front(cell, common, out);
        out.extend_from_slice(&number.to_le_bytes()[..usize::from(count)]);
        if !same_type {
            out.push(cell.type_code());
        }
        out.extend_from_slice(value);
    }

    fn resume(&mut self, family: &[u8]) {
        self.family = family.to_vec();
    }

    fn decode(&mut self, reader: &mut Reader<'_>, out: &mut Output) -> Result<(), Damage> {
        if out.is_first() {
            let family_len = reader.u8()?;
            self.family = vec![family_len];
            self.family.extend_from_slice(reader.take(family_len.into())?);
        }
        let flags = reader.u8()?;
        let key_len = if flags & SAME_KEY_LEN == 0 { length(reader)? } else { out.key_len() };
        let value_len = if flags & SAME_VALUE_LEN == 0 { length(reader)? } else { out.value_len() };
        let common = length(reader)?;
        out.begin(key_len, value_len, common)?;
        decode_front(reader, out, common, &self.family)?;
        let count = usize::from(flags >> LENGTH_SHIFT & LENGTH_MASK) + 1;
        let mut number = [0; 8];
        number[..count].copy_from_slice(reader.take(count)?);
        let mut timestamp = i64::from_le_bytes(number);
        if flags & IS_NEGATIVE != 0 {
            timestamp = timestamp.wrapping_neg();
        }
        if flags & IS_DIFFERENCE != 0 {
            timestamp = out.previous_timestamp().wrapping_sub(timestamp);
        }
        out.push(&timestamp.to_be_bytes())?;
        let type_code = if flags & SAME_TYPE == 0 { reader.u8()? } else { out.previous_type() };
        out.push(&[type_code])?;
        out.complete(Some(reader))
    }
}
