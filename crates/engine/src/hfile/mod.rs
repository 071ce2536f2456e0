//! HFile version 3: an immutable file of sorted cells, byte for byte HBase's.
//!
//! ```text
//! DATA | DATA | LEAF_INDEX | DATA | BLOOM_CHUNK | DATA ...   data blocks, with index and Bloom blocks between them
//! INTERMEDIATE_INDEX ...                                     only in large files
//! ROOT_INDEX | ROOT_INDEX of meta blocks                     loaded on open, from here
//! FILE_INFO
//! GENERAL_BLOOM_META | DELETE_FAMILY_BLOOM_META              where there are keys
//! trailer, 4096 bytes                                        says where the above begins
//! ```
//!
//! | module | its one sentence |
//! |---|---|
//! | [`mod@format`] | headers, checksums, compression, file info, trailer |
//! | [`encoding`] | cells as differences to the cell before |
//! | [`index`] | from a key to a block |
//! | [`bloom`] | which keys a file may hold |
//! | [`cursor`] | from a block to a cell |
//! | [`mod@write`] | cells in, file out |
//! | [`read`] | file in, cells out |
//!
//! Invariants:
//! * Cells are sorted by [`rowstone_model::cell::compare_keys`]; cells with equal keys are never in two blocks.
//! * Every byte but the trailer is under a checksum, and none is used before it was compared.
//! * No length in a file is believed before it was held against what is there; see [`format::MAX_BLOCK_BYTES`].
//! * Nobody outside this folder sees an encoding: blocks are decoded when they enter the cache.

pub mod bloom;
pub mod cursor;
pub mod encoding;
pub mod format;
pub mod index;
pub mod read;
pub mod write;

pub use format::{ChecksumType, FileInfo};
pub use read::{
    salvage, BlockUse, Counts, Description, Guess, HFileSource, Hole, Info, Reader, ReaderOptions, RowVisit, Salvaged,
};
pub use write::{Digest, FileFacts, Summary, Writer, WriterOptions};
