//! HFile version 3: an immutable file of sorted cells, byte for byte HBase's.
//!
//! ```text
//! DATA | DATA | LEAF_INDEX | DATA | BLOOM_CHUNK | DATA ...   data blocks, with index and Bloom blocks between them
//! INTERMEDIATE_INDEX ...                                     only in large files
//! ROOT_INDEX | ROOT_INDEX of meta blocks                     loaded on open, from here
//! FILE_INFO
//! GENERAL_BLOOM_META | DELETE_FAMILY_BLOOM_META              if there are keys
//! trailer, 4096 bytes                                        offsets of the above
//! ```
//!
//! | module | duty |
//! |---|---|
//! | [`mod@format`] | headers, checksums, compression, file info, trailer |
//! | [`encoding`] | cells as differences to the previous cell |
//! | [`index`] | from a key to a block |
//! | [`bloom`] | keys that a file may contain |
//! | [`cursor`] | from a block to a cell |
//! | [`mod@write`] | cells in, file out |
//! | [`sorted`] | puts in any order in, files for a bulk load out |
//! | [`read`] | file in, cells out |
//!
//! Invariants:
//! * Cells are sorted by [`rowstone_model::cell::compare_keys`]; cells with equal keys are never in two blocks.
//! * Every byte but the trailer is covered by a checksum, and none is used before it was verified.
//! * No length in a file is trusted before it was compared with the existing bytes; see
//!   [`format::MAX_BLOCK_BYTES`].
//! * Encodings are invisible outside this folder: blocks are decoded when they enter the cache.

pub mod bloom;
pub mod cursor;
pub mod encoding;
pub mod format;
pub mod index;
pub mod read;
pub mod sorted;
pub mod write;

pub use format::{ChecksumType, FileInfo, MAX_CELL_BYTES};
pub use read::{
    salvage, BlockUse, Counts, Description, Guess, HFileSource, Hole, Info, Patience, Reader, ReaderOptions, RowVisit,
    Salvaged,
};
pub use sorted::SortedFiles;
pub use write::{Digest, FileFacts, Summary, Writer, WriterOptions};
