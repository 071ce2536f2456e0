//! Source for readers: a position in one segment of a memstore.

use super::flat::{Cursor, Flat, Run};
use super::tree::TreeSource;
use rowstone_model::cell::{Cell, CellSource};
use rowstone_model::Result;
use std::sync::Arc;

/// The cells of one segment up to a read point, sorted. It owns what it reads, so it may outlive the memstore.
/// Never fails.
pub struct MemstoreSource(Kind);

enum Kind {
    /// A sealed segment, or one row of it.
    Flat(Cursor<Arc<Flat>>),
    /// A copy of a tree's few cells of one row.
    Copy(Cursor<Run>),
    /// A tree, or a row in it with many cells.
    Tree(Box<TreeSource>),
}

impl From<Cursor<Arc<Flat>>> for MemstoreSource {
    fn from(cursor: Cursor<Arc<Flat>>) -> Self {
        MemstoreSource(Kind::Flat(cursor))
    }
}

impl From<Cursor<Run>> for MemstoreSource {
    fn from(cursor: Cursor<Run>) -> Self {
        MemstoreSource(Kind::Copy(cursor))
    }
}

impl From<TreeSource> for MemstoreSource {
    fn from(source: TreeSource) -> Self {
        MemstoreSource(Kind::Tree(Box::new(source)))
    }
}

/// Calls one method of the inner source.
macro_rules! inside {
    ($self:ident, $source:ident => $call:expr) => {
        match &$self.0 {
            Kind::Flat($source) => $call,
            Kind::Copy($source) => $call,
            Kind::Tree($source) => $call,
        }
    };
    (mut $self:ident, $source:ident => $call:expr) => {
        match &mut $self.0 {
            Kind::Flat($source) => $call,
            Kind::Copy($source) => $call,
            Kind::Tree($source) => $call,
        }
    };
}

impl CellSource for MemstoreSource {
    #[inline]
    fn peek(&self) -> Option<Cell<'_>> {
        inside!(self, source => source.peek())
    }

    #[inline]
    fn sequence_id(&self) -> Option<u64> {
        inside!(self, source => source.sequence_id())
    }

    #[inline]
    fn advance(&mut self) -> Result<()> {
        inside!(mut self, source => source.advance());
        Ok(())
    }

    #[inline]
    fn visit_run(&mut self, visit: impl FnMut(&Cell<'_>) -> bool) -> Result<bool> {
        Ok(inside!(mut self, source => source.visit_run(visit)))
    }

    fn seek(&mut self, key: &[u8]) -> Result<()> {
        inside!(mut self, source => source.seek(key));
        Ok(())
    }

    fn reseek(&mut self, key: &[u8]) -> Result<()> {
        inside!(mut self, source => source.reseek(key));
        Ok(())
    }

    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
        inside!(mut self, source => source.seek_to_previous_row(row));
        Ok(())
    }

    fn row_back(&self, rows: usize) -> Option<&[u8]> {
        inside!(self, source => source.row_back(rows))
    }
}
