//! Bloom filter writer: builds a filter while its file is written. Source: `CompoundBloomFilterWriter`.

use super::bits::{each_bit, ChunkShape, ROWCOL_COMPARATOR};
use super::BloomKeys;
use crate::hfile::index::IndexWriter;
use rowstone_model::codec::write_vlong;
use std::collections::VecDeque;

const META_VERSION: u32 = 3;
const MURMUR: u32 = 1;

#[derive(Debug)]
struct Chunk {
    bits: Vec<u8>,
    first_key: Vec<u8>,
    key_count: usize,
}

/// A chunk to be written now.
#[derive(Debug)]
pub struct ReadyChunk {
    /// Its bits.
    pub bits: Vec<u8>,
    /// Its first key.
    pub first_key: Vec<u8>,
}

/// A filter being built.
#[derive(Debug)]
pub struct BloomWriter {
    keys: BloomKeys,
    shape: ChunkShape,
    chunk: Option<Chunk>,
    ready: VecDeque<ReadyChunk>,
    index: IndexWriter,
    last_key: Vec<u8>,
    key_count: u64,
    max_keys: u64,
    chunk_bytes: u64,
}

impl BloomWriter {
    /// An empty filter with chunks of about `chunk_bytes`.
    pub fn new(chunk_bytes: usize, keys: BloomKeys) -> Self {
        BloomWriter {
            keys,
            shape: ChunkShape::new(chunk_bytes, keys),
            chunk: None,
            ready: VecDeque::new(),
            index: IndexWriter::new(usize::MAX),
            last_key: Vec::new(),
            key_count: 0,
            max_keys: 0,
            chunk_bytes: 0,
        }
    }

    /// Adds a key. Keys must come in order; repeating a key has no effect.
    pub fn add(&mut self, key: &[u8]) {
        if self.key_count > 0 && self.last_key == key {
            return;
        }
        self.close_full_chunk(false);
        let shape = self.shape;
        let chunk = self.chunk.get_or_insert_with(|| Chunk {
            bits: vec![0; shape.bytes],
            first_key: key.to_vec(),
            key_count: 0,
        });
        each_bit(key, shape.hashes, (shape.bytes * 8) as u32, |bit| {
            chunk.bits[bit >> 3] |= 1 << (bit & 7);
            true
        });
        chunk.key_count += 1;
        self.key_count += 1;
        self.last_key.clear();
        self.last_key.extend_from_slice(key);
    }

    fn close_full_chunk(&mut self, is_closing: bool) {
        let is_done = |chunk: &mut Chunk| is_closing || chunk.key_count >= self.shape.max_keys;
        let Some(chunk) = self.chunk.take_if(is_done) else { return };
        let (bits, max_keys) = fold(chunk.bits, self.shape.max_keys, chunk.key_count);
        self.chunk_bytes += bits.len() as u64;
        self.max_keys += max_keys as u64;
        self.ready.push_back(ReadyChunk { bits, first_key: chunk.first_key });
    }

    /// The next chunk that is full or, with `is_closing`, not empty. It must be written and then passed to
    /// [`BloomWriter::chunk_written`].
    pub fn ready_chunk(&mut self, is_closing: bool) -> Option<ReadyChunk> {
        self.close_full_chunk(is_closing);
        self.ready.pop_front()
    }

    /// Records the location of a written chunk.
    pub fn chunk_written(&mut self, chunk: &ReadyChunk, offset: u64, bytes: usize) {
        self.index.push(offset, bytes, &chunk.first_key);
    }

    /// Keys added.
    pub fn key_count(&self) -> u64 {
        self.key_count
    }

    /// The last key added.
    pub fn last_key(&self) -> &[u8] {
        &self.last_key
    }

    /// The content of the filter's meta block.
    pub fn meta(&self) -> Vec<u8> {
        let comparator = match self.keys {
            BloomKeys::Rows => "",
            BloomKeys::Columns => ROWCOL_COMPARATOR,
        };
        let mut meta = Vec::new();
        meta.extend_from_slice(&META_VERSION.to_be_bytes());
        meta.extend_from_slice(&self.chunk_bytes.to_be_bytes());
        meta.extend_from_slice(&self.shape.hashes.to_be_bytes());
        meta.extend_from_slice(&MURMUR.to_be_bytes());
        meta.extend_from_slice(&self.key_count.to_be_bytes());
        meta.extend_from_slice(&self.max_keys.to_be_bytes());
        meta.extend_from_slice(&(self.index.block_count() as u32).to_be_bytes());
        write_vlong(&mut meta, comparator.len() as i64);
        meta.extend_from_slice(comparator.as_bytes());
        self.index.write_single_level(&mut meta);
        meta
    }
}

/// Halves a chunk while it has less than half of its capacity in keys. The upper half is combined with the lower:
/// bit `p` of `2n` bits becomes bit `p % n`, where a look-up in `n` bits finds it.
fn fold(mut bits: Vec<u8>, mut max_keys: usize, key_count: usize) -> (Vec<u8>, usize) {
    while bits.len().is_multiple_of(2) && max_keys > key_count * 2 {
        let half = bits.len() / 2;
        let (low, high) = bits.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            *low |= *high;
        }
        bits.truncate(half);
        max_keys /= 2;
    }
    (bits, max_keys)
}
