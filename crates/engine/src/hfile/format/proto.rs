//! Minimal protobuf for HFiles: numbers and byte strings in a flat message, encoded and decoded by hand.
//!
//! ```text
//! field = varint (number << 3 | wire type) then   0: varint | 1: 8 bytes | 2: varint length, bytes | 5: 4 bytes
//! ```
//!
//! Unknown fields are skipped, as protobuf requires.

use super::Damage;
use rowstone_model::codec::{write_varint, Reader};

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// Wire type 0.
    Number(u64),
    /// Wire type 2: bytes, text or a message.
    Bytes(&'a [u8]),
    /// Wire types 1 and 5, which no field here uses.
    Fixed(&'a [u8]),
}

/// Appends a number field.
pub fn put_number(out: &mut Vec<u8>, field: u32, value: u64) {
    write_varint(out, u64::from(field) << 3);
    write_varint(out, value);
}

/// Appends a field of bytes.
pub fn put_bytes(out: &mut Vec<u8>, field: u32, value: &[u8]) {
    write_varint(out, u64::from(field) << 3 | 2);
    write_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

/// Reads a varint length and that many bytes.
pub fn take_delimited<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Damage> {
    let length = reader.varint()?;
    Ok(reader.take(usize::try_from(length).unwrap_or(usize::MAX))?)
}

/// Calls `visit` with the number and value of every field of `message`.
pub fn each_field<'a>(
    message: &'a [u8],
    mut visit: impl FnMut(u64, Value<'a>) -> Result<(), Damage>,
) -> Result<(), Damage> {
    let mut reader = Reader::new(message);
    while !reader.is_empty() {
        let tag = reader.varint()?;
        let value = match tag & 7 {
            0 => Value::Number(reader.varint()?),
            1 => Value::Fixed(reader.take(8)?),
            2 => Value::Bytes(take_delimited(&mut reader)?),
            5 => Value::Fixed(reader.take(4)?),
            other => return Err(Damage::new("protobuf wire type 0, 1, 2 or 5", other)),
        };
        visit(tag >> 3, value)?;
    }
    Ok(())
}
