//! The two variable-length integer formats of HBase's files.
//!
//! * *vlong* (Hadoop's `WritableUtils`): one byte for −112…127; otherwise a first byte that encodes sign and length
//!   (−113…−120 positive, −121…−128 negative, stored complemented), then that many big-endian bytes.
//! * *varint* (protobuf): 7-bit groups, low group first, high bit set on all but the last.

/// The number of bytes that [`write_vlong`] appends for `value`.
pub fn vlong_len(value: i64) -> usize {
    if (-112..=127).contains(&value) {
        return 1;
    }
    let magnitude = if value < 0 { !value } else { value };
    1 + (64 - magnitude.leading_zeros() as usize).div_ceil(8)
}

/// Appends `value` as a vlong.
pub fn write_vlong(out: &mut Vec<u8>, value: i64) {
    if (-112..=127).contains(&value) {
        out.push(value as i8 as u8);
        return;
    }
    let (magnitude, base) = if value < 0 { (!value, -120i8) } else { (value, -112i8) };
    let count = (64 - magnitude.leading_zeros() as usize).div_ceil(8);
    out.push((base - count as i8) as u8);
    out.extend_from_slice(&magnitude.to_be_bytes()[8 - count..]);
}

/// Reads the vlong at the front of `bytes`; returns it with its length, or `None` if the bytes end too early.
#[inline]
pub fn read_vlong(bytes: &[u8]) -> Option<(i64, usize)> {
    let first = *bytes.first()? as i8;
    if first >= -112 {
        return Some((i64::from(first), 1));
    }
    let is_negative = first < -120;
    let count = if is_negative { -120 - i32::from(first) } else { -112 - i32::from(first) } as usize;
    let value = match bytes.get(1..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(rest) => (u64::from_be_bytes(*rest) >> (64 - 8 * count)) as i64,
        None => bytes.get(1..1 + count)?.iter().fold(0, |value, &byte| (value << 8) | i64::from(byte)),
    };
    Some((if is_negative { !value } else { value }, 1 + count))
}

/// Appends `value` as a varint.
pub fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads the varint at the front of `bytes`; returns it with its length, or `None` if it does not end within ten
/// bytes.
#[inline]
pub fn read_varint(bytes: &[u8]) -> Option<(u64, usize)> {
    if let Some(&first @ 0..0x80) = bytes.first() {
        return Some((first.into(), 1));
    }
    let mut value = 0u64;
    for (index, &byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Some((value, index + 1));
        }
    }
    None
}
