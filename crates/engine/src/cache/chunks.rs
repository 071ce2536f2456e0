//! Memory for the buffers of blocks, in chunks that the kernel may back with huge pages.
//!
//! A get from a large cache touches a few places that are far apart. With pages of 4 KB, the processor must look up the
//! address of nearly each of them. With pages of 2 MB it remembers most addresses.

use crate::sys::advice;
use crate::sys::lock::Mutex;
use bytes::BytesMut;

/// Bytes of a chunk, or an eighth of the cache if that is less. At both ends of a chunk, the pages are small.
const CHUNK_BYTES: usize = 32 << 20;
const SHARE: usize = 8;
/// Smaller chunks would have hardly any huge pages. So a small cache has no chunks: it allocates each buffer separately.
const LEAST_CHUNK_BYTES: usize = 8 << 20;
const PAGE_BYTES: usize = 4 << 10;

/// Cuts chunks into buffers, one chunk after the other. A chunk is freed when the last of its buffers is dropped.
#[derive(Debug)]
pub(super) struct Chunks {
    /// The uncut part of the newest chunk.
    rest: Mutex<BytesMut>,
    /// 0 if each buffer is allocated separately.
    chunk_bytes: usize,
}

impl Chunks {
    /// No chunk yet, for a cache of `limit_bytes`.
    pub fn of_cache(limit_bytes: usize) -> Self {
        let chunk_bytes = (limit_bytes / SHARE).min(CHUNK_BYTES);
        let chunk_bytes = if chunk_bytes < LEAST_CHUNK_BYTES { 0 } else { chunk_bytes };
        Chunks { rest: Mutex::default(), chunk_bytes }
    }

    /// An empty buffer with a capacity of `bytes`.
    pub fn cut(&self, bytes: usize) -> BytesMut {
        if bytes + PAGE_BYTES > self.chunk_bytes {
            return BytesMut::with_capacity(bytes);
        }
        let mut rest = self.rest.lock();
        if rest.capacity() < bytes {
            let mut chunk = BytesMut::with_capacity(self.chunk_bytes);
            advice::prefer_huge(chunk.spare_capacity_mut());
            // A buffer of whole pages can be given back completely.
            let start = chunk.spare_capacity_mut().as_ptr().align_offset(PAGE_BYTES);
            *rest = chunk.split_off(start);
        }
        let after = rest.split_off(bytes);
        std::mem::replace(&mut *rest, after)
    }

    /// Drops a buffer. Its memory goes back to the kernel at once, even if other buffers of its chunk are in use.
    pub fn discard(&self, mut buffer: BytesMut) {
        if self.chunk_bytes > 0 {
            buffer.clear();
            advice::release(buffer.spare_capacity_mut());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_of_a_chunk_are_neighbors_and_keep_their_own_bytes() {
        let chunks = Chunks::of_cache(64 << 20);
        let bytes = 68 << 10;
        let mut buffers: Vec<_> = (0..200).map(|_| chunks.cut(bytes)).collect();
        assert!(buffers.iter().all(|buffer| buffer.capacity() == bytes));
        assert_eq!(buffers[0].as_ptr() as usize + bytes, buffers[1].as_ptr() as usize);
        assert!(buffers.iter().all(|buffer| (buffer.as_ptr() as usize).is_multiple_of(PAGE_BYTES)));
        for (number, buffer) in buffers.iter_mut().enumerate() {
            buffer.resize(bytes, number as u8);
        }
        // 200 buffers need two chunks. A buffer in the middle of the first one goes, the others do not change.
        chunks.discard(buffers.remove(20));
        for (buffer, number) in buffers.iter().zip((0..200).filter(|number| *number != 20)) {
            assert!(buffer.iter().all(|byte| *byte == number as u8), "{number}");
        }
    }

    #[test]
    fn small_caches_and_large_buffers_have_no_chunk() {
        let chunks = Chunks::of_cache(32 << 20);
        let buffer = chunks.cut(68 << 10);
        assert_eq!((buffer.capacity(), chunks.rest.lock().capacity()), (68 << 10, 0));
        chunks.discard(buffer);
        let chunks = Chunks::of_cache(64 << 20);
        assert_eq!((chunks.cut(9 << 20).capacity(), chunks.rest.lock().capacity()), (9 << 20, 0));
    }
}
