//! Reading a row that is in one segment in place: without a source, a seek or a copy.

use super::flat::{Flat, RowCells};
use super::list::{Segment, SegmentList};
use super::source::MemstoreSource;
use super::tree::SharedTree;
use crate::search::row_hash;
use arc_swap::Guard;
use rowstone_model::cell::Cell;
use std::sync::Arc;

/// The segments at one moment.
pub struct View(Guard<Arc<SegmentList>>);

/// Location of a row's recent cells.
pub enum RowLocation<'v> {
    /// Nowhere.
    Nowhere,
    /// In one segment, if at all.
    In(Spot<'v>),
    /// Perhaps in several.
    InSeveral,
}

/// The only segment that may have a row.
pub struct Spot<'v>(Kind<'v>);

enum Kind<'v> {
    Tree(&'v SharedTree),
    /// A flat segment and the row's cells.
    Flat(&'v Flat, RowCells),
}

impl View {
    pub(super) fn new(list: Guard<Arc<SegmentList>>) -> Self {
        View(list)
    }

    /// Finds the cells of `row`. With `exactly`, a tree is named only if it has some; without it, that search is
    /// saved.
    #[inline]
    pub fn find(&self, row: &[u8], exactly: bool) -> RowLocation<'_> {
        let list = &*self.0;
        let hash = row_hash(row);
        let mut found = None;
        let active = list.active.may_have(hash).then_some(&list.active);
        let sealed = list.sealed.iter().chain(&list.snapshot);
        let mut trees = active.into_iter().chain(sealed.clone().filter_map(|segment| match segment {
            Segment::Tree(tree) if tree.may_have(hash) => Some(tree),
            _ => None,
        }));
        for segment in sealed {
            if let Segment::Flat(flat) = segment {
                if let Some(cells) = flat.cells_of_row(row, hash) {
                    if found.replace(Kind::Flat(flat, cells)).is_some() {
                        return RowLocation::InSeveral;
                    }
                }
            }
        }
        let Some(tree) = trees.next() else {
            return found.map_or(RowLocation::Nowhere, |kind| RowLocation::In(Spot(kind)));
        };
        let rest = trees.next();
        if rest.is_none() && found.is_none() && !exactly {
            return RowLocation::In(Spot(Kind::Tree(tree)));
        }
        for tree in std::iter::once(tree).chain(rest).chain(trees) {
            if tree.has_row(row) && found.replace(Kind::Tree(tree)).is_some() {
                return RowLocation::InSeveral;
            }
        }
        found.map_or(RowLocation::Nowhere, |kind| RowLocation::In(Spot(kind)))
    }

    /// Appends a source of each segment that has cells of `row`, newest first; see [`super::Memstore::sources`].
    pub fn sources<S: From<MemstoreSource>>(&self, row: &[u8], read_point: u64, out: &mut impl Extend<S>) {
        self.0.row_sources(row, read_point, out);
    }
}

impl Spot<'_> {
    /// Passes the cells of `row` up to `read_point` to `visit`, in order, until it returns false. Writers of a tree
    /// wait meanwhile, so it must be short.
    #[inline]
    pub fn visit(&self, row: &[u8], read_point: u64, visit: impl FnMut(&Cell<'_>) -> bool) {
        match self.0 {
            Kind::Tree(tree) => tree.read().visit_row(row, read_point, visit),
            Kind::Flat(flat, cells) => flat.visit_row(cells, read_point, visit),
        }
    }
}
