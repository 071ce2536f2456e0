//! Cache of the segments of all files of a location, of bounded size.
//!
//! Segments of a file never overlap. A sequential reader's segments are marked once they are read to the end, and
//! evicted first: the engine caches blocks itself, so they are rarely read twice. Others are evicted in the order of
//! their last use. Segments on their way are never evicted; reading ahead may fill only half of the cache with segments
//! that were not read yet, so that many sequential readers do not evict each other's.

use crate::segment::Segment;
use rowstone_engine::sys::lock::Mutex;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// Number of an open file in the cache.
pub type FileId = u64;

/// Time of the last use; segments that were read to the end come before all others.
type Age = (bool, u64);

struct Slot {
    segment: Arc<Segment>,
    age: Age,
    /// Read ahead, and not requested yet.
    is_unread: bool,
}

/// Segments of one file, by their first byte.
#[derive(Default)]
struct Segments {
    slots: BTreeMap<u64, Slot>,
    unread_bytes: u64,
}

#[derive(Default)]
struct Inner {
    files: HashMap<FileId, Segments>,
    by_age: BTreeMap<Age, (FileId, u64)>,
    bytes: u64,
    unread_bytes: u64,
    /// Files with unread segments.
    readers: u64,
    clock: u64,
    next_file: FileId,
}

/// Segments of all files.
pub struct Cache {
    capacity: u64,
    inner: Mutex<Inner>,
}

/// Result of [`Cache::get_or_claim`].
pub enum Claim {
    /// The segment with the requested offset is in memory or on its way.
    Found(Arc<Segment>),
    /// The caller must read this segment.
    Claimed(Arc<Segment>),
}

/// Result of [`Cache::claim_ahead`].
pub enum Ahead {
    /// The caller must read this segment.
    Claimed(Arc<Segment>),
    /// All of the range is in memory or on its way.
    Covered,
    /// Half of the cache was read ahead and not requested yet.
    Full,
}

impl Cache {
    /// An empty cache of at most `capacity` bytes.
    pub fn new(capacity: u64) -> Self {
        Cache { capacity, inner: Mutex::new(Inner::default()) }
    }

    /// A number for a file.
    pub fn add_file(&self) -> FileId {
        let mut inner = self.inner.lock();
        inner.next_file += 1;
        inner.next_file
    }

    /// Adds bytes that were read together with the opening of a file.
    pub fn add(&self, file: FileId, segment: Segment) {
        if segment.length() > 0 {
            let mut inner = self.inner.lock();
            inner.insert(file, Arc::new(segment), false);
            inner.evict(self.capacity);
        }
    }

    /// The segment that contains `range.start`. If there is none, a new one for `range`, which ends where the next
    /// segment begins.
    pub fn get_or_claim(&self, file: FileId, range: Range<u64>) -> Claim {
        let mut inner = self.inner.lock();
        if let Some(found) = inner.find(file, range.start) {
            inner.touch(file, found.range.start, false);
            return Claim::Found(found);
        }
        Claim::Claimed(inner.claim(file, range, false, self.capacity))
    }

    /// Claims the first part of `range` that is not in the cache, in order to read it ahead.
    pub fn claim_ahead(&self, file: FileId, range: Range<u64>) -> Ahead {
        let length = range.end;
        self.claim_at_least(file, range, 0, length)
    }

    /// The same. The part has `shortest` bytes or more, unless the file, of `length` bytes, or the gap between segments ends
    /// before.
    pub fn claim_at_least(&self, file: FileId, mut range: Range<u64>, shortest: u64, length: u64) -> Ahead {
        let mut inner = self.inner.lock();
        while let (false, Some(found)) = (range.is_empty(), inner.find(file, range.start)) {
            range.start = found.range.end;
        }
        if range.is_empty() {
            return Ahead::Covered;
        }
        range.end = range.end.max(range.start.saturating_add(shortest)).min(length);
        if inner.unread_bytes + (range.end - range.start) > self.capacity / 2 {
            return Ahead::Full;
        }
        Ahead::Claimed(inner.claim(file, range, true, self.capacity))
    }

    /// The segment that contains `offset`, in memory or on its way.
    pub fn get(&self, file: FileId, offset: u64) -> Option<Arc<Segment>> {
        let mut inner = self.inner.lock();
        let found = inner.find(file, offset)?;
        inner.touch(file, found.range.start, false);
        Some(found)
    }

    /// Marks a segment as read to its end by a sequential reader.
    pub fn mark_read(&self, file: FileId, segment: &Segment) {
        self.inner.lock().touch(file, segment.range.start, true);
    }

    /// Removes a segment that could not be read, unless another one has its place already.
    pub fn remove(&self, file: FileId, segment: &Arc<Segment>) {
        let mut inner = self.inner.lock();
        let is_there = inner.find(file, segment.range.start).is_some_and(|found| Arc::ptr_eq(&found, segment));
        if is_there {
            inner.remove(file, segment.range.start);
        }
    }

    /// Bytes that a reader of `file` may have ahead, so that all readers together fill half of the cache.
    pub fn share(&self, file: FileId) -> u64 {
        let inner = self.inner.lock();
        let is_new = inner.files.get(&file).is_none_or(|segments| segments.unread_bytes == 0);
        self.capacity / 2 / (inner.readers + u64::from(is_new)).max(1)
    }

    /// Removes all segments of a file.
    pub fn remove_file(&self, file: FileId) {
        let mut inner = self.inner.lock();
        let segments = inner.files.get(&file);
        let starts: Vec<u64> = segments.map(|segments| segments.slots.keys().copied().collect()).unwrap_or_default();
        for start in starts {
            inner.remove(file, start);
        }
        inner.files.remove(&file);
    }

    /// Bytes of all segments, with those on their way.
    pub fn bytes(&self) -> u64 {
        self.inner.lock().bytes
    }
}

impl Inner {
    fn find(&self, file: FileId, offset: u64) -> Option<Arc<Segment>> {
        let (_, slot) = self.files.get(&file)?.slots.range(..=offset).next_back()?;
        (offset < slot.segment.range.end).then(|| Arc::clone(&slot.segment))
    }

    fn claim(&mut self, file: FileId, range: Range<u64>, is_unread: bool, capacity: u64) -> Arc<Segment> {
        let next = self.files.get(&file).and_then(|segments| Some(*segments.slots.range(range.start..).next()?.0));
        let segment = Arc::new(Segment::loading(range.start..range.end.min(next.unwrap_or(u64::MAX))));
        self.insert(file, Arc::clone(&segment), is_unread);
        self.evict(capacity);
        segment
    }

    fn insert(&mut self, file: FileId, segment: Arc<Segment>, is_unread: bool) {
        let (start, length) = (segment.range.start, segment.length());
        self.clock += 1;
        let age = (true, self.clock);
        self.by_age.insert(age, (file, start));
        let segments = self.files.entry(file).or_default();
        segments.slots.insert(start, Slot { segment, age, is_unread });
        self.bytes += length;
        if is_unread {
            self.readers += u64::from(segments.unread_bytes == 0);
            segments.unread_bytes += length;
            self.unread_bytes += length;
        }
    }

    /// Counts a segment of `file` that is no longer unread.
    fn forget_unread(&mut self, file: FileId, length: u64) {
        if let Some(segments) = self.files.get_mut(&file) {
            segments.unread_bytes -= length;
            self.unread_bytes -= length;
            self.readers -= u64::from(segments.unread_bytes == 0);
        }
    }

    /// Sets the age of a segment to now, or before all others if it `is_done`.
    fn touch(&mut self, file: FileId, start: u64, is_done: bool) {
        let Some(slot) = self.files.get_mut(&file).and_then(|segments| segments.slots.get_mut(&start)) else { return };
        self.by_age.remove(&slot.age);
        self.clock += 1;
        slot.age = (!is_done, self.clock);
        self.by_age.insert(slot.age, (file, start));
        if std::mem::take(&mut slot.is_unread) {
            let length = slot.segment.length();
            self.forget_unread(file, length);
        }
    }

    fn remove(&mut self, file: FileId, start: u64) {
        let Some(slot) = self.files.get_mut(&file).and_then(|segments| segments.slots.remove(&start)) else { return };
        self.by_age.remove(&slot.age);
        self.bytes -= slot.segment.length();
        if slot.is_unread {
            self.forget_unread(file, slot.segment.length());
        }
    }

    fn evict(&mut self, capacity: u64) {
        while self.bytes > capacity {
            let is_evictable = |(file, start): &(FileId, u64)| {
                let slot = self.files.get(file).and_then(|segments| segments.slots.get(start));
                slot.is_some_and(|slot| !slot.segment.is_loading())
            };
            let Some((file, start)) = self.by_age.values().find(|place| is_evictable(place)).copied() else { return };
            self.remove(file, start);
        }
    }
}
