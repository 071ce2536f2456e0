//! Decimal numbers of any size, in the format of HBase's `Bytes.toBytes(BigDecimal)`.
//!
//! ```text
//! i32 scale | unscaled number, two's complement, big-endian, at least 1 byte          value = unscaled * 10^-scale
//! ```

use num_bigint::BigInt;

/// Returns the scale and the unscaled number; `None` for fewer than five bytes.
pub fn read_decimal(bytes: &[u8]) -> Option<(i32, BigInt)> {
    let (scale, unscaled) = bytes.split_first_chunk()?;
    if unscaled.is_empty() {
        return None;
    }
    Some((i32::from_be_bytes(*scale), BigInt::from_signed_bytes_be(unscaled)))
}

/// Encodes a number in as few bytes as possible.
pub fn write_decimal(scale: i32, unscaled: &BigInt) -> Vec<u8> {
    [&scale.to_be_bytes()[..], &unscaled.to_signed_bytes_be()].concat()
}
