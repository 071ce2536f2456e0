//! Building blocks of every HFile: blocks with headers and checksums, compression, the file info map, the trailer.
//!
//! Everything here works on bytes in memory and knows no file. Damage in the bytes is returned as a [`Damage`],
//! which the reader turns into a corruption error with the file's name and the offset.

pub mod block;
pub mod checksum;
pub mod compression;
mod damage;
pub mod file_info;
pub mod proto;
pub mod trailer;

pub use block::{BlockType, Header, HEADER_BYTES, MAX_BLOCK_BYTES, MAX_CELL_BYTES};
pub use checksum::ChecksumType;
pub use damage::Damage;
pub use file_info::FileInfo;
pub use trailer::{Trailer, TRAILER_BYTES};
