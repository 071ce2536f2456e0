//! Reading a row that is in one segment in place: without a source, a seek or a copy.

use super::flat::{Flat, RowCells};
use super::list::{Segment, SegmentList};
use super::source::MemstoreSource;
use super::tree::SharedTree;
use crate::search::row_hash;
use arc_swap::Guard;
use rowstone_model::cell::Cell;
use std::sync::Arc;

/// The segments and the files at one moment.
pub struct View<F>(Guard<Arc<SegmentList<F>>>);

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

impl<F> View<F> {
    pub(super) fn new(list: Guard<Arc<SegmentList<F>>>) -> Self {
        View(list)
    }

    /// The files.
    #[inline]
    pub fn files(&self) -> &F {
        &self.0.files
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

    /// Appends the sources that a reader at `read_point` needs to `out`: one per segment, newest first, none
    /// positioned yet.
    ///
    /// With `row`, the sources have cells of that row only, and segments without that row have no source.
    pub fn sources<S: From<MemstoreSource>>(&self, read_point: u64, row: Option<&[u8]>, out: &mut impl Extend<S>) {
        match row {
            Some(row) => self.0.row_sources(row, read_point, out),
            None => self.0.sources(read_point, out),
        }
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
