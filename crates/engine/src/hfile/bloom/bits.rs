//! Chunk sizes and bit positions. Sources: `BloomFilterUtil`, `BloomFilterChunk`, bit for bit.

use super::BloomKeys;
use crate::hfile::format::MAX_BLOCK_BYTES;
use rowstone_model::cell::{flat_key, CellType, LATEST_TIMESTAMP};
use rowstone_model::codec::murmur;

/// HBase's `io.storefile.bloom.error.rate`, a Java float.
const ERROR_RATE: f32 = 0.01;
/// HBase's `io.storefile.bloom.max.fold`: chunk sizes are multiples of 2 to this power.
const MAX_FOLD: u32 = 7;
/// Class name that HBase writes as the comparator of a ROWCOL filter.
pub const ROWCOL_COMPARATOR: &str = "org.apache.hadoop.hbase.CellComparatorImpl";
/// Upper limit that no filter with a reasonable error rate exceeds.
pub const MAX_HASHES: u32 = 64;

/// Parameters of every chunk of a filter before folding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkShape {
    /// Bytes of a chunk before it is folded.
    pub bytes: usize,
    /// Bits set per key.
    pub hashes: u32,
    /// Keys at which the next chunk begins.
    pub max_keys: usize,
}

impl ChunkShape {
    /// The shape for chunks of about `chunk_bytes`. A look-up checks a ROWCOL filter twice, so each check may err
    /// half as often.
    pub fn new(chunk_bytes: usize, keys: BloomKeys) -> Self {
        // Java computes with floats where it stores floats; widening at the same steps gives the same numbers.
        let rate = match keys {
            BloomKeys::Rows => f64::from(ERROR_RATE),
            BloomKeys::Columns => f64::from((1.0 - f64::from(1.0 - ERROR_RATE).sqrt()) as f32),
        };
        let bytes = chunk_bytes.clamp(1, MAX_BLOCK_BYTES).next_multiple_of(1 << MAX_FOLD);
        let bits = (bytes * 8) as f64;
        let log2 = std::f64::consts::LN_2;
        let ideal = (bits * (log2 * log2 / -rate.ln())) as usize;
        let hashes = (log2 * ((bytes * 8) / ideal.max(1)) as f64).ceil() as u32;
        let each = f64::from(hashes.max(1));
        let max_keys = (-bits / each * (1.0 - (rate.ln() / each).exp()).ln()) as usize;
        ChunkShape { bytes, hashes, max_keys: max_keys.max(1) }
    }
}

/// Calls `visit` with the position of each bit of `key` in a chunk of `bit_count` bits, while it returns true.
/// Returns whether it always did.
#[inline]
pub fn each_bit(key: &[u8], hashes: u32, bit_count: u32, mut visit: impl FnMut(usize) -> bool) -> bool {
    if bit_count == 0 {
        return false;
    }
    let first = murmur(key, 0);
    let step = murmur(key, first);
    let mut composite = first;
    for _ in 0..hashes {
        // Java's abs of the remainder equals the remainder of the magnitude.
        if !visit((composite.unsigned_abs() % bit_count) as usize) {
            return false;
        }
        composite = composite.wrapping_add(step);
    }
    true
}

/// The key of a column in a ROWCOL filter.
pub fn column_key(row: &[u8], qualifier: &[u8]) -> Vec<u8> {
    flat_key(row, &[], qualifier, LATEST_TIMESTAMP, CellType::Maximum)
}
