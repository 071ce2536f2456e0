//! Bytes of cells: those of a tree, which grow, and those of sealed cells, which may have several owners.
//!
//! When a tree of large cells is sealed, the cells are not moved. Their memory is recycled for other trees when its
//! last owner is dropped. Copying a cell of a thousand bytes into newly allocated pages costs more than inserting
//! it.

use crate::sys::lock::Mutex;
use std::ops::Deref;
use std::sync::Arc;

/// Maximum number of buffers in stock.
const MOST: usize = 8;
/// Sizes worth recycling. A smaller buffer is as cheap to allocate; a larger one was allocated for a huge cell.
const KEPT_BYTES: std::ops::RangeInclusive<usize> = (1 << 20)..=(16 << 20);

/// Unused buffers for new trees.
#[derive(Debug, Default)]
pub(crate) struct Buffers(Mutex<Stock>);

#[derive(Debug, Default)]
struct Stock {
    buffers: Vec<Vec<u8>>,
    /// The smallest number in stock since [`Buffers::age`]: that many were not needed.
    fewest: usize,
}

impl Buffers {
    /// An empty buffer, possibly with allocated memory.
    pub(super) fn take(&self) -> Vec<u8> {
        let mut stock = self.0.lock();
        let buffer = stock.buffers.pop().unwrap_or_default();
        stock.fewest = stock.fewest.min(stock.buffers.len());
        buffer
    }

    fn give(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        let mut stock = self.0.lock();
        if stock.buffers.len() < MOST && KEPT_BYTES.contains(&buffer.capacity()) {
            stock.buffers.push(buffer);
        }
    }

    /// Frees the buffers that were not needed since the last call.
    pub(super) fn age(&self) {
        let mut stock = self.0.lock();
        let kept = stock.buffers.len() - stock.fewest.min(stock.buffers.len());
        let idle = stock.buffers.split_off(kept);
        stock.fewest = stock.buffers.len();
        drop(stock);
        // Freeing megabytes takes a while, so it happens without the lock.
        drop(idle);
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.0.lock().buffers.len()
    }
}

/// Immutable bytes. Their memory returns to the stock it came from.
#[derive(Debug)]
pub(crate) struct Sealed {
    bytes: Vec<u8>,
    buffers: Arc<Buffers>,
}

impl Drop for Sealed {
    fn drop(&mut self) {
        self.buffers.give(std::mem::take(&mut self.bytes));
    }
}

/// Bytes of cells. They have one owner, who may append, until they are shared.
#[derive(Debug, Clone, Default)]
pub(crate) struct CellBytes {
    own: Vec<u8>,
    shared: Option<Arc<Sealed>>,
}

impl Deref for CellBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.shared {
            None => &self.own,
            Some(sealed) => &sealed.bytes,
        }
    }
}

impl CellBytes {
    /// No bytes yet, with the memory of `buffer`.
    pub(crate) fn within(buffer: Vec<u8>) -> Self {
        CellBytes { own: buffer, shared: None }
    }

    /// Bytes of allocated memory.
    pub(crate) fn capacity(&self) -> usize {
        self.shared.as_ref().map_or(self.own.capacity(), |sealed| sealed.bytes.capacity())
    }

    /// Mutable access, to append or to free memory. Shared bytes are copied first; nothing appends to those.
    #[inline]
    pub(crate) fn own(&mut self) -> &mut Vec<u8> {
        if let Some(sealed) = self.shared.take() {
            self.own = sealed.bytes.clone();
        }
        &mut self.own
    }

    /// Makes the bytes shareable from now on.
    pub(crate) fn share(&mut self, buffers: &Arc<Buffers>) {
        if self.shared.is_none() {
            let bytes = std::mem::take(&mut self.own);
            self.shared = Some(Arc::new(Sealed { bytes, buffers: buffers.clone() }));
        }
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Removes the bytes; memory that is not shared is retained.
    pub(crate) fn clear(&mut self) {
        self.shared = None;
        self.own.clear();
    }
}
