//! Index writer: collects entries while a file is written, and turns them into blocks. Source:
//! `HFileBlockIndex.BlockIndexWriter`.
//!
//! Leaf blocks go between the data blocks as they fill up; intermediate blocks and the root after the last data
//! block.

use super::table::ENTRY_HEAD_BYTES;
use rowstone_model::codec::{vlong_len, write_vlong};

/// HBase only adds a level above this many root entries (`hfile.index.block.min.entries`).
const MIN_ENTRIES: usize = 16;
const MAX_LEVELS: u32 = 16;

/// Entries of one index block being built.
#[derive(Debug, Default)]
struct Chunk {
    /// Entries in non-root form, one after the other.
    bytes: Vec<u8>,
    starts: Vec<u32>,
    root_bytes: usize,
}

impl Chunk {
    fn push(&mut self, offset: u64, bytes: usize, key: &[u8]) {
        self.starts.push(self.bytes.len() as u32);
        self.bytes.extend_from_slice(&offset.to_be_bytes());
        self.bytes.extend_from_slice(&(bytes as u32).to_be_bytes());
        self.bytes.extend_from_slice(key);
        self.root_bytes += ENTRY_HEAD_BYTES + vlong_len(key.len() as i64) + key.len();
    }

    fn len(&self) -> usize {
        self.starts.len()
    }

    fn entry(&self, index: usize) -> (&[u8], &[u8]) {
        let end = self.starts.get(index + 1).map_or(self.bytes.len(), |&start| start as usize);
        self.bytes[self.starts[index] as usize..end].split_at(ENTRY_HEAD_BYTES)
    }

    fn first_key(&self) -> &[u8] {
        if self.starts.is_empty() {
            return &[];
        }
        self.entry(0).1
    }

    fn nonroot_bytes(&self) -> usize {
        4 * (self.len() + 2) + self.bytes.len()
    }

    fn nonroot_payload(&self) -> Vec<u8> {
        let mut payload = Vec::with_capacity(self.nonroot_bytes());
        payload.extend_from_slice(&(self.len() as u32).to_be_bytes());
        for start in &self.starts {
            payload.extend_from_slice(&start.to_be_bytes());
        }
        payload.extend_from_slice(&(self.bytes.len() as u32).to_be_bytes());
        payload.extend_from_slice(&self.bytes);
        payload
    }

    fn write_root(&self, out: &mut Vec<u8>) {
        for index in 0..self.len() {
            let (head, key) = self.entry(index);
            out.extend_from_slice(head);
            write_vlong(out, key.len() as i64);
            out.extend_from_slice(key);
        }
    }
}

/// An index block to be written now: its payload, and its key in the level above.
#[derive(Debug)]
pub struct ReadyBlock {
    /// Its payload.
    pub payload: Vec<u8>,
    /// Its first key.
    pub first_key: Vec<u8>,
}

/// The index of one kind of block: data blocks, or chunks of a Bloom filter (which only have a root).
#[derive(Debug)]
pub struct IndexWriter {
    block_bytes: usize,
    leaf: Chunk,
    root: Chunk,
    /// For each root entry, while it refers to leaf blocks: the number of data blocks up to its end.
    blocks_up_to: Vec<usize>,
    block_count: usize,
    levels: u32,
    /// Payload bytes of all blocks so far.
    payload_bytes: usize,
}

impl IndexWriter {
    /// An empty index whose blocks are closed at `block_bytes`.
    pub fn new(block_bytes: usize) -> Self {
        IndexWriter {
            block_bytes: block_bytes.max(1),
            leaf: Chunk::default(),
            root: Chunk::default(),
            blocks_up_to: Vec::new(),
            block_count: 0,
            levels: 1,
            payload_bytes: 0,
        }
    }

    /// Adds a block to the lowest level.
    pub fn push(&mut self, offset: u64, bytes: usize, key: &[u8]) {
        self.leaf.push(offset, bytes, key);
        self.block_count += 1;
    }

    /// A leaf block that is full or, with `is_closing`, the last one. It must be written and then passed to
    /// [`IndexWriter::leaf_written`]. An index that never had a leaf becomes its own root.
    pub fn ready_leaf(&mut self, is_closing: bool) -> Option<ReadyBlock> {
        if self.leaf.len() == 0 {
            return None;
        }
        let is_full = self.leaf.nonroot_bytes() >= self.block_bytes;
        if is_full || (is_closing && self.root.len() > 0) {
            let leaf = std::mem::take(&mut self.leaf);
            return Some(ReadyBlock { payload: leaf.nonroot_payload(), first_key: leaf.first_key().to_vec() });
        }
        if is_closing {
            self.root = std::mem::take(&mut self.leaf);
        }
        None
    }

    /// Records the location of a written leaf block.
    pub fn leaf_written(&mut self, block: &ReadyBlock, offset: u64, bytes: usize) {
        self.payload_bytes += block.payload.len();
        self.root.push(offset, bytes, &block.first_key);
        self.blocks_up_to.push(self.block_count);
        self.levels = 2;
    }

    /// Writes intermediate levels through `write`, which returns a block's location, and returns the root's
    /// payload. No leaf may be left: [`IndexWriter::ready_leaf`] must have been called with `is_closing`.
    pub fn finish<E>(&mut self, mut write: impl FnMut(&[u8]) -> Result<(u64, usize), E>) -> Result<Vec<u8>, E> {
        let mid_key = self.mid_key();
        while self.root.root_bytes > self.block_bytes && self.root.len() > MIN_ENTRIES && self.levels < MAX_LEVELS {
            let level = std::mem::take(&mut self.root);
            let mut chunk = Chunk::default();
            for index in 0..level.len() {
                let (head, key) = level.entry(index);
                let (offset, bytes) = head.split_at(8);
                let number = |bytes: &[u8]| bytes.iter().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
                chunk.push(number(offset), number(bytes) as usize, key);
                // As in HBase, the entry's number in its level counts, not that in its block.
                let is_last = index + 1 == level.len();
                if is_last || (index >= MIN_ENTRIES && chunk.root_bytes >= self.block_bytes) {
                    let payload = chunk.nonroot_payload();
                    let (offset, bytes) = write(&payload)?;
                    self.payload_bytes += payload.len();
                    self.root.push(offset, bytes, chunk.first_key());
                    chunk = Chunk::default();
                }
            }
            self.levels += 1;
        }
        let mut payload = Vec::with_capacity(self.root.root_bytes + mid_key.len());
        self.root.write_root(&mut payload);
        payload.extend_from_slice(&mid_key);
        self.payload_bytes += payload.len();
        Ok(payload)
    }

    /// The record that names the middle data block, empty with one level.
    fn mid_key(&self) -> Vec<u8> {
        if self.levels == 1 {
            return Vec::new();
        }
        let middle = self.block_count.saturating_sub(1) / 2;
        let leaf = self.blocks_up_to.partition_point(|&count| count <= middle).min(self.root.len() - 1);
        let before = leaf.checked_sub(1).map_or(0, |previous| self.blocks_up_to[previous]);
        let mut record = self.root.entry(leaf).0.to_vec();
        record.extend_from_slice(&((middle - before) as u32).to_be_bytes());
        record
    }

    /// Number of levels, including the root.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// Number of entries of the root.
    pub fn root_len(&self) -> usize {
        self.root.len()
    }

    /// Payload bytes of all index blocks, including the root.
    pub fn payload_bytes(&self) -> usize {
        self.payload_bytes
    }

    /// All entries in root form, for an index that is written as part of another block.
    pub fn write_single_level(&self, out: &mut Vec<u8>) {
        self.leaf.write_root(out);
    }

    /// Number of blocks in the index.
    pub fn block_count(&self) -> usize {
        self.block_count
    }
}
