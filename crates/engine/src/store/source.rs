//! Kinds of sources that a store reads from. They are enums, to avoid dynamic calls per cell.

use crate::hfile::HFileSource;
use crate::memstore::MemstoreSource;
use crate::scan::new_version::NewVersionSource;
use crate::scan::MergedSource;
use rowstone_model::cell::{Cell, CellSource};
use rowstone_model::Result;

macro_rules! delegate {
    ($self:ident, $source:ident => $call:expr, $($variant:ident),+) => {
        match $self { $(Self::$variant($source) => $call),+ }
    };
}

/// A segment of the memstore, or a file.
pub enum Source {
    /// Recent cells.
    Memory(MemstoreSource),
    /// Cells of a file.
    File(HFileSource),
}

impl From<MemstoreSource> for Source {
    fn from(source: MemstoreSource) -> Self {
        Source::Memory(source)
    }
}

impl CellSource for Source {
    #[inline]
    fn peek(&self) -> Option<Cell<'_>> {
        delegate!(self, source => source.peek(), Memory, File)
    }

    #[inline]
    fn sequence_id(&self) -> Option<u64> {
        delegate!(self, source => source.sequence_id(), Memory, File)
    }

    #[inline]
    fn advance(&mut self) -> Result<()> {
        delegate!(self, source => source.advance(), Memory, File)
    }

    #[inline]
    fn visit_run(&mut self, visit: impl FnMut(&Cell<'_>) -> bool) -> Result<bool> {
        delegate!(self, source => source.visit_run(visit), Memory, File)
    }

    fn seek(&mut self, key: &[u8]) -> Result<()> {
        delegate!(self, source => source.seek(key), Memory, File)
    }

    fn reseek(&mut self, key: &[u8]) -> Result<()> {
        delegate!(self, source => source.reseek(key), Memory, File)
    }

    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
        delegate!(self, source => source.seek_to_previous_row(row), Memory, File)
    }

    fn row_back(&self, rows: usize) -> Option<&[u8]> {
        delegate!(self, source => source.row_back(rows), Memory, File)
    }
}

/// All cells of a store, before the rules for versions and deletes are applied.
pub enum RowSource {
    /// The usual merge.
    Merged(MergedSource<Source>),
    /// A merge for `NEW_VERSION_BEHAVIOR`, where the order of writes decides which cells deletes hide.
    NewVersion(Box<NewVersionSource<MergedSource<Source>>>),
}

impl CellSource for RowSource {
    #[inline]
    fn peek(&self) -> Option<Cell<'_>> {
        delegate!(self, source => source.peek(), Merged, NewVersion)
    }

    #[inline]
    fn advance(&mut self) -> Result<()> {
        delegate!(self, source => source.advance(), Merged, NewVersion)
    }

    #[inline]
    fn visit_run(&mut self, visit: impl FnMut(&Cell<'_>) -> bool) -> Result<bool> {
        delegate!(self, source => source.visit_run(visit), Merged, NewVersion)
    }

    fn seek(&mut self, key: &[u8]) -> Result<()> {
        delegate!(self, source => source.seek(key), Merged, NewVersion)
    }

    fn reseek(&mut self, key: &[u8]) -> Result<()> {
        delegate!(self, source => source.reseek(key), Merged, NewVersion)
    }

    fn seek_to_previous_row(&mut self, row: &[u8]) -> Result<()> {
        delegate!(self, source => source.seek_to_previous_row(row), Merged, NewVersion)
    }

    fn row_back(&self, rows: usize) -> Option<&[u8]> {
        delegate!(self, source => source.row_back(rows), Merged, NewVersion)
    }

    fn seek_back(&mut self, key: &[u8]) -> Result<()> {
        delegate!(self, source => source.seek_back(key), Merged, NewVersion)
    }
}
