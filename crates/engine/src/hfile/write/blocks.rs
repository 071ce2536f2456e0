//! Block writer: turns payloads into blocks at the end of the output. Adds header, compression, checksums and the
//! chains of previous offsets.

use super::options::{Digest, WriterOptions};
use super::output::Output;
use crate::hfile::format::block::checksums_len;
use crate::hfile::format::compression::Compressor;
use crate::hfile::format::{checksum, BlockType, ChecksumType, Header, HEADER_BYTES, MAX_BLOCK_BYTES};
use rowstone_model::{Error, ErrorKind, Result};

/// Location of a written block.
#[derive(Debug, Clone, Copy)]
pub struct Written {
    /// Offset of its header.
    pub offset: u64,
    /// Its bytes, including header and checksums.
    pub bytes: usize,
}

/// Writes blocks.
pub struct BlockWriter {
    output: Output,
    compressor: Compressor,
    checksum: ChecksumType,
    bytes_per_checksum: usize,
    /// Offset of the last block of each chain.
    previous: Vec<(BlockType, i64)>,
    uncompressed_bytes: u64,
}

impl BlockWriter {
    /// Writes blocks into `output` according to `options`.
    pub fn new(output: Output, options: &WriterOptions) -> Result<Self> {
        Ok(BlockWriter {
            output,
            compressor: Compressor::new(options.compression)?,
            checksum: options.checksum,
            bytes_per_checksum: options.bytes_per_checksum.max(HEADER_BYTES),
            previous: Vec::new(),
            uncompressed_bytes: 0,
        })
    }

    /// The output.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Bytes of all blocks before compression that HBase counts in its trailer, without upper index levels.
    pub fn uncompressed_bytes(&self) -> u64 {
        self.uncompressed_bytes
    }

    /// Writes a block with `payload` as its content.
    pub fn write(&mut self, block_type: BlockType, payload: &[u8]) -> Result<Written> {
        let written = self.write_uncounted(block_type, payload)?;
        self.uncompressed_bytes += (HEADER_BYTES + payload.len()) as u64;
        Ok(written)
    }

    /// Like [`BlockWriter::write`], for blocks that HBase does not count.
    pub fn write_uncounted(&mut self, block_type: BlockType, payload: &[u8]) -> Result<Written> {
        if payload.len() > MAX_BLOCK_BYTES {
            return Err(Error::new(
                ErrorKind::CellTooLarge,
                format!(
                    "{}: a block of {} bytes is over the limit of {MAX_BLOCK_BYTES}",
                    self.output.path().display(),
                    payload.len()
                ),
            ));
        }
        let offset = self.output.offset();
        let previous_offset = self.chain(block_type.chain(), offset as i64);
        let buffer = self.output.buffer();
        let start = buffer.len();
        buffer.resize(start + HEADER_BYTES, 0);
        self.compressor.compress(payload, buffer)?;
        let data_bytes = buffer.len() - start;
        let header = Header {
            block_type,
            on_disk_bytes: data_bytes - HEADER_BYTES + checksums_len(data_bytes, self.bytes_per_checksum),
            uncompressed_bytes: payload.len(),
            previous_offset,
            checksum: self.checksum,
            bytes_per_checksum: self.bytes_per_checksum,
            data_bytes,
        };
        header.write(&mut buffer[start..]);
        checksum::append(buffer, start, self.checksum, self.bytes_per_checksum);
        self.output.flush_if_full()?;
        Ok(Written { offset, bytes: header.total_bytes() })
    }

    /// Sets `offset` as the end of a chain and returns the previous one.
    fn chain(&mut self, block_type: BlockType, offset: i64) -> i64 {
        match self.previous.iter_mut().find(|(kind, _)| *kind == block_type) {
            Some((_, last)) => std::mem::replace(last, offset),
            None => {
                self.previous.push((block_type, offset));
                -1
            }
        }
    }

    /// Marks the load-on-open offset: all later blocks are loaded on open.
    pub fn begin_tail(&mut self) {
        self.output.begin_tail();
    }

    /// Appends the trailer, syncs, and returns the length of the file and its digest.
    pub fn finish(mut self, trailer: &[u8]) -> Result<(u64, Digest)> {
        self.output.buffer().extend_from_slice(trailer);
        self.output.finish()
    }
}
