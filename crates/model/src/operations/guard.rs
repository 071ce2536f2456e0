//! Guards: permission checks on single cells, passed along with an operation and called where the cells are
//! available.

use super::mutation::Mutation;
use super::read::{ColumnSelection, ReadOptions};
use super::result::CellBatch;
use crate::cell::Cell;
use crate::error::Result;
use std::fmt;
use std::sync::Arc;

/// Decides for each cell of a read whether the caller may see it. Filters do not see hidden cells either.
pub trait CellGuard: Send + Sync {
    /// Whether the cell is visible.
    fn shows(&self, cell: &Cell<'_>) -> bool;
}

/// Reads a row while its lock prevents other changes.
pub type ReadRow<'r> = &'r dyn Fn(ReadOptions) -> Result<CellBatch>;

/// Decides whether a row in its current state may be changed. Called with the row locked, before anything is written.
pub trait RowGuard: Send + Sync {
    /// Fails if `mutation` is not allowed. `cells` are the cells to be written, with their timestamps; for an
    /// increment or append, its operands.
    fn check_write(&self, mutation: &Mutation, cells: &[Cell<'_>], now: i64, row: ReadRow<'_>) -> Result<()>;
    /// Fails if a condition may not read these columns.
    fn check_read(&self, columns: &ColumnSelection, now: i64, row: ReadRow<'_>) -> Result<()>;
}

/// A guard passed along with an operation; equal only to itself.
pub struct Guard<G: ?Sized>(pub Arc<G>);

impl<G: ?Sized> Clone for Guard<G> {
    fn clone(&self) -> Self {
        Guard(Arc::clone(&self.0))
    }
}

impl<G: ?Sized> PartialEq for Guard<G> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<G: ?Sized> Eq for Guard<G> {}

impl<G: ?Sized> fmt::Debug for Guard<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Guard")
    }
}
