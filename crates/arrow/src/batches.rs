//! Code shared by all forms of a scan: fields, limits of a batch, and the pages of the scan.

use crate::array::{Array, Field};
use crate::column::{Column, Misfit};
use rowstone_model::backend::ScannerBackend;
use rowstone_model::cell::Cell;
use rowstone_model::codec::printable;
use rowstone_model::operations::{CellBatch, RowRange};
use rowstone_model::{Error, Result};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// Maximum number of rows in a page.
const PAGE_ROWS: usize = 4096;
/// Approximate bytes in a page: still in the second-level cache when they are copied into columns.
const PAGE_BYTES: usize = 256 << 10;

/// A stream of batches of one type.
pub trait BatchSource: Send {
    /// The columns of each batch.
    fn fields(&self) -> &[Field];
    /// The next batch; `None` at the end.
    ///
    /// # Errors
    /// Errors of the scan, or a value that does not fit its column's type. The stream has ended then.
    fn next_batch(&mut self) -> Result<Option<Arc<Array>>>;
}

/// Limits on the size of a batch: it is finished when it reaches one of them.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum number of records.
    pub records: usize,
    /// Approximate maximum number of bytes.
    pub bytes: usize,
}

/// The pages of a scan.
pub struct Pages {
    /// `None` after the last page.
    scanner: Option<Box<dyn ScannerBackend>>,
    page: Arc<CellBatch>,
    next: usize,
}

impl Pages {
    /// Iterates over the rows of `page` from `next` on, then over those of the scanner.
    pub fn new(scanner: Option<Box<dyn ScannerBackend>>, page: Arc<CellBatch>, next: usize) -> Self {
        Pages { scanner, page, next }
    }

    /// Whether no page has been read yet.
    pub fn is_fresh(&self) -> bool {
        self.scanner.is_some() && self.page.rows.is_empty()
    }

    /// The page of the next row and the row's range in it.
    ///
    /// # Errors
    /// Errors of the scan.
    #[inline]
    pub fn next_row(&mut self) -> Result<Option<(&CellBatch, RowRange)>> {
        while self.next >= self.page.rows.len() {
            let Some(scanner) = &mut self.scanner else { return Ok(None) };
            match scanner.next_batch(PAGE_ROWS, PAGE_BYTES)? {
                Some(page) => (self.page, self.next) = (Arc::new(page), 0),
                None => (self.scanner, self.page, self.next) = (None, Arc::default(), 0),
            }
        }
        let range = self.page.rows[self.next];
        self.next += 1;
        Ok(Some((&self.page, range)))
    }
}

/// Runs `work` and turns a panic into an error: a panic must not cross a C function or end a thread silently.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Error::internal("internal error while building a batch; please report it")))
}

/// Finishes the columns as a batch of `length` records and starts new ones.
pub(crate) fn finished(length: usize, columns: &mut [Column]) -> Arc<Array> {
    Arc::new(Array::batch(length, columns.iter_mut().map(Column::finish).collect()))
}

/// The error for a value that does not fit into a column called `name`.
#[cold]
pub(crate) fn misfit(misfit: Misfit, cell: &Cell<'_>, value: &[u8], field: &Field) -> Error {
    let (row, name) = (printable(cell.row()), &field.name);
    Error::invalid(match misfit {
        Misfit::Full => format!("row '{row}', column '{name}': 2 GiB in one batch; ask for smaller ones"),
        Misfit::Type => {
            let shown = printable(&value[..value.len().min(20)]);
            let (wanted, found) = (field.kind.describe(), value.len());
            format!("row '{row}', column '{name}': its codec reads {wanted}, not '{shown}' of {found} bytes")
        }
    })
}
