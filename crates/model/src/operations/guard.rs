//! Who decides about single cells: given along with an operation, asked by whoever has the cells at hand.

use super::mutation::Mutation;
use super::read::{ColumnSelection, ReadOptions};
use super::result::CellBatch;
use crate::cell::Cell;
use crate::error::Result;
use std::fmt;
use std::sync::Arc;

/// Says of each cell of a read whether it is shown; what is not, no filter sees.
pub trait CellGuard: Send + Sync {
    /// Whether the cell is shown.
    fn shows(&self, cell: &Cell<'_>) -> bool;
}

/// Reads a row that nobody else changes meanwhile.
pub type ReadRow<'r> = &'r dyn Fn(ReadOptions) -> Result<CellBatch>;

/// Says whether a row may be changed as it is now: asked with the row locked, before anything is written.
pub trait RowGuard: Send + Sync {
    /// Lets `mutation` pass, or not. `cells` are those that it is about to write, dated; of an increment or append, those that it
    /// brings.
    fn check_write(&self, mutation: &Mutation, cells: &[Cell<'_>], now: i64, row: ReadRow<'_>) -> Result<()>;
    /// Lets a condition look at these columns, or not.
    fn check_read(&self, columns: &ColumnSelection, now: i64, row: ReadRow<'_>) -> Result<()>;
}

/// A guard that goes along with an operation; equal to itself alone.
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
