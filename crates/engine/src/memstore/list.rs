//! List of segments. Readers load the whole list at once, so their view is consistent.

use super::flat::{flat_row, Flat};
use super::size::{MemstoreSize, Stats};
use super::source::MemstoreSource;
use super::tree::{row_cells, RowCells, SharedTree, TreeSource};
use crate::search::row_hash;
use std::ops::Add;
use std::sync::Arc;

/// A part of the memstore's cells.
#[derive(Clone)]
pub(super) enum Segment {
    /// Frozen or active: a tree.
    Tree(Arc<SharedTree>),
    /// Sealed.
    Flat(Arc<Flat>),
}

/// All segments at one moment, and the store's files at the same moment. Never changed: a new list replaces it.
pub(super) struct SegmentList<F> {
    /// Receives the writes.
    pub(super) active: Arc<SharedTree>,
    /// Written since the snapshot, newest first.
    pub(super) sealed: Vec<Segment>,
    /// Being flushed, newest first.
    pub(super) snapshot: Vec<Segment>,
    /// The store's files.
    pub(super) files: F,
    /// Total size of `sealed`.
    pub(super) sealed_size: MemstoreSize,
    /// Total size of `snapshot`.
    pub(super) snapshot_size: MemstoreSize,
}

impl Segment {
    pub(super) fn stats(&self) -> Stats {
        match self {
            Segment::Tree(tree) => *tree.read().stats(),
            Segment::Flat(flat) => *flat.stats(),
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Segment::Tree(tree) => tree.heap_bytes(),
            Segment::Flat(flat) => flat.heap_bytes(),
        }
    }

    pub(super) fn size(&self) -> MemstoreSize {
        let stats = self.stats();
        MemstoreSize { cells: stats.cells, data_bytes: stats.data_bytes, heap_bytes: self.heap_bytes() }
    }

    /// Whether both are the same piece of memory.
    pub(super) fn is(&self, other: &Segment) -> bool {
        match (self, other) {
            (Segment::Tree(left), Segment::Tree(right)) => Arc::ptr_eq(left, right),
            (Segment::Flat(left), Segment::Flat(right)) => Arc::ptr_eq(left, right),
            _ => false,
        }
    }

    /// All cells up to `read_point`.
    pub(super) fn source(&self, read_point: u64) -> MemstoreSource {
        match self {
            Segment::Tree(tree) => TreeSource::new(tree.clone(), None, read_point).into(),
            Segment::Flat(flat) => flat.source(read_point).into(),
        }
    }
}

impl<F> SegmentList<F> {
    /// Creates a list of these segments. Only `active` is ever written again.
    pub(super) fn new(active: Arc<SharedTree>, sealed: Vec<Segment>, snapshot: Vec<Segment>, files: F) -> Self {
        let sum = |segments: &[Segment]| segments.iter().map(Segment::size).fold(MemstoreSize::default(), Add::add);
        let (sealed_size, snapshot_size) = (sum(&sealed), sum(&snapshot));
        SegmentList { active, sealed, snapshot, files, sealed_size, snapshot_size }
    }

    /// Every segment's cells up to `read_point`, newest segment first.
    pub(super) fn sources<S: From<MemstoreSource>>(&self, read_point: u64, out: &mut impl Extend<S>) {
        let active = MemstoreSource::from(TreeSource::new(self.active.clone(), None, read_point));
        let rest = self.sealed.iter().chain(&self.snapshot).map(|segment| segment.source(read_point));
        out.extend(std::iter::once(active).chain(rest).map(S::from));
    }

    /// Sources of the cells of `row`, only for segments that have any.
    pub(super) fn row_sources<S: From<MemstoreSource>>(&self, row: &[u8], read_point: u64, out: &mut impl Extend<S>) {
        let hash = row_hash(row);
        push_tree_row(&self.active, row, hash, read_point, out);
        for segment in self.sealed.iter().chain(&self.snapshot) {
            match segment {
                Segment::Tree(tree) => push_tree_row(tree, row, hash, read_point, out),
                Segment::Flat(flat) => {
                    out.extend(flat_row(flat, row, hash, read_point).map(|cursor| MemstoreSource::from(cursor).into()));
                }
            }
        }
    }
}

fn push_tree_row<S: From<MemstoreSource>>(
    tree: &Arc<SharedTree>,
    row: &[u8],
    hash: u64,
    read_point: u64,
    out: &mut impl Extend<S>,
) {
    if !tree.may_have(hash) {
        return;
    }
    match row_cells(tree, row, read_point) {
        RowCells::None => {}
        RowCells::Few(cursor) => out.extend(Some(MemstoreSource::from(cursor).into())),
        RowCells::Many => {
            out.extend(Some(MemstoreSource::from(TreeSource::new(tree.clone(), Some(row), read_point)).into()));
        }
    }
}
