//! Reads and writes of a table.

use super::scanner::ScannerBackend;
use crate::error::{Error, ErrorKind, Result};
use crate::operations::{
    Action, ActionResult, CellBatch, CheckAndMutate, CheckResult, Get, MultiRowMutation, Mutation, ReadOptions,
    RowMutations, Scan,
};
use crate::schema::RegionInfo;

/// Reads and writes of one table. Every method may be called from several threads concurrently.
pub trait TableBackend: Send + Sync {
    /// Reads a row: the batch contains it, or nothing.
    fn get(&self, get: &Get) -> Result<CellBatch>;
    /// Replaces `out` by the result of [`TableBackend::get`] if that needs neither a file nor another thread's answer.
    /// Otherwise clears it and returns `false`. A caller that holds a lock of its own (an interpreter's) need not release
    /// it for this call.
    fn get_at_once(&self, row: &[u8], options: &ReadOptions, out: &mut CellBatch) -> Result<bool> {
        let _ = (row, options);
        out.clear();
        Ok(false)
    }
    /// Whether a get would return a cell.
    fn exists(&self, get: &Get) -> Result<bool>;
    /// Reads the rows in the order of `gets`; a missing row has an empty range.
    fn get_many(&self, gets: &[Get]) -> Result<CellBatch>;
    /// Whether each of `gets` would return a cell, in their order.
    fn exists_many(&self, gets: &[Get]) -> Result<Vec<bool>> {
        gets.iter().map(|get| self.exists(get)).collect()
    }
    /// Changes a row. Increments and appends return the new cells.
    fn mutate(&self, mutation: Mutation) -> Result<CellBatch>;
    /// Applies puts and deletes independently. Returns one result per mutation, in order.
    fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>>;
    /// Applies several changes of one row atomically.
    fn mutate_row(&self, mutations: RowMutations) -> Result<CellBatch>;
    /// Changes a row if a condition holds.
    fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult>;
    /// Atomically changes several rows of one region if all conditions hold; returns whether they did. Fails if the
    /// rows are in different regions.
    fn mutate_rows(&self, change: MultiRowMutation) -> Result<bool> {
        let count = change.mutations.len();
        Err(Error::new(
            ErrorKind::Unsupported,
            format!("{count} changes of several rows: only supported by a directory"),
        ))
    }
    /// Shows `row` to the table's observer under the row lock and writes the changes of other tables that it returns;
    /// see `TableObserver::pre_batch`.
    fn touch(&self, row: &[u8]) -> Result<()> {
        let message = format!(
            "row '{}' cannot be touched: observers are only supported by a directory",
            crate::codec::printable(row)
        );
        Err(Error::new(ErrorKind::Unsupported, message))
    }
    /// Whether writes without an explicit durability are synced to disk before they return. Each batch waits for one
    /// sync, so a few large batches finish sooner than many small ones.
    fn syncs_by_default(&self) -> bool {
        false
    }
    /// Performs actions independently. Returns one result per action, in order.
    fn multi(&self, actions: Vec<Action>) -> Vec<Result<ActionResult>>;
    /// Fails unless the caller may call endpoints of the table.
    fn check_invoke(&self) -> Result<()> {
        Ok(())
    }
    /// The region of `row`, if the table accepts reads and writes. A server calls this before every request that
    /// names a region.
    fn region_at(&self, row: &[u8]) -> Result<RegionInfo> {
        let message = format!("the region of row '{}': only supported by a directory", crate::codec::printable(row));
        Err(Error::new(ErrorKind::Unsupported, message))
    }
    /// Scans the rows of a range, batch by batch.
    fn scan(&self, scan: Scan) -> Result<Box<dyn ScannerBackend>>;
}
