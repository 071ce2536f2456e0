//! FAST_DIFF: the differences to the previous cell, with flags for equal parts; lengths and bytes are plain.
//!
//! ```text
//! u8 flags      bits 0-2  leading bytes of the timestamp that are the same, 0 to 7
//!               bit 3 same key length | bit 4 same value length | bit 5 same type | bit 6 same value
//! [varint key length] [varint value length] varint common
//! first cell of a block:  flat key | value
//! others:                 rest of row and qualifier, family left out | rest of timestamp | [type] | [value]
//! ```

use super::delta::{common_bytes, decode_front, encode_front, length, version, Codec, VERSION_BYTES};
use super::output::Output;
use crate::hfile::format::Damage;
use rowstone_model::cell::Cell;
use rowstone_model::codec::{write_varint, Reader};

const TIMESTAMP_MASK: u8 = 7;
const SAME_KEY_LEN: u8 = 1 << 3;
const SAME_VALUE_LEN: u8 = 1 << 4;
const SAME_TYPE: u8 = 1 << 5;
const SAME_VALUE: u8 = 1 << 6;

/// State: the block's family, as its length and name.
#[derive(Default)]
pub struct FastDiff {
    family: Vec<u8>,
}

impl FastDiff {
    fn encode_first(cell: &Cell<'_>, out: &mut Vec<u8>) {
        out.push(0);
        write_varint(out, cell.key().len() as u64);
        write_varint(out, cell.value().len() as u64);
        write_varint(out, 0);
        out.extend_from_slice(cell.key());
        out.extend_from_slice(cell.value());
    }

    fn decode_first(&mut self, reader: &mut Reader<'_>, out: &mut Output) -> Result<(), Damage> {
        let key = reader.take(out.new_key_len())?;
        out.push(key)?;
        out.complete(Some(reader))?;
        let row_end = out.previous_row_end().unwrap_or(0);
        let family = usize::from(out.key()[row_end]);
        self.family = out.key()[row_end..=row_end + family].to_vec();
        Ok(())
    }
}

impl FastDiff {
    /// Whether a key of the last one's length also has its row's length and its family in the same place.
    #[inline]
    fn is_alike(&self, out: &Output, common: usize) -> bool {
        let Some(row_end) = out.previous_row_end() else { return false };
        let qualifier = row_end + self.family.len();
        let front_end = out.key_len().saturating_sub(VERSION_BYTES);
        common >= 2 && qualifier <= front_end && (common < row_end || (qualifier..=front_end).contains(&common))
    }

    /// The usual cell: a copy of the last key, in which some bytes are replaced.
    #[inline]
    fn decode_alike(
        &self,
        reader: &mut Reader<'_>,
        out: &mut Output,
        flags: u8,
        value_len: usize,
        common: usize,
    ) -> Result<(), Damage> {
        let row_end = out.previous_row_end().unwrap_or(0);
        let front_end = out.key_len() - VERSION_BYTES;
        out.begin_alike(value_len)?;
        let mut qualifier = common;
        if common < row_end {
            out.replace(common, reader.take(row_end - common)?);
            qualifier = row_end + self.family.len();
        }
        out.replace(qualifier, reader.take(front_end - qualifier)?);
        let same_bytes = usize::from(flags & TIMESTAMP_MASK);
        out.replace(front_end + same_bytes, reader.take(8 - same_bytes)?);
        if flags & SAME_TYPE == 0 {
            out.replace(front_end + 8, reader.take(1)?);
        }
        out.complete_alike(if flags & SAME_VALUE == 0 { Some(reader) } else { None }, common < row_end)
    }
}

impl Codec for FastDiff {
    fn encode(&mut self, cell: &Cell<'_>, previous: Option<&Cell<'_>>, out: &mut Vec<u8>) {
        let Some(previous) = previous else { return Self::encode_first(cell, out) };
        let (key, value) = (cell.key(), cell.value());
        let same_key_len = key.len() == previous.key().len();
        let same_value_len = value.len() == previous.value().len();
        let same_type = cell.type_code() == previous.type_code();
        let same_value = value == previous.value();
        let (ours, theirs) = (version(key), version(previous.key()));
        let same_bytes = ours.iter().zip(theirs).take(7).take_while(|(l, r)| l == r).count();
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        out.push(
            same_bytes as u8
                | flag(same_key_len, SAME_KEY_LEN)
                | flag(same_value_len, SAME_VALUE_LEN)
                | flag(same_type, SAME_TYPE)
                | flag(same_value, SAME_VALUE),
        );
        if !same_key_len {
            write_varint(out, key.len() as u64);
        }
        if !same_value_len {
            write_varint(out, value.len() as u64);
        }
        let common = common_bytes(cell, previous, false);
        write_varint(out, common as u64);
        encode_front(cell, common, out);
        out.extend_from_slice(&ours[same_bytes..8]);
        if !same_type {
            out.push(cell.type_code());
        }
        if !same_value {
            out.extend_from_slice(value);
        }
    }

    fn resume(&mut self, family: &[u8]) {
        self.family = family.to_vec();
    }

    fn decode(&mut self, reader: &mut Reader<'_>, out: &mut Output) -> Result<(), Damage> {
        let flags = reader.u8()?;
        let key_len = if flags & SAME_KEY_LEN == 0 { length(reader)? } else { out.key_len() };
        let value_len = if flags & SAME_VALUE_LEN == 0 { length(reader)? } else { out.value_len() };
        let common = length(reader)?;
        if flags & SAME_KEY_LEN != 0 && self.is_alike(out, common) {
            return self.decode_alike(reader, out, flags, value_len, common);
        }
        out.begin(key_len, value_len, common)?;
        if out.is_first() {
            return self.decode_first(reader, out);
        }
        decode_front(reader, out, common, &self.family)?;
        let same_bytes = usize::from(flags & TIMESTAMP_MASK);
        out.repeat_timestamp(same_bytes);
        out.push(reader.take(8 - same_bytes)?)?;
        let type_code = if flags & SAME_TYPE == 0 { reader.u8()? } else { out.previous_type() };
        out.push(&[type_code])?;
        out.complete(if flags & SAME_VALUE == 0 { Some(reader) } else { None })
    }
}
