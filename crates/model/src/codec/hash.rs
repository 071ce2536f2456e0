//! HBase's Murmur: a 32-bit Murmur2 with two quirks that its Bloom filters depend on.
//!
//! The quirks: the seed is mixed with the length only once, and the one to three tail bytes are *sign extended* before
//! they are mixed in. Source: `org.apache.hadoop.hbase.util.MurmurHash`.

const MULTIPLIER: u32 = 0x5bd1_e995;

/// The hash of `bytes` under `seed`, bit for bit the result of HBase's `MurmurHash`.
///
/// ```
/// assert_eq!(rowstone_model::codec::murmur(b"abc", 0), 324500635);
/// ```
pub fn murmur(bytes: &[u8], seed: i32) -> i32 {
    let mut hash = seed as u32 ^ bytes.len() as u32;
    let mut words = bytes.chunks_exact(4);
    for word in &mut words {
        let mut k = u32::from_le_bytes([word[0], word[1], word[2], word[3]]).wrapping_mul(MULTIPLIER);
        k ^= k >> 24;
        hash = hash.wrapping_mul(MULTIPLIER) ^ k.wrapping_mul(MULTIPLIER);
    }
    let tail = words.remainder();
    if !tail.is_empty() {
        for (index, &byte) in tail.iter().enumerate().rev() {
            hash ^= (i32::from(byte as i8) as u32) << (8 * index);
        }
        hash = hash.wrapping_mul(MULTIPLIER);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(MULTIPLIER);
    (hash ^ (hash >> 15)) as i32
}
