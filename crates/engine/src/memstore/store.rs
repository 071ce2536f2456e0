//! Public interface of the memstore: writes, readers, snapshots.

use super::batch::sort_batch;
use super::buffers::Buffers;
use super::flat::{stored_len, Flat};
use super::list::{Segment, SegmentList};
use super::merged::SnapshotSource;
use super::size::{MemstoreSize, MemstoreSummary, Stats};
use super::tree::SharedTree;
use super::view::View;
use crate::sys::lock::{Mutex, MutexGuard};
use crate::sys::Clock;
use arc_swap::{ArcSwap, Guard};
use rowstone_model::cell::Cell;
use std::sync::Arc;

/// Limits at which the active tree is frozen, whichever comes first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) bytes: usize,
    pub(super) cells: usize,
}

/// Small enough for the caches, large enough that few segments make a memstore.
pub(super) const LIMITS: Limits = Limits { bytes: 4 << 20, cells: 64 * 1024 };
/// Number of cells inserted before readers of the active tree get a chance.
const CELLS_PER_LOCK: usize = 256;
/// Maximum bytes of one write in one sealed segment, whose offsets are 32 bits wide.
const SEALED_BATCH_BYTES: usize = 1 << 30;

/// The recent cells of one store: one writer at a time, any number of readers. It also holds the store's `files`, so that
/// readers see both at one moment: a flush replaces its snapshot by a file at once.
///
/// ```
/// use rowstone_engine::{memstore::Memstore, sys::SystemClock};
/// use rowstone_model::cell::{first_on_row, CellBuffer, CellParts, CellSource, CellType};
/// use std::sync::Arc;
///
/// let mut cells = CellBuffer::new();
/// let (family, tags) = (b"f".as_slice(), b"".as_slice());
/// let cell_type = CellType::Put;
/// cells.push(CellParts { row: b"r", family, qualifier: b"q", timestamp: 1, cell_type, value: b"v", tags });
///
/// let memstore = Memstore::new(Arc::new(SystemClock));
/// memstore.insert(&cells, 7);
/// let mut sources: Vec<rowstone_engine::memstore::MemstoreSource> = Vec::new();
/// memstore.view().sources(7, Some(b"r"), &mut sources);
/// sources[0].seek(&first_on_row(b"r")).unwrap();
/// assert_eq!(sources[0].peek().unwrap().value(), b"v");
/// ```
pub struct Memstore<F = ()> {
    pub(super) limits: Limits,
    clock: Arc<dyn Clock>,
    /// Locked while inserting or freezing, before `publishing`.
    writer: Mutex<Arc<SharedTree>>,
    /// The segments that readers see; they load it without a lock.
    list: ArcSwap<SegmentList<F>>,
    /// Locked while the list is replaced by one derived from it.
    publishing: Mutex<()>,
    /// Locked while flattening and merging, before `publishing`, never together with `writer`.
    pub(super) maintenance: Mutex<()>,
    /// An empty tree whose memory was used before.
    spare: Mutex<Option<SharedTree>>,
    /// Memory of large cells that were flushed.
    pub(super) buffers: Arc<Buffers>,
}

impl Memstore {
    /// Creates an empty memstore without files. The clock determines the age of the oldest write.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self::over((), clock)
    }
}

impl<F: Clone> Memstore<F> {
    /// Creates an empty memstore over `files`.
    pub fn over(files: F, clock: Arc<dyn Clock>) -> Self {
        Self::with_limits(files, clock, LIMITS)
    }

    pub(super) fn with_limits(files: F, clock: Arc<dyn Clock>, limits: Limits) -> Self {
        let active = Arc::new(SharedTree::default());
        Memstore {
            limits,
            clock,
            writer: Mutex::new(active.clone()),
            list: ArcSwap::from_pointee(SegmentList::new(active, Vec::new(), Vec::new(), files)),
            publishing: Mutex::new(()),
            maintenance: Mutex::new(()),
            spare: Mutex::new(None),
            buffers: Arc::default(),
        }
    }

    /// Adds the cells of one write, in any order, all with `sequence_id` (their own are ignored). Of two cells with
    /// the same key the later stays, even if the earlier came in an earlier call with the same `sequence_id`.
    ///
    /// Readers may see its cells at once if their read point allows: see the module's invariants.
    ///
    /// Returns whether it sealed a segment: another thread should call [`Memstore::merge_segments`] soon.
    pub fn insert<'a>(&self, cells: impl IntoIterator<Item = Cell<'a>>, sequence_id: u64) -> bool {
        let mut cells = cells.into_iter().map(|cell| cell.with_sequence_id(sequence_id));
        let Some(first) = cells.next() else { return false };
        let Some(second) = cells.next() else { return self.insert_sorted(&[first]) };
        let mut batch = Vec::with_capacity(2 + cells.size_hint().0);
        batch.extend([first, second]);
        batch.extend(cells);
        self.insert_sorted(&sort_batch(batch))
    }

    fn insert_sorted(&self, cells: &[Cell<'_>]) -> bool {
        let mut writer = self.writer.lock();
        let Limits { bytes, cells: count } = self.limits;
        let froze = if cells.len() >= count || cells.iter().map(stored_len).sum::<usize>() >= bytes {
            self.insert_sealed(&mut writer, cells);
            true
        } else if self.insert_active(&writer, cells) {
            self.freeze(&mut writer, |active, list| {
                SegmentList::new(active, list.with_frozen(), list.snapshot.clone(), list.files.clone())
            });
            true
        } else {
            false
        };
        drop(writer);
        if froze {
            self.help();
        }
        froze
    }

    /// Inserts `cells` into the active tree. Returns whether the tree is now full.
    fn insert_active(&self, active: &SharedTree, cells: &[Cell<'_>]) -> bool {
        let mut hint = usize::MAX;
        for cells in cells.chunks(CELLS_PER_LOCK) {
            hint = active.insert(cells, hint, || self.clock.now_ms());
        }
        let tree = active.read();
        tree.arrived_bytes() >= self.limits.bytes || tree.stats().cells >= self.limits.cells
    }

    /// Builds sealed segments directly from a large write: it is already sorted, and a tree would only slow it
    /// down.
    fn insert_sealed(&self, writer: &mut MutexGuard<'_, Arc<SharedTree>>, cells: &[Cell<'_>]) {
        let mut flats = Vec::new();
        let mut rest = cells;
        while !rest.is_empty() {
            let mut bytes = 0;
            let fits = rest.iter().take_while(|cell| {
                bytes += stored_len(cell);
                bytes <= SEALED_BATCH_BYTES
            });
            let (now, later) = rest.split_at(fits.count().max(1));
            flats.push(Segment::Flat(Arc::new(Flat::from_cells(now.iter().copied(), self.clock.now_ms()))));
            rest = later;
        }
        self.freeze(writer, |active, list| {
            let sealed = flats.into_iter().chain(list.with_frozen()).collect();
            SegmentList::new(active, sealed, list.snapshot.clone(), list.files.clone())
        });
    }

    /// Starts a new active tree. `next` derives the new list of segments from the old one.
    fn freeze(
        &self,
        writer: &mut MutexGuard<'_, Arc<SharedTree>>,
        next: impl FnOnce(Arc<SharedTree>, &SegmentList<F>) -> SegmentList<F>,
    ) {
        let mut active = self.spare.lock().take().unwrap_or_default();
        active.supply(&self.buffers);
        let active = Arc::new(active);
        let frozen = std::mem::replace(&mut **writer, active.clone());
        // Done before other threads can work on it, so that none of them waits.
        frozen.share_large_cells(&self.buffers);
        self.publish(|list| Some(next(active, list)));
    }

    /// Replaces the list by the result of `next`, if any.
    pub(super) fn publish(&self, next: impl FnOnce(&SegmentList<F>) -> Option<SegmentList<F>>) -> bool {
        let publishing = self.publishing.lock();
        let Some(next) = next(&self.list.load()).map(Arc::new) else { return false };
        let previous = self.list.swap(next);
        drop(publishing);
        // Freeing megabytes takes a while, so it happens without the lock.
        drop(previous);
        true
    }

    /// The current segments.
    #[inline]
    pub(super) fn list(&self) -> Guard<Arc<SegmentList<F>>> {
        self.list.load()
    }

    /// The current segments and files, for readers.
    #[inline]
    pub fn view(&self) -> View<F> {
        View::new(self.list())
    }

    /// Recycles the memory of a tree, if it has no other owner and none is in stock.
    pub(super) fn recycle(&self, tree: Arc<SharedTree>) {
        let Ok(tree) = Arc::try_unwrap(tree) else { return };
        if tree.heap_bytes() <= 4 * self.limits.bytes {
            *self.spare.lock() = Some(SharedTree::recycled(tree));
        }
    }

    /// Sets everything inserted so far aside to be flushed. Readers still see it. A snapshot that was not dropped
    /// yet stays as it was: its flush failed and is tried again.
    ///
    /// Returns a summary of the snapshot; `None` if there is nothing to flush.
    pub fn snapshot(&self) -> Option<MemstoreSummary> {
        let mut writer = self.writer.lock();
        let list = self.list();
        if list.snapshot.is_empty() && !list.is_empty_since_snapshot() {
            self.freeze(&mut writer, |active, list| {
                SegmentList::new(active, Vec::new(), list.with_frozen(), list.files.clone())
            });
        }
        drop(writer);
        self.list().snapshot_summary()
    }

    /// All cells of the snapshot in order, with any sequence id; `None` without a snapshot. Seek before peeking.
    pub fn snapshot_source(&self) -> Option<SnapshotSource> {
        let list = self.list();
        let sources: Vec<_> = list.snapshot.iter().map(|segment| segment.source(u64::MAX)).collect();
        (!sources.is_empty()).then(|| SnapshotSource::new(sources))
    }

    /// Shows readers other files.
    pub fn set_files(&self, files: F) {
        self.publish(|list| {
            Some(SegmentList::new(list.active.clone(), list.sealed.clone(), list.snapshot.clone(), files))
        });
    }

    /// Drops the snapshot, whose cells are in `files` now.
    pub fn drop_snapshot(&self, files: F) {
        self.publish(|list| Some(SegmentList::new(list.active.clone(), list.sealed.clone(), Vec::new(), files)));
    }

    /// Turns the snapshot back into recent cells: its flush failed, and the next one includes them again.
    pub fn restore_snapshot(&self) {
        self.publish(|list| {
            let sealed = list.sealed.iter().chain(&list.snapshot).cloned().collect();
            (!list.snapshot.is_empty())
                .then(|| SegmentList::new(list.active.clone(), sealed, Vec::new(), list.files.clone()))
        });
    }

    /// Size of everything inserted since the last snapshot.
    pub fn size(&self) -> MemstoreSize {
        let list = self.list();
        list.sealed_size + Segment::Tree(list.active.clone()).size()
    }

    /// Size of the snapshot.
    pub fn snapshot_size(&self) -> MemstoreSize {
        self.list().snapshot_size
    }

    /// Sizes, ranges and age of everything inserted since the last snapshot; `None` without cells.
    pub fn summary(&self) -> Option<MemstoreSummary> {
        self.list().summary()
    }

    /// Whether there is no cell at all, neither new nor in a snapshot.
    pub fn is_empty(&self) -> bool {
        let list = self.list();
        list.snapshot.is_empty() && list.is_empty_since_snapshot()
    }
}

impl<F: Clone> std::fmt::Debug for Memstore<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (since, snapshot) = (self.size(), self.snapshot_size());
        f.debug_struct("Memstore").field("size", &since).field("snapshot_size", &snapshot).finish()
    }
}

impl<F> SegmentList<F> {
    /// The sealed segments, preceded by the active tree unless it is empty.
    fn with_frozen(&self) -> Vec<Segment> {
        let has_cells = self.active.read().stats().cells > 0;
        let frozen = has_cells.then(|| Segment::Tree(self.active.clone()));
        frozen.into_iter().chain(self.sealed.iter().cloned()).collect()
    }

    fn is_empty_since_snapshot(&self) -> bool {
        self.sealed.is_empty() && self.active.read().stats().cells == 0
    }

    fn summary(&self) -> Option<MemstoreSummary> {
        let active = Segment::Tree(self.active.clone());
        summary(self.sealed.iter().chain([&active]))
    }

    fn snapshot_summary(&self) -> Option<MemstoreSummary> {
        summary(self.snapshot.iter())
    }
}

fn summary<'a>(segments: impl Iterator<Item = &'a Segment>) -> Option<MemstoreSummary> {
    let sum =
        |(stats, heap): (Stats, usize), segment: &Segment| (stats.with(&segment.stats()), heap + segment.heap_bytes());
    let (stats, heap_bytes) = segments.fold((Stats::EMPTY, 0), sum);
    stats.summary(heap_bytes)
}
