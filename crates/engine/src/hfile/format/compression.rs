//! Compression of a block's content, in the framings that HBase reads.
//!
//! ```text
//! NONE                content
//! GZ                  one gzip member
//! SNAPPY, LZ4, ZSTD   Hadoop block framing: ( u32 raw length | ( u32 compressed length | chunk )+ )*
//! ZSTD, also read     zstd frames alone, as Hadoop's native codec writes them; recognized by the frame's magic
//! ```
//!
//! Empty content still has bytes on disk: an empty gzip member, or a raw length of zero.
//!
//! Reading is bounded: output never exceeds the size that the block's header declares. No header may declare more
//! than the codec could have compressed into the existing bytes.

use super::Damage;
use flate2::bufread::GzDecoder;
use flate2::GzBuilder;
use rowstone_model::codec::Reader;
use rowstone_model::schema::Compression;
use rowstone_model::{Error, Result};
use std::cell::RefCell;
use std::io::{Read, Write};
use zstd::bulk::{Compressor as ZstdCompressor, Decompressor as ZstdDecompressor};

/// HBase's codecs decompress a chunk into a buffer of 256 KiB and need a sixth of it spare.
const CHUNK_BYTES: usize = 192 << 10;
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const ZSTD_LEVEL: i32 = 3;

/// Compresses blocks; retains reusable codec state.
pub struct Compressor {
    codec: Codec,
}

enum Codec {
    None,
    Gz,
    Snappy(Box<snap::raw::Encoder>),
    Lz4,
    Zstd(Box<ZstdCompressor<'static>>),
}

impl Compressor {
    /// A compressor for one file.
    pub fn new(compression: Compression) -> Result<Self> {
        let codec = match compression {
            Compression::None => Codec::None,
            Compression::Gz => Codec::Gz,
            Compression::Snappy => Codec::Snappy(Box::new(snap::raw::Encoder::new())),
            Compression::Lz4 => Codec::Lz4,
            Compression::Zstd => Codec::Zstd(Box::new(ZstdCompressor::new(ZSTD_LEVEL).map_err(failed)?)),
        };
        Ok(Compressor { codec })
    }

    /// Appends the compressed `content` to `out`.
    pub fn compress(&mut self, content: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match &mut self.codec {
            Codec::None => out.extend_from_slice(content),
            Codec::Gz => {
                // Operating system 0, as in Java's GZIPOutputStream.
                let writer = GzBuilder::new().operating_system(0).write(out, flate2::Compression::default());
                let mut writer = writer;
                writer.write_all(content).and_then(|()| writer.finish().map(|_| ())).map_err(failed)?;
            }
            Codec::Snappy(encoder) => frame(content, out, snap::raw::max_compress_len, |chunk, room| {
                encoder.compress(chunk, room).map_err(failed)
            })?,
            Codec::Lz4 => frame(content, out, lz4_flex::block::get_maximum_output_size, |chunk, room| {
                lz4_flex::block::compress_into(chunk, room).map_err(failed)
            })?,
            Codec::Zstd(compressor) => frame(content, out, zstd::zstd_safe::compress_bound, |chunk, room| {
                compressor.compress_to_buffer(chunk, room).map_err(failed)
            })?,
        }
        Ok(())
    }
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("cannot compress a block: {error}"))
}

/// Writes Hadoop's block framing around chunks that `compress` packs into a given buffer.
fn frame(
    content: &[u8],
    out: &mut Vec<u8>,
    bound: impl Fn(usize) -> usize,
    mut compress: impl FnMut(&[u8], &mut [u8]) -> Result<usize>,
) -> Result<()> {
    out.extend_from_slice(&(content.len() as u32).to_be_bytes());
    for chunk in content.chunks(CHUNK_BYTES) {
        let start = out.len() + 4;
        out.resize(start + bound(chunk.len()), 0);
        let length = compress(chunk, &mut out[start..])?;
        out[start - 4..start].copy_from_slice(&(length as u32).to_be_bytes());
        out.truncate(start + length);
    }
    Ok(())
}

/// Maximum expansion ratio of a codec; `None` if it is unlimited.
fn largest_ratio(compression: Compression) -> Option<usize> {
    match compression {
        Compression::None => Some(1),
        Compression::Gz => Some(1032),
        Compression::Snappy => Some(32),
        Compression::Lz4 => Some(255),
        Compression::Zstd => None,
    }
}

/// Decompresses `content` to `size` bytes.
pub fn decompress(compression: Compression, content: &[u8], size: usize) -> Result<Vec<u8>, Damage> {
    if size == 0 {
        return Ok(Vec::new());
    }
    if let Some(ratio) = largest_ratio(compression) {
        if size > content.len().saturating_mul(ratio).saturating_add(64) {
            return Err(Damage::new(
                format_args!("{} bytes that {} can unpack to {size}", content.len(), compression.name()),
                "more than that codec can hold",
            ));
        }
    }
    let mut out = vec![0; size];
    match compression {
        Compression::None => return Ok(content.to_vec()),
        Compression::Gz => gunzip(content, &mut out)?,
        Compression::Snappy => {
            let mut decoder = snap::raw::Decoder::new();
            unframe(content, &mut out, |chunk, room| {
                let length = snap::raw::decompress_len(chunk).map_err(|error| error.to_string())?;
                let room = room.get_mut(..length).ok_or("a chunk longer than its block")?;
                decoder.decompress(chunk, room).map_err(|error| error.to_string())
            })?;
        }
        Compression::Lz4 => unframe(content, &mut out, |chunk, room| {
            lz4_flex::block::decompress_into(chunk, room).map_err(|error| error.to_string())
        })?,
        Compression::Zstd if content.starts_with(&ZSTD_MAGIC) => {
            let length = unzstd(content, &mut out).map_err(|found| Damage::new("zstd frames", found))?;
            if length != size {
                return Err(Damage::new(format_args!("{size} bytes of content"), length));
            }
        }
        Compression::Zstd => unframe(content, &mut out, unzstd)?,
    }
    Ok(out)
}

fn gunzip(content: &[u8], out: &mut [u8]) -> Result<(), Damage> {
    let mut decoder = GzDecoder::new(content);
    let damage = |error: std::io::Error| Damage::new("a gzip member of the declared length", error);
    decoder.read_exact(out).map_err(damage)?;
    // The member ends with its checksum: reading past the last byte makes the decoder verify it.
    match decoder.read(&mut [0]).map_err(damage)? {
        0 => Ok(()),
        _ => Err(Damage::new(format_args!("{} bytes of content", out.len()), "more")),
    }
}

thread_local! {
    /// Creating a context costs more than decompressing a block with it.
    static ZSTD: RefCell<Option<ZstdDecompressor<'static>>> = const { RefCell::new(None) };
}

fn unzstd(content: &[u8], room: &mut [u8]) -> Result<usize, String> {
    ZSTD.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(ZstdDecompressor::new().map_err(|error| error.to_string())?),
        };
        decompressor.decompress_to_buffer(content, room).map_err(|error| error.to_string())
    })
}

/// Fills `out` from chunks in Hadoop's block framing.
fn unframe(
    content: &[u8],
    out: &mut [u8],
    mut decompress: impl FnMut(&[u8], &mut [u8]) -> Result<usize, String>,
) -> Result<(), Damage> {
    let mut reader = Reader::new(content);
    let mut filled = 0;
    while filled < out.len() {
        let end = filled + reader.u32()? as usize;
        if end > out.len() {
            return Err(Damage::new(format_args!("{} bytes of content", out.len()), format_args!("{end} or more")));
        }
        while filled < end {
            let length = reader.u32()? as usize;
            let chunk = reader.take(length)?;
            let length = decompress(chunk, &mut out[filled..end]).map_err(|found| Damage::new("a chunk", found))?;
            if length == 0 {
                return Err(Damage::new("a chunk with bytes in it", "an empty one"));
            }
            filled += length;
        }
    }
    if !reader.is_empty() {
        return Err(Damage::new("the end of the block", format_args!("{} more bytes", reader.remaining())));
    }
    Ok(())
}
