//! The first 64 bytes of a log.
//!
//! ```text
//! offset width  all big-endian
//!   0     8     magic 89 "RSLOG" 0d 0a
//!   8     4     version, 2
//!  12     4     bytes of records copied from the log before, which follow the header
//!  16     8     number of the log
//!  24     4     the database: CRC32C of its id
//!  28     4     salt: random
//!  32     8     number of the log before; 0 for none
//!  40     8     its length: the end of its last frame that counts
//!  48     4     its header's checksum
//!  52     8     time of creation, ms
//!  60     4     CRC32C of bytes 0 to 59; also the seed of the frames' checksums
//! ```

use super::replay::LogEnd;
use rowstone_model::codec::{Reader, Short};
use rowstone_model::{Error, ErrorKind, Result};
use std::path::Path;

pub(crate) const HEADER_BYTES: usize = 64;
const MAGIC: [u8; 8] = *b"\x89RSLOG\r\n";
const VERSION: u32 = 2;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub number: u64,
    /// The database that the log belongs to: a checksum of its id.
    pub database: u32,
    pub salt: u32,
    pub predecessor: Option<LogEnd>,
    pub created_ms: i64,
    /// Bytes of the records that were copied from the predecessor. They follow the header; the log's own records
    /// come after.
    pub copied_bytes: u32,
}

impl Header {
    /// The header's bytes, and the seed for the frames.
    pub fn encode(&self) -> ([u8; HEADER_BYTES], u32) {
        let before = self.predecessor.clone().unwrap_or_default();
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_be_bytes());
        bytes[12..16].copy_from_slice(&self.copied_bytes.to_be_bytes());
        bytes[16..24].copy_from_slice(&self.number.to_be_bytes());
        bytes[24..28].copy_from_slice(&self.database.to_be_bytes());
        bytes[28..32].copy_from_slice(&self.salt.to_be_bytes());
        bytes[32..40].copy_from_slice(&before.number.to_be_bytes());
        bytes[40..48].copy_from_slice(&before.length.to_be_bytes());
        bytes[48..52].copy_from_slice(&before.checksum.to_be_bytes());
        bytes[52..60].copy_from_slice(&self.created_ms.to_be_bytes());
        let seed = crc32c::crc32c(&bytes[..60]);
        bytes[60..].copy_from_slice(&seed.to_be_bytes());
        (bytes, seed)
    }

    /// The header in `bytes`, and the seed for the frames.
    ///
    /// # Errors
    /// `Corruption`; `Unsupported` for another version.
    pub fn decode(bytes: &[u8; HEADER_BYTES], path: &Path) -> Result<(Header, u32)> {
        if bytes[..8] != MAGIC {
            let found = format!("{:02x?}", &bytes[..8]);
            return Err(Error::corruption(path.display(), 0, format!("the magic {MAGIC:02x?} of a log"), found));
        }
        let (version, header, seed) =
            read_fields(&bytes[8..]).map_err(|_| Error::internal("a log header is longer than 64 bytes"))?;
        // Magic, version and checksum have their offsets in every version. So damage never looks like another version.
        let found = crc32c::crc32c(&bytes[..60]);
        if found != seed {
            let expected = format!("header checksum {seed:#010x}");
            return Err(Error::corruption(path.display(), 60, expected, format!("{found:#010x}")));
        }
        if version != VERSION {
            let message = format!(
                "{} is of log format {version}, and this Rowstone knows {VERSION}: open it with a newer Rowstone",
                path.display()
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        Ok((header, seed))
    }
}

fn read_fields(bytes: &[u8]) -> Result<(u32, Header, u32), Short> {
    let mut reader = Reader::new(bytes);
    let version = reader.u32()?;
    let copied_bytes = reader.u32()?;
    let (number, database, salt) = (reader.u64()?, reader.u32()?, reader.u32()?);
    let before = LogEnd { number: reader.u64()?, length: reader.u64()?, checksum: reader.u32()? };
    let created_ms = reader.i64()?;
    let predecessor = (before.number != 0).then_some(before);
    Ok((version, Header { number, database, salt, predecessor, created_ms, copied_bytes }, reader.u32()?))
}
