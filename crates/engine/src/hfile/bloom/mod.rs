//! Bloom filters: rows, columns or row prefixes that a file may contain.
//!
//! A filter is a sequence of chunks, so that it grows with the file. Each chunk is a bit array for a range of keys;
//! an index in the meta block finds the chunk of a key.
//!
//! ```text
//! BLOOM_CHUNK   bits; bit p is byte p / 8, mask 1 << (p % 8)
//! *_BLOOM_META  i32 version 3 | i64 bytes of all chunks | i32 hashes | i32 hash type (1 is murmur)
//!               | i64 keys | i64 keys that would fit | i32 chunks
//!               | vlong length and class name of the order (none for rows) | root index entries of the chunks
//! ```
//!
//! | filter | key |
//! |---|---|
//! | ROW, family markers | the row |
//! | ROWPREFIX_FIXED_LENGTH | the row's first bytes |
//! | ROWCOL | flat key of row and qualifier, without family, at the latest timestamp, type Maximum |
//!
//! Invariant: a key that was added is found. A key that sorts before the first chunk's first key was not added.

mod bits;
mod filter;
mod writer;

pub use bits::{column_key, ChunkShape, ROWCOL_COMPARATOR};
pub use filter::BloomFilter;
pub use writer::{BloomWriter, ReadyChunk};

/// Kind of a filter's keys, which determines their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomKeys {
    /// Rows or prefixes of rows, in byte order.
    Rows,
    /// Flat keys of columns, in the order of cells.
    Columns,
}
