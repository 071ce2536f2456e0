//! Turning trees into flat segments and few cells per segment into many.
//!
//! A background thread calls [`Memstore::maintain`]. Where it does not come in time, the writer that just filled a tree
//! helps, with jobs small enough not to be felt.

use super::flat::{merge, Flat};
use super::list::{Segment, SegmentList};
use super::store::Memstore;
use std::ops::Range;
use std::sync::Arc;

/// So many segments of a kind become one. Four write a cell of a 128 MiB memstore about three times and leave three to
/// four segments on average; two would write it seven times for two segments.
const MERGE_COUNT: usize = 4;
/// Of large cells: a merge copies much, and a look into one more segment costs little beside it. So many are 64 MiB: where
/// memory is small that is flushed before, and a merge shortly before its flush is for nothing.
const LARGE_MERGE_COUNT: usize = 16;
/// Segments do not grow beyond this; those of small cells not beyond half of it.
const LARGEST_BYTES: usize = 1 << 30;
/// So many frozen trees, and the writer helps.
const HELP_TREES: usize = 2;
/// So many, and it waits for the background thread.
const WAIT_TREES: usize = 8;
/// The most active trees' worth of bytes that a helping writer merges; of large cells twice that, which
/// is less than so many segments of them: they wait for the thread.
const HELP_TREES_BYTES: usize = 5;

/// What the policy knows of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) is_tree: bool,
    pub(super) bytes: usize,
    /// Whether its cells are large.
    pub(super) is_large: bool,
}

/// Which neighbours (newest first) to replace by one flat segment: one tree, or several flat ones. `None`: all is well.
///
/// Segments below `smallest` bytes are of the smallest kind, each next kind is four times as large. No result has more
/// than `limit_bytes`, or than twice that where the newest of them is of large cells.
///
/// The oldest tree first: trees cost readers a lock. Then the smallest segments, of which there are too many.
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
            // More large ones become one.
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

impl Memstore {
    /// Whether [`Memstore::maintain`] would find something to do.
    pub fn needs_maintenance(&self) -> bool {
        choose(&shapes(&self.list().sealed), 2 * self.limits.bytes, usize::MAX).is_some()
    }

    /// Flattens and merges segments until there is nothing left to do; readers and writers go on meanwhile. Returns
    /// whether anything was done. Memory that nobody needed since the last time goes back to the system.
    pub fn maintain(&self) -> bool {
        self.buffers.age();
        let one_at_a_time = self.maintenance.lock();
        let mut has_worked = false;
        while self.work(usize::MAX) {
            has_worked = true;
        }
        drop(one_at_a_time);
        has_worked
    }

    /// What a writer does for the backlog it just added to.
    pub(super) fn help(&self) {
        let trees = self.list().sealed.iter().filter(|segment| matches!(segment, Segment::Tree(_))).count();
        if trees < HELP_TREES {
            return;
        }
        let one_at_a_time = match trees < WAIT_TREES {
            true => self.maintenance.try_lock(),
            false => Some(self.maintenance.lock()),
        };
        if one_at_a_time.is_some() {
            while self.work(HELP_TREES_BYTES * self.limits.bytes) {}
        }
    }

    /// One job of at most `limit_bytes`, if there is one.
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

/// The list with `new` in place of the neighbours `old`; `None` where a snapshot took them meanwhile: it is about to
/// become a file, and the work was for nothing.
fn replace(list: &SegmentList, old: &[Segment], new: Segment) -> Option<SegmentList> {
    let start = list.sealed.iter().position(|segment| segment.is(&old[0]))?;
    let mut sealed = list.sealed.clone();
    sealed.splice(start..start + old.len(), [new]);
    Some(SegmentList::new(list.active.clone(), sealed, list.snapshot.clone()))
}
