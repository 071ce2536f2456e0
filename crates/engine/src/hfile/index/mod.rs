//! Index of blocks by key: reading, writing, and shortening of its keys.
//!
//! ```text
//! level   block                 payload
//! 0       data                  cells
//! 1       LEAF_INDEX            u32 n | u32 offset of entry 0..n | u32 bytes of all entries | entries
//! 2..     INTERMEDIATE_INDEX    the same
//! top     ROOT_INDEX            entries, each key with its length (a vlong) before it; then, above one level, the mid key:
//!                               i64 offset and i32 size of a leaf block | i32 entry in it
//! entry = i64 offset of the block | i32 bytes of the block in the file, all included | key
//! ```
//!
//! Invariant of the keys: last cell of the previous block < key <= first cell of the block. The key of the first
//! block is its first cell's. With one level the root refers to data blocks.

mod separator;
mod table;
mod writer;

pub use separator::separator;
pub use table::{nonroot_marks, root_table, Entries, Entry, MidKey, MID_KEY_BYTES};
pub use writer::{IndexWriter, ReadyBlock};
