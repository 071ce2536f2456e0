//! An open file, shared by all of its readers.

use super::blocks::{Blocks, DataForm, ExpectedBlock};
use super::info::Info;
use super::open::{open, Opened};
use super::path::{Index, IndexPath};
use super::source::HFileSource;
use crate::cache::BlockCache;
use crate::hfile::bloom::BloomFilter;
use crate::hfile::format::file_info::names;
use crate::hfile::format::{BlockType, Damage, Trailer};
use crate::hfile::index::Entries;
use crate::hfile::Digest;
use crate::sys::FileSystem;
use rowstone_model::cell::row_of;
use rowstone_model::{Error, Result};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;

/// Number of samples that identify an external file.
const SAMPLES: u64 = 16;
/// Bytes of a sample.
const SAMPLE_BYTES: u64 = 512;

/// Options for reading a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReaderOptions {
    /// Whether its blocks belong to the cache's IN_MEMORY part.
    pub in_memory: bool,
    /// Sequence id that replaces those of all cells: bulk-loaded files have one. Ignored for a file that says its
    /// cells retain their own.
    pub sequence_id: Option<u64>,
}

/// An open file. Its blocks are dropped from the cache with its last reference.
pub struct Reader {
    blocks: Blocks,
    opened: Opened,
    sequence_id: Option<u64>,
}

impl Reader {
    /// Opens the file at `path` and verifies what it loads: trailer, root index, file info, shapes of Bloom
    /// filters.
    ///
    /// # Errors
    /// `Corruption` if these are damaged; `Unsupported` for an encrypted file, one of `hbase:meta`, one with
    /// encoded index blocks or an unsupported codec; `Io` if it cannot be read.
    pub fn open(
        files: &dyn FileSystem,
        path: &Path,
        cache: Arc<BlockCache>,
        options: ReaderOptions,
    ) -> Result<Arc<Self>> {
        let file = files.open_pooled(path).map_err(|error| Error::io("open", path.display(), &error))?;
        let mut opened = open(file.as_ref(), path)?;
        let sequence_id = options.sequence_id.filter(|_| !opened.info.keeps_sequence_ids);
        opened.info.max_cell_sequence_id = sequence_id.unwrap_or(opened.info.max_cell_sequence_id);
        let info = &opened.info;
        let form =
            DataForm { encoding: info.encoding, layout: info.layout, has_tag_dictionary: info.has_tag_dictionary };
        let (file_id, hits) = cache.register_file(options.in_memory);
        let blocks = Blocks {
            path: path.to_path_buf(),
            file,
            file_id,
            cache,
            in_memory: options.in_memory,
            compression: info.compression,
            checksum: opened.checksum,
            form,
            end: opened.trailer.load_on_open_offset,
            marks_bytes: AtomicUsize::new(0),
            hits,
            misses: AtomicU64::new(0),
        };
        Ok(Arc::new(Reader { blocks, opened, sequence_id }))
    }

    /// The file's properties.
    pub fn info(&self) -> &Info {
        &self.opened.info
    }

    /// CRC32C of all bytes from the load-on-open offset to the end.
    pub fn tail_checksum(&self) -> u32 {
        self.opened.tail_checksum
    }

    /// Refuses another file of the same name and size.
    ///
    /// # Errors
    /// `Corruption` if size, cell count or `digest` differ from the file's.
    pub fn check_named(&self, size_bytes: u64, entry_count: u64, digest: Option<&Digest>) -> Result<()> {
        let (path, info) = (self.path().display(), self.info());
        let (size, cells) = (info.size_bytes, info.entry_count);
        if (size, cells) != (size_bytes, entry_count) {
            let expected = format!("{size_bytes} bytes with {entry_count} cells, as the manifest says");
            return Err(Error::corruption(path, 0, expected, format!("{size} with {cells}: it is another file")));
        }
        let Some(digest) = digest else { return Ok(()) };
        if digest.tail != self.tail_checksum() {
            let at = self.opened.trailer.load_on_open_offset;
            let expected = format!("checksum {:#010x} from here to the end, as the manifest says", digest.tail);
            let found = format!("{:#010x}: it is another file, or damaged", self.tail_checksum());
            return Err(Error::corruption(path, at, expected, found));
        }
        match digest.samples.map(|expected| Ok((expected, self.sample_checksum()?))).transpose()? {
            Some((expected, found)) if expected != found => {
                let expected = format!("checksum {expected:#010x} of samples, as the manifest says");
                Err(Error::corruption(path, 0, expected, format!("{found:#010x}: it is another file, or damaged")))
            }
            _ => Ok(()),
        }
    }

    /// The file's digest. `whole` is the CRC32C of all of its bytes.
    ///
    /// # Errors
    /// `Io`.
    pub fn digest(&self, whole: u32) -> Result<Digest> {
        let says_name = self.info().raw.get(names::OWN_NAME).is_some();
        let samples = (!says_name).then(|| self.sample_checksum()).transpose()?;
        Ok(Digest { tail: self.tail_checksum(), whole, samples })
    }

    /// CRC32C of `SAMPLES` samples spread over the part before the load-on-open offset.
    fn sample_checksum(&self) -> Result<u32> {
        let end = self.opened.trailer.load_on_open_offset;
        let mut buffer = vec![0; SAMPLE_BYTES.min(end) as usize];
        let mut checksum = 0;
        for index in 0..SAMPLES {
            let offset = (end - buffer.len() as u64) / (SAMPLES - 1) * index;
            let read = self.blocks.file.read_at(offset, &mut buffer);
            read.map_err(|error| Error::io("read", self.path().display(), &error))?;
            checksum = crc32c::crc32c_append(checksum, &buffer);
        }
        Ok(checksum)
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.blocks.path
    }

    /// A position before the first cell of the file. With `cache_blocks` the data blocks that it reads are cached.
    pub fn source(self: &Arc<Self>, cache_blocks: bool) -> HFileSource {
        HFileSource::new(Arc::clone(self), cache_blocks)
    }

    /// The index key of the block in the middle of the file, as a candidate for a region split. `None` without
    /// cells.
    pub fn mid_key(&self) -> Result<Option<Vec<u8>>> {
        let Some(mid) = self.opened.mid_key else {
            let root = Entries::of(&self.opened.root);
            return Ok(root.get(root.len() / 2).map(|entry| entry.key.to_vec()));
        };
        let leaf = self.blocks.get(mid.offset, mid.bytes, ExpectedBlock::new(BlockType::LeafIndex, &[]), true)?;
        match Entries::of(&leaf).get(mid.entry) {
            Some(entry) => Ok(Some(entry.key.to_vec())),
            None => {
                Err(Damage::new(format_args!("index entry {}", mid.entry), "fewer").at(&self.blocks.path, mid.offset))
            }
        }
    }

    /// The row with which a block begins that has at least `bytes` bytes of blocks between it and `row`. `None` if the
    /// file ends before.
    pub fn row_of_later_block(&self, row: &[u8], bytes: usize) -> Result<Option<Vec<u8>>> {
        let (index, mut path) = (self.index(), IndexPath::new());
        path.find_row(&index, row)?;
        let mut passed = 0;
        while let Some(entry) = path.entry(&index) {
            let found = row_of(entry.key);
            if passed >= bytes && found > row {
                return Ok(Some(found.to_vec()));
            }
            passed += entry.bytes;
            path.next(&index)?;
        }
        Ok(None)
    }

    /// Bytes of the data index, all levels, before compression.
    pub fn index_bytes(&self) -> u64 {
        self.opened.trailer.uncompressed_index_bytes
    }

    /// Bytes of the Bloom filters.
    pub fn bloom_bytes(&self) -> u64 {
        [self.bloom(), self.delete_bloom()].into_iter().flatten().map(|bloom| bloom.chunk_bytes).sum()
    }

    /// Number of blocks found in the cache, and number of blocks read, since the file was opened.
    pub fn cache_counts(&self) -> (u64, u64) {
        (self.blocks.hits.load(Ordering::Relaxed), self.blocks.misses.load(Ordering::Relaxed))
    }

    /// Drops the file's blocks from the cache; returns their number.
    pub fn evict_blocks(&self) -> u64 {
        self.blocks.evict()
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
