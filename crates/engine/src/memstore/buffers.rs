//! The bytes of cells: a tree's, which grow, and those of sealed cells, which several may share.
//!
//! Large cells stay where they arrived when their tree is sealed, and that memory comes back for other trees when the last who has
//! it is done: a cell of a thousand bytes costs more to copy, into pages of memory that are had anew, than to insert.

use crate::sys::lock::Mutex;
use std::ops::Deref;
use std::sync::Arc;

/// The most buffers in stock.
const MOST: usize = 8;
/// A smaller one is as cheap to have anew; a larger one was made for a huge cell.
const KEPT_BYTES: std::ops::RangeInclusive<usize> = (1 << 20)..=(16 << 20);

/// Buffers that nobody needs any more, for trees that come.
#[derive(Debug, Default)]
pub(crate) struct Buffers(Mutex<Stock>);

#[derive(Debug, Default)]
struct Stock {
    buffers: Vec<Vec<u8>>,
    /// The fewest that there were since [`Buffers::age`]: so many nobody needed.
    fewest: usize,
}

impl Buffers {
    /// An empty buffer, maybe with memory.
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

    /// Lets those go that nobody needed since the last time.
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

/// Bytes that nobody changes any more. Their memory goes back to where it came from.
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

/// Bytes of cells: of one owner, who may add some, until they are shared.
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
    /// None yet, in that memory.
    pub(crate) fn within(buffer: Vec<u8>) -> Self {
        CellBytes { own: buffer, shared: None }
    }

    /// Bytes of memory taken.
    pub(crate) fn capacity(&self) -> usize {
        self.shared.as_ref().map_or(self.own.capacity(), |sealed| sealed.bytes.capacity())
    }

    /// To add to them, or give memory back. Shared ones are copied before; nobody adds to those.
    #[inline]
    pub(crate) fn own(&mut self) -> &mut Vec<u8> {
        if let Some(sealed) = self.shared.take() {
            self.own = sealed.bytes.clone();
        }
        &mut self.own
    }

    /// Lets several have them from now on.
    pub(crate) fn share(&mut self, buffers: &Arc<Buffers>) {
        if self.shared.is_none() {
            let bytes = std::mem::take(&mut self.own);
            self.shared = Some(Arc::new(Sealed { bytes, buffers: buffers.clone() }));
        }
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Forgets them; memory that is its own stays.
    pub(crate) fn clear(&mut self) {
        self.shared = None;
        self.own.clear();
    }
}
