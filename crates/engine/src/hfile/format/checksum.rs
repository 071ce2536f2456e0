//! Checksums of a block: one per chunk of header and content, stored after the content.

use super::Damage;
use rowstone_model::codec::printable;

/// Bytes of one checksum.
pub const CHECKSUM_BYTES: usize = 4;

/// Checksum function of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ChecksumType {
    /// None: the checksum fields exist and are zero.
    Null,
    /// CRC-32 of zlib.
    Crc32,
    /// CRC-32C, HBase's default, computed by a CPU instruction.
    #[default]
    Crc32c,
}

impl ChecksumType {
    /// HBase's code.
    pub fn code(self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Crc32 => 1,
            Self::Crc32c => 2,
        }
    }

    /// The type with that code.
    pub fn from_code(code: u8) -> Option<Self> {
        [Self::Null, Self::Crc32, Self::Crc32c].into_iter().find(|kind| kind.code() == code)
    }

    /// The checksum of one chunk.
    pub fn of(self, chunk: &[u8]) -> u32 {
        match self {
            Self::Null => 0,
            Self::Crc32 => crc32fast::hash(chunk),
            Self::Crc32c => crc32c::crc32c(chunk),
        }
    }
}

/// Appends the checksums of `block[start..]`, chunk by chunk.
pub fn append(block: &mut Vec<u8>, start: usize, kind: ChecksumType, bytes_per_checksum: usize) {
    let end = block.len();
    let mut chunk = start;
    while chunk < end {
        let sum = kind.of(&block[chunk..end.min(chunk + bytes_per_checksum)]);
        block.extend_from_slice(&sum.to_be_bytes());
        chunk += bytes_per_checksum;
    }
}

/// Compares the checksums in `sums` with `data`, header included.
pub fn verify(data: &[u8], sums: &[u8], kind: ChecksumType, bytes_per_checksum: usize) -> Result<(), Damage> {
    if kind == ChecksumType::Null {
        return Ok(());
    }
    for (index, (chunk, sum)) in data.chunks(bytes_per_checksum).zip(sums.chunks(CHECKSUM_BYTES)).enumerate() {
        let computed = kind.of(chunk).to_be_bytes();
        if computed != sum {
            return Err(Damage::new(
                format_args!("checksum {} of chunk {index}", printable(sum)),
                format_args!("{}", printable(&computed)),
            ));
        }
    }
    Ok(())
}
