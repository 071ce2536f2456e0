//! What every form of a scan has in common: the fields, the limits of a batch, the pages it comes from.

use crate::array::{Array, Field};
use crate::column::{Column, Misfit};
use rowstone_model::backend::ScannerBackend;
use rowstone_model::cell::Cell;
use rowstone_model::codec::printable;
use rowstone_model::operations::{CellBatch, RowRange};
use rowstone_model::{Error, Result};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// Rows of a page at most.
const PAGE_ROWS: usize = 4096;
/// Bytes of a page, about: they are still in the second-level cache when they are copied into columns.
const PAGE_BYTES: usize = 256 << 10;

/// Batches of one type, one after the other.
pub trait BatchSource: Send {
    /// The columns of each.
    fn fields(&self) -> &[Field];
    /// The next; `None` at the end.
    ///
    /// # Errors
    /// What the scan met, or a value that is none of its column's type. There is nothing more to come then.
    fn next_batch(&mut self) -> Result<Option<Arc<Array>>>;
}

/// How large a batch becomes: as soon as it has so many records or bytes it is finished.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Records.
    pub records: usize,
    /// Bytes.
    pub bytes: usize,
}

/// A scan, page by page.
pub struct Pages {
    /// `None` after the last page.
    scanner: Option<Box<dyn ScannerBackend>>,
    page: Arc<CellBatch>,
    next: usize,
}

impl Pages {
    /// The rows of `page` from `next` on, and then those of the scanner.
    pub fn new(scanner: Option<Box<dyn ScannerBackend>>, page: Arc<CellBatch>, next: usize) -> Self {
        Pages { scanner, page, next }
    }

    /// Whether nothing was fetched yet.
    pub fn is_fresh(&self) -> bool {
        self.scanner.is_some() && self.page.rows.is_empty()
    }

    /// The next row's page and place in it.
    ///
    /// # Errors
    /// What the scan met.
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

/// Runs `work`; a panic, which must leave neither a C function nor a thread unseen, becomes an error.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(Error::internal("the store met a bug of its own while it made a batch; please report it"))
    })
}

/// The columns as a batch of `length` records; each begins anew.
pub(crate) fn finished(length: usize, columns: &mut [Column]) -> Arc<Array> {
    Arc::new(Array::batch(length, columns.iter_mut().map(Column::finish).collect()))
}

/// The error for a value that does not go into a column called `name`.
#[cold]
pub(crate) fn misfit(misfit: Misfit, cell: &Cell<'_>, value: &[u8], field: &Field) -> Error {
    let (row, name) = (printable(cell.row()), &field.name);
    Error::invalid(match misfit {
        Misfit::Full => format!("row '{row}', column '{name}': 2 GiB in one batch; ask for smaller ones"),
        Misfit::Type => {
            let shown = printable(&value[..value.len().min(20)]);
            let (wanted, found) = (field.kind.wanted(), value.len());
            format!("row '{row}', column '{name}': its codec reads {wanted}, not '{shown}' of {found} bytes")
        }
    })
}
