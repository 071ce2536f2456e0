//! Compressed cell blocks, in the framings of Hadoop's codecs.
//!
//! * gzip: one gzip stream.
//! * Snappy, LZ4: `u32 uncompressed length`, then `u32 compressed length | chunk` until that many bytes have been
//!   decompressed.

use super::{Malformed, MAX_FRAME_BYTES};
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rowstone_model::codec::Reader;
use rowstone_model::{Error, Result};
use std::io::{Read, Write};

/// Uncompressed size of a chunk: servers have buffers of 256 KiB.
const CHUNK_BYTES: usize = 128 << 10;
/// Decompressed bytes of a gzip stream that are requested from the caller at once.
const STEP_BYTES: usize = 64 << 10;
/// Maximum growth factor of a chunk when decompressed.
const MOST_GROWTH: usize = 256;

const BROKEN_CHUNK: Malformed = Malformed("a broken compressed chunk");

/// Compression of cell blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compressor {
    /// gzip.
    Gzip,
    /// Snappy.
    Snappy,
    /// LZ4.
    Lz4,
}

impl Compressor {
    /// Parses the name of a compression option.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown name.
    pub fn parse(name: &str) -> Result<Self> {
        match name.to_ascii_lowercase().as_str() {
            "gz" | "gzip" => Ok(Compressor::Gzip),
            "snappy" => Ok(Compressor::Snappy),
            "lz4" => Ok(Compressor::Lz4),
            _ => Err(Error::invalid(format!("compression '{name}' is unknown; cell blocks have gz, snappy and lz4"))),
        }
    }

    /// The compressor of the codec `class`.
    pub fn from_class(class: &str) -> Option<Self> {
        [Compressor::Gzip, Compressor::Snappy, Compressor::Lz4].into_iter().find(|known| known.class() == class)
    }

    /// The codec's class, for the connection header.
    pub fn class(self) -> &'static str {
        match self {
            Compressor::Gzip => "org.apache.hadoop.io.compress.GzipCodec",
            Compressor::Snappy => "org.apache.hadoop.io.compress.SnappyCodec",
            Compressor::Lz4 => "org.apache.hadoop.io.compress.Lz4Codec",
        }
    }

    /// Compresses `block`.
    pub fn compress(self, block: &[u8]) -> std::io::Result<Vec<u8>> {
        if self == Compressor::Gzip {
            let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(block)?;
            return encoder.finish();
        }
        let mut out = (block.len() as u32).to_be_bytes().to_vec();
        for chunk in block.chunks(CHUNK_BYTES) {
            let packed = match self {
                Compressor::Lz4 => lz4_flex::block::compress(chunk),
                _ => snap::raw::Encoder::new().compress_vec(chunk)?,
            };
            out.extend_from_slice(&(packed.len() as u32).to_be_bytes());
            out.extend_from_slice(&packed);
        }
        Ok(out)
    }

    /// Decompresses `bytes`.
    pub fn decompress(self, bytes: &[u8]) -> std::result::Result<Vec<u8>, Malformed> {
        self.decompress_within(bytes, MAX_FRAME_BYTES, |_| Ok(()))
    }

    /// Decompresses `bytes`; a block of more than `limit` bytes is rejected. Calls `grow` with the size of the output
    /// before it grows, and stops with its error.
    pub fn decompress_within<E: From<Malformed>>(
        self,
        bytes: &[u8],
        limit: usize,
        mut grow: impl FnMut(usize) -> std::result::Result<(), E>,
    ) -> std::result::Result<Vec<u8>, E> {
        let mut out = Vec::new();
        if self == Compressor::Gzip {
            let mut decoder = GzDecoder::new(bytes).take(limit as u64);
            loop {
                grow(limit.min(out.len() + STEP_BYTES))?;
                let step = decoder.by_ref().take(STEP_BYTES as u64).read_to_end(&mut out);
                if step.map_err(|_| Malformed("a broken gzip stream"))? < STEP_BYTES {
                    return Ok(out);
                }
            }
        }
        let mut reader = Reader::new(bytes);
        let short = |_| Malformed("a compressed block that ends early");
        while !reader.is_empty() {
            let end = out.len() + reader.u32().map_err(short)? as usize;
            if end > limit {
                return Err(Malformed("a compressed block that grows beyond reason").into());
            }
            while out.len() < end {
                let length = reader.u32().map_err(short)? as usize;
                let chunk = reader.take(length).map_err(short)?;
                let room = self.room(chunk, end - out.len())?;
                grow(out.len() + room)?;
                self.inflate(chunk, room, &mut out)?;
            }
        }
        Ok(out)
    }

    /// Returns the maximum size of the decompressed `chunk`, of a block that has `left` bytes left.
    fn room(self, chunk: &[u8], left: usize) -> std::result::Result<usize, Malformed> {
        let most = chunk.len().saturating_mul(MOST_GROWTH);
        let room = match self {
            Compressor::Snappy => snap::raw::decompress_len(chunk).map_err(|_| BROKEN_CHUNK)?,
            _ => most.min(left),
        };
        if room == 0 || room > left || room > most {
            return Err(BROKEN_CHUNK);
        }
        Ok(room)
    }

    /// Decompresses `chunk` to the end of `out`, to at most `room` bytes.
    fn inflate(self, chunk: &[u8], room: usize, out: &mut Vec<u8>) -> std::result::Result<(), Malformed> {
        let start = out.len();
        out.resize(start + room, 0);
        let target = &mut out[start..];
        let written = match self {
            Compressor::Snappy => snap::raw::Decoder::new().decompress(chunk, target).map_err(|_| BROKEN_CHUNK)?,
            _ => lz4_flex::block::decompress_into(chunk, target).map_err(|_| BROKEN_CHUNK)?,
        };
        if written == 0 {
            return Err(BROKEN_CHUNK);
        }
        out.truncate(start + written);
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Compressor; 3] = [Compressor::Gzip, Compressor::Snappy, Compressor::Lz4];

    #[test]
    fn large_blocks_go_in_chunks() {
        let block: Vec<u8> = (0..1_000_000u32).flat_map(|number| (number / 7).to_le_bytes()).collect();
        for compressor in ALL {
            let packed = compressor.compress(&block).unwrap();
            assert!(packed.len() < block.len());
            assert_eq!(compressor.decompress(&packed).unwrap(), block);
        }
    }

    #[test]
    fn a_block_asks_before_it_grows() {
        let block = vec![7u8; 10 << 20];
        for compressor in ALL {
            let packed = compressor.compress(&block).unwrap();
            let mut largest = 0;
            let out = compressor.decompress_within(&packed, 16 << 20, |bytes| {
                largest = largest.max(bytes);
                Ok::<(), Malformed>(())
            });
            assert_eq!(out.unwrap(), block);
            assert!((10 << 20..11 << 20).contains(&largest), "{largest}");
            let refused = |bytes| if bytes > 1 << 20 { Err(Malformed("no more memory")) } else { Ok(()) };
            assert_eq!(compressor.decompress_within(&packed, 16 << 20, refused).unwrap_err().0, "no more memory");
        }
    }

    proptest! {
        #[test]
        fn blocks_come_back(block in prop::collection::vec(any::<u8>(), 0..500)) {
            for compressor in ALL {
                prop_assert_eq!(&compressor.decompress(&compressor.compress(&block).unwrap()).unwrap(), &block);
            }
        }

        #[test]
        fn rubbish_is_refused_or_small(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for compressor in ALL {
                if let Ok(out) = compressor.decompress(&bytes) {
                    prop_assert!(out.len() <= bytes.len() * 1100);
                }
            }
        }
    }
}
