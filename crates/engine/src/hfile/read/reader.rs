//! An open file, shared by all who read it.

use super::blocks::{Blocks, DataForm, Wanted};
use super::info::Info;
use super::open::{open, Opened};
use super::path::Index;
use super::source::HFileSource;
use crate::cache::BlockCache;
use crate::hfile::bloom::BloomFilter;
use crate::hfile::format::{BlockType, Damage, Trailer};
use crate::hfile::index::Entries;
use crate::sys::FileSystem;
use rowstone_model::{Error, Result};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// How a file is to be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReaderOptions {
    /// Whether its blocks stay in the cache before those of others.
    pub in_memory: bool,
    /// The sequence id that all its cells read as, in place of their own: bulk-loaded files have one. A file that says that
    /// its cells keep theirs has none all the same.
    pub sequence_id: Option<u64>,
}

/// An open file. Its blocks leave the cache when the last reference goes.
pub struct Reader {
    blocks: Blocks,
    opened: Opened,
    sequence_id: Option<u64>,
}

impl Reader {
    /// Opens the file at `path` and checks what it loads: trailer, root index, file info, shapes of Bloom filters.
    ///
    /// # Errors
    /// `Corruption` where these are damaged; `Unsupported` for an encrypted file, one of `hbase:meta`, one with encoded index
    /// blocks or a codec that we do not have; `Io` where it cannot be read.
    pub fn open(
        files: &dyn FileSystem,
        path: &Path,
        cache: Arc<BlockCache>,
        options: ReaderOptions,
    ) -> Result<Arc<Self>> {
        let file = files.open(path).map_err(|error| Error::io("open", path.display(), &error))?;
        let mut opened = open(file.as_ref(), path)?;
        let sequence_id = options.sequence_id.filter(|_| !opened.info.keeps_sequence_ids);
        opened.info.max_cell_sequence_id = sequence_id.unwrap_or(opened.info.max_cell_sequence_id);
        let info = &opened.info;
        let form =
            DataForm { encoding: info.encoding, layout: info.layout, has_tag_dictionary: info.has_tag_dictionary };
        let blocks = Blocks {
            path: path.to_path_buf(),
            file,
            file_id: cache.register_file(options.in_memory),
            cache,
            in_memory: options.in_memory,
            compression: info.compression,
            checksum: opened.checksum,
            form,
            end: opened.trailer.load_on_open_offset,
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        };
        Ok(Arc::new(Reader { blocks, opened, sequence_id }))
    }

    /// What the file says of itself.
    pub fn info(&self) -> &Info {
        &self.opened.info
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.blocks.path
    }

    /// A position in the file, before its first cell. With `cache_blocks` the data blocks it reads stay in the cache.
    pub fn source(self: &Arc<Self>, cache_blocks: bool) -> HFileSource {
        HFileSource::new(Arc::clone(self), cache_blocks)
    }

    /// The index key of the block in the middle of the file: where a region would be split. `None` without cells.
    pub fn mid_key(&self) -> Result<Option<Vec<u8>>> {
        let Some(mid) = self.opened.mid_key else {
            let root = Entries::of(&self.opened.root);
            return Ok(root.get(root.len() / 2).map(|entry| entry.key.to_vec()));
        };
        let leaf = self.blocks.get(mid.offset, mid.bytes, Wanted::new(BlockType::LeafIndex, &[]), true)?;
        match Entries::of(&leaf).get(mid.entry) {
            Some(entry) => Ok(Some(entry.key.to_vec())),
            None => {
                Err(Damage::new(format_args!("index entry {}", mid.entry), "fewer").at(&self.blocks.path, mid.offset))
            }
        }
    }

    /// Bytes of the data index, all levels, before compression.
    pub fn index_bytes(&self) -> u64 {
        self.opened.trailer.uncompressed_index_bytes
    }

    /// Bytes of the Bloom filters.
    pub fn bloom_bytes(&self) -> u64 {
        [self.bloom(), self.delete_bloom()].into_iter().flatten().map(|bloom| bloom.chunk_bytes).sum()
    }

    /// How many blocks were asked for and found in the cache, and how many were read, since the file was opened.
    pub fn cache_counts(&self) -> (u64, u64) {
        (self.blocks.hits.load(Ordering::Relaxed), self.blocks.misses.load(Ordering::Relaxed))
    }

    pub(super) fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    pub(super) fn index(&self) -> Index<'_> {
        Index {
            blocks: &self.blocks,
            root: &self.opened.root,
            levels: self.opened.trailer.index_levels,
            at_once: false,
        }
    }

    pub(super) fn sequence_id(&self) -> Option<u64> {
        self.sequence_id
    }

    pub(in crate::hfile) fn trailer(&self) -> &Trailer {
        &self.opened.trailer
    }

    pub(in crate::hfile) fn bloom(&self) -> Option<&BloomFilter> {
        self.opened.bloom.as_ref()
    }

    pub(in crate::hfile) fn delete_bloom(&self) -> Option<&BloomFilter> {
        self.opened.delete_bloom.as_ref()
    }
}
