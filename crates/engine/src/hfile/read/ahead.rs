//! Reading ahead in a file: threads load, decompress and decode the blocks that a source will enter next.
//!
//! It begins once a source has entered several blocks in order, so gets and short scans load no blocks that they do
//! not need. It ends at the last row to read. Only idle threads take part. If no thread has begun with a block when the
//! source arrives, the source loads it.

use super::blocks::ExpectedBlock;
use super::path::IndexPath;
use super::reader::Reader;
use crate::cache::CachedBlock;
use crate::hfile::encoding::data_block_type;
use crate::sys::lock::{Condvar, Mutex, MutexGuard};
use crate::sys::Workers;
use rowstone_model::cell::row_of;
use rowstone_model::{Error, Result};
use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// Number of blocks that a source enters in order before the next ones are loaded.
const BLOCKS_IN_ORDER: u32 = 2;
/// Maximum number of blocks that are loaded ahead, and of their bytes in the file. One block is always allowed.
const MOST_BLOCKS: usize = 8;
const MOST_BYTES: usize = 1 << 20;

/// The blocks after the one that a source is in.
pub(super) struct BlocksAhead {
    workers: Arc<Workers>,
    /// The last block of `blocks`.
    path: IndexPath,
    blocks: VecDeque<Arc<BlockAhead>>,
    /// Number of blocks that were entered in order.
    in_order: u32,
    /// The last row that the source is to read, if it is known.
    last_row: Option<Vec<u8>>,
    /// Whether the next block begins behind that row.
    is_behind: bool,
}

/// A block that is loaded once, by a thread or by the source.
struct BlockAhead {
    reader: Arc<Reader>,
    offset: u64,
    bytes: usize,
    first_key: Vec<u8>,
    keeps_block: bool,
    state: Mutex<Loading>,
    done: Condvar,
}

enum Loading {
    /// It waits for a thread.
    Waits,
    /// A thread loads it.
    Runs,
    Done(Result<Arc<CachedBlock>>),
    /// The source has it, or does not need it.
    Over,
}

impl BlocksAhead {
    pub(super) fn new(workers: &Arc<Workers>, last_row: Option<&[u8]>) -> Self {
        BlocksAhead {
            workers: Arc::clone(workers),
            path: IndexPath::new(),
            blocks: VecDeque::new(),
            in_order: 0,
            last_row: last_row.map(<[u8]>::to_vec),
            is_behind: false,
        }
    }

    /// Notes that the source moved to a block that does not follow the last one.
    pub(super) fn reset(&mut self) {
        (self.in_order, self.is_behind) = (0, false);
        self.blocks.drain(..).for_each(|block| block.forget());
    }

    /// The block at `offset`, which follows the last one, if it was to be loaded ahead.
    pub(super) fn take(&mut self, offset: u64) -> Option<Result<Arc<CachedBlock>>> {
        let block = self.blocks.pop_front()?;
        if block.offset == offset {
            return Some(block.block());
        }
        block.forget();
        self.reset();
        None
    }

    /// Has the blocks after `path`, which the source entered in order, loaded.
    pub(super) fn go_on(&mut self, reader: &Arc<Reader>, path: &IndexPath, keeps_blocks: bool) {
        self.in_order = self.in_order.saturating_add(1);
        if self.in_order < BLOCKS_IN_ORDER || self.is_behind {
            return;
        }
        if self.blocks.is_empty() {
            self.path = path.clone();
        }
        let most = (self.workers.count() + 1).min(MOST_BLOCKS);
        let mut bytes: usize = self.blocks.iter().map(|block| block.bytes).sum();
        while self.blocks.len() < most && (bytes < MOST_BYTES || self.blocks.is_empty()) {
            let index = reader.index();
            // The source meets the same error when it moves there.
            if self.path.next(&index).is_err() {
                return self.path.clear();
            }
            let Some(entry) = self.path.entry(&index) else { return };
            self.is_behind = self.last_row.as_deref().is_some_and(|last| row_of(entry.key) > last);
            if self.is_behind {
                return;
            }
            bytes += entry.bytes;
            let cached = reader.blocks().cached(entry.offset);
            let is_cached = cached.is_some();
            let block = Arc::new(BlockAhead {
                reader: Arc::clone(reader),
                offset: entry.offset,
                bytes: entry.bytes,
                first_key: entry.key.to_vec(),
                keeps_block: keeps_blocks,
                state: Mutex::new(cached.map_or(Loading::Waits, |block| Loading::Done(Ok(block)))),
                done: Condvar::new(),
            });
            self.blocks.push_back(Arc::clone(&block));
            if !is_cached && !self.workers.submit_if_idle(Box::new(move || block.run())) {
                return;
            }
        }
    }
}

impl Drop for BlocksAhead {
    fn drop(&mut self) {
        self.reset();
    }
}

impl BlockAhead {
    fn load(&self) -> Result<Arc<CachedBlock>> {
        let wanted = ExpectedBlock::new(data_block_type(self.reader.info().encoding), &self.first_key);
        self.reader.blocks().get(self.offset, self.bytes, wanted, self.keeps_block)
    }

    /// The work of a thread.
    fn run(&self) {
        let mut state = self.state.lock();
        if !matches!(*state, Loading::Waits) {
            return;
        }
        *state = Loading::Runs;
        let load = || catch_unwind(AssertUnwindSafe(|| self.load()));
        let block = MutexGuard::unlocked(&mut state, load);
        if matches!(*state, Loading::Runs) {
            *state = Loading::Done(block.unwrap_or_else(|_| Err(panicked())));
            self.done.notify_all();
        }
    }

    /// The block: loaded here, unless a thread has begun to.
    fn block(&self) -> Result<Arc<CachedBlock>> {
        let mut state = self.state.lock();
        while matches!(*state, Loading::Runs) {
            self.done.wait(&mut state);
        }
        let found = std::mem::replace(&mut *state, Loading::Over);
        drop(state);
        match found {
            Loading::Done(block) => block,
            _ => self.load(),
        }
    }

    fn forget(&self) {
        *self.state.lock() = Loading::Over;
    }
}

fn panicked() -> Error {
    Error::internal("loading a block panicked; please report it")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::cache::BlockCache;
    use crate::hfile::{FileFacts, ReaderOptions, Writer, WriterOptions};
    use crate::sys::MemoryFileSystem;
    use rowstone_model::cell::{flat_key, Cell, CellType};
    use std::path::Path;

    /// A file with the rows `0` to `9`, each in a block of its own.
    fn ten_blocks() -> Arc<Reader> {
        let (files, path) = (MemoryFileSystem::new(), Path::new("/file"));
        let options = WriterOptions { block_bytes: 1, ..WriterOptions::default() };
        let mut writer = Writer::create(&files, path, options).unwrap();
        for row in 0..10 {
            let key = flat_key(row.to_string().as_bytes(), b"f", b"q", 1, CellType::Put);
            writer.append(&Cell::new(&key, b"v", &[], 1).unwrap()).unwrap();
        }
        writer.finish(&FileFacts::default()).unwrap();
        Reader::open(&files, path, Arc::new(BlockCache::new(1 << 20)), ReaderOptions::default()).unwrap()
    }

    #[test]
    fn no_block_behind_the_last_row_is_loaded() {
        let (reader, workers) = (ten_blocks(), Arc::new(Workers::new(2)));
        let blocks_after_row_2 = |last_row: Option<&[u8]>| {
            let (mut ahead, mut path) = (BlocksAhead::new(&workers, last_row), IndexPath::new());
            path.first(&reader.index()).unwrap();
            for _ in 0..BLOCKS_IN_ORDER {
                path.next(&reader.index()).unwrap();
                ahead.go_on(&reader, &path, true);
            }
            ahead.blocks.len()
        };
        assert_eq!(blocks_after_row_2(Some(b"2")), 0);
        assert_eq!(blocks_after_row_2(Some(b"3")), 1);
        assert!(blocks_after_row_2(None) >= 1);
    }
}
