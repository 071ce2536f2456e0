//! Flattening trees and merging small segments into larger ones.
//!
//! When a tree is full, a background thread calls [`Memstore::merge_segments`]. If it is too slow, the writer that
//! just filled a tree helps. Its jobs are limited, but a merge of small cells still takes it 20 ms, and later writes
//! become visible after it.

use super::flat::{merge, Flat};
use super::list::{Segment, SegmentList};
use super::store::Memstore;
use std::ops::Range;
use std::sync::Arc;

/// Number of segments of a kind that are merged. With four, a cell of a 128 MiB memstore is written about three
/// times, and three to four segments remain on average. With two it would be written seven times for two segments.
const MERGE_COUNT: usize = 4;
/// The same for large cells: a merge copies much, and reading one more segment costs little in comparison. This
/// many are 64 MiB. A small memstore is flushed before that, and a merge shortly before its flush is wasted.
const LARGE_MERGE_COUNT: usize = 16;
/// Maximum size of a segment; for small cells, half of it.
const LARGEST_BYTES: usize = 1 << 30;
/// Number of frozen trees from which on the writer helps. The background thread usually leaves one or two.
const HELP_TREES: usize = 4;
/// Number of frozen trees from which on the writer waits for the background thread.
const WAIT_TREES: usize = 8;
/// Maximum bytes that a helping writer merges, as a multiple of the active tree's limit. The limit doubles for
/// large cells, which is still less than a merge of them needs: those wait for the thread.
const HELP_TREES_BYTES: usize = 5;

/// Properties of a segment that the policy uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) is_tree: bool,
    pub(super) bytes: usize,
    /// Whether its cells are large.
    pub(super) is_large: bool,
}

/// Selects neighbors (newest first) to replace by one flat segment: one tree, or several flat ones. `None` if
/// nothing is due.
///
/// Segments below `smallest` bytes are of the smallest kind; each next kind is four times as large. No result has
/// more than `limit_bytes`, or twice that if the newest of the merged segments has large cells.
///
/// The oldest tree comes first: trees cost readers a lock. Then come the smallest segments of which there are too
/// many.
pub(super) fn choose(shapes: &[Shape], smallest: usize, limit_bytes: usize) -> Option<Range<usize>> {
    if let Some(tree) = shapes.iter().rposition(|shape| shape.is_tree) {
        return Some(tree..tree + 1);
    }
    let kind = |bytes: usize| (bytes / smallest).checked_ilog(4).map_or(0, |log| log + 1);
    let largest = shapes.iter().map(|shape| kind(shape.bytes)).max()?;
    let limit = limit_bytes.min(LARGEST_BYTES / 2);
    (0..=largest).find_map(|most| {
        (0..shapes.len()).find_map(|start| {
            let mut bytes = 0;
            // Large cells may form larger segments.
            let limit = if shapes[start].is_large { limit.saturating_mul(2) } else { limit };
            let run = shapes[start..].iter().take_while(|shape| {
                bytes += shape.bytes;
                kind(shape.bytes) <= most && bytes <= limit
            });
            let (mut count, mut of_this_kind, mut are_large) = (0, 0, true);
            for shape in run {
                count += 1;
                of_this_kind += usize::from(kind(shape.bytes) == most);
                are_large &= shape.is_large;
            }
            let needed = if are_large { LARGE_MERGE_COUNT } else { MERGE_COUNT };
            (of_this_kind >= needed).then_some(start..start + count)
        })
    })
}

impl<F: Clone> Memstore<F> {
    /// Whether [`Memstore::maintain`] would find something to do.
    #[cfg(test)]
    pub fn needs_maintenance(&self) -> bool {
        choose(&shapes(&self.list().sealed), 2 * self.limits.bytes, usize::MAX).is_some()
    }

    /// Does what [`Memstore::merge_segments`] does, unless another thread is doing it. Also frees memory that was not
    /// needed since the last call.
    pub fn maintain(&self) -> bool {
        self.buffers.age();
        self.maintenance.try_lock().is_some_and(|_one_at_a_time| self.work_off())
    }

    /// Flattens and merges segments until there is nothing left to do, while readers and writers continue. Returns
    /// whether anything was done.
    pub fn merge_segments(&self) -> bool {
        let _one_at_a_time = self.maintenance.lock();
        self.work_off()
    }

    fn work_off(&self) -> bool {
        let mut has_worked = false;
        while self.work(usize::MAX) {
            has_worked = true;
        }
        has_worked
    }

    /// Lets a writer work off the backlog it just added to.
    pub(super) fn help(&self) {
        let trees = self.list().sealed.iter().filter(|segment| matches!(segment, Segment::Tree(_))).count();
        if trees < HELP_TREES {
            return;
        }
        let one_at_a_time =
            if trees < WAIT_TREES { self.maintenance.try_lock() } else { Some(self.maintenance.lock()) };
        if one_at_a_time.is_some() {
            while self.work(HELP_TREES_BYTES * self.limits.bytes) {}
        }
    }

    /// Runs one job of at most `limit_bytes`, if there is one.
    fn work(&self, limit_bytes: usize) -> bool {
        let list = self.list();
        let Some(range) = choose(&shapes(&list.sealed), 2 * self.limits.bytes, limit_bytes) else { return false };
        let old: Vec<Segment> = list.sealed[range].to_vec();
        drop(list);
        let flat = match old.as_slice() {
            [Segment::Tree(tree)] => Flat::from_tree(&tree.read()),
            segments => merge(&segments.iter().filter_map(flat_of).collect::<Vec<_>>()),
        };
        let flat = Segment::Flat(Arc::new(flat));
        self.publish(|list| replace(list, &old, flat));
        for segment in old {
            if let Segment::Tree(tree) = segment {
                self.recycle(tree);
            }
        }
        true
    }
}

fn flat_of(segment: &Segment) -> Option<Arc<Flat>> {
    match segment {
        Segment::Flat(flat) => Some(flat.clone()),
        Segment::Tree(_) => None,
    }
}

fn shapes(segments: &[Segment]) -> Vec<Shape> {
    let shape = |segment: &Segment| match segment {
        Segment::Tree(_) => Shape { is_tree: true, bytes: 0, is_large: false },
        Segment::Flat(flat) => Shape { is_tree: false, bytes: flat.byte_len(), is_large: flat.stats().are_large() },
    };
    segments.iter().map(shape).collect()
}

/// The list with `new` in place of the neighbors `old`. `None` if a snapshot captured them meanwhile: they are
/// about to become a file, and the work was wasted.
fn replace<F: Clone>(list: &SegmentList<F>, old: &[Segment], new: Segment) -> Option<SegmentList<F>> {
    let start = list.sealed.iter().position(|segment| segment.is(&old[0]))?;
    let mut sealed = list.sealed.clone();
    sealed.splice(start..start + old.len(), [new]);
    Some(SegmentList::new(list.active.clone(), sealed, list.snapshot.clone(), list.files.clone()))
}
