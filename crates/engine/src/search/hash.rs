//! Hash of rows for in-memory tables: fast, and never stored.

/// Hashes a row. All tables use the same hash, so a get computes it once.
#[inline]
pub(crate) fn row_hash(row: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word).wrapping_mul(u128::from(MULTIPLIER));
        (product as u64) ^ ((product >> 64) as u64)
    };
    let mut hash = row.len() as u64 ^ 0x243f_6a88_85a3_08d3;
    let mut words = row.chunks_exact(8);
    for word in &mut words {
        let word = word.iter().rev().fold(0, |number, &byte| (number << 8) | u64::from(byte));
        hash = fold(hash, word);
    }
    let tail = words.remainder().iter().rev().fold(0, |number, &byte| (number << 8) | u64::from(byte));
    fold(fold(hash, tail), MULTIPLIER)
}
