//! From a scanner and options to a stream of batches.

use super::stream::ArrowStream;
use crate::call::detached;
use crate::errors::invalid;
use crate::handle::Handle;
use crate::scanner::Scanner;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rowstone_arrow::batches::{BatchSource, Limits};
use rowstone_arrow::cells::CellRecords;
use rowstone_arrow::columns::{discovery, Columns, Kinds};
use rowstone_arrow::kind::Kind;
use rowstone_arrow::rows::{RowRecords, RowShape};
use rowstone_model::operations::{ColumnSelection, Scan};
use std::collections::BTreeMap;

/// Rows and bytes that are asked for at once while columns are looked for.
const PAGE: (usize, usize) = (4096, 256 << 10);

/// What `Scanner._arrow` takes.
#[derive(FromPyObject)]
pub struct FrameOptions {
    /// `rows` or `cells`.
    #[pyo3(item)]
    form: String,
    /// The codec of row keys.
    #[pyo3(item)]
    key: String,
    /// Codecs by column and family.
    #[pyo3(item)]
    codecs: BTreeMap<Vec<u8>, String>,
    /// Columns; `None` for the scan's.
    #[pyo3(item)]
    columns: Option<Vec<(Vec<u8>, Vec<u8>)>>,
    #[pyo3(item)]
    versions: bool,
    #[pyo3(item)]
    batch_rows: usize,
    #[pyo3(item)]
    batch_bytes: usize,
}

/// The rest of the scan as a stream; the scanner has nothing left then.
pub fn open(py: Python<'_>, scanner: &Scanner, options: FrameOptions) -> PyResult<ArrowStream> {
    let limits = Limits { records: options.batch_rows, bytes: options.batch_bytes };
    let key = Kind::of_codec(&options.key);
    let (scan, handle) = (scanner.scan(), scanner.handle(py)?);
    let source: Box<dyn BatchSource> = match options.form.as_str() {
        "cells" if options.versions => {
            return Err(invalid(py, "form='cells' has every version anyway; versions= is for form='rows'"));
        }
        "cells" => Box::new(CellRecords::new(scanner.take(py)?, limits, key, scan.options.raw)),
        "rows" => {
            let shape = row_shape(py, handle, scan, &options)?;
            Box::new(RowRecords::new(scanner.take(py)?, limits, shape))
        }
        other => return Err(invalid(py, format!("form '{other}' is unknown; there are 'rows' and 'cells'"))),
    };
    Ok(ArrowStream::new(source))
}

/// The columns of the scan's rows, as pairs of family and qualifier.
pub fn columns_of<'py>(
    py: Python<'py>,
    scanner: &Scanner,
) -> PyResult<Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
    let columns = match Columns::named(&scanner.scan().options.columns) {
        Some(named) => named,
        None => discovered(py, scanner.handle(py)?, scanner.scan())?,
    };
    Ok(columns.names().map(|(family, qualifier)| (PyBytes::new(py, family), PyBytes::new(py, qualifier))).collect())
}

fn row_shape(py: Python<'_>, handle: &Handle, scan: &Scan, options: &FrameOptions) -> PyResult<RowShape> {
    if scan.options.raw {
        return Err(invalid(py, "a scan with raw=True has delete markers, which are no rows: take form='cells'"));
    }
    if scan.batch > 0 {
        return Err(invalid(py, "a scan with batch= has pieces of rows: leave batch out, or take form='cells'"));
    }
    let named = match &options.columns {
        None => Columns::named(&scan.options.columns),
        Some(columns) => {
            let mut selection = ColumnSelection::default();
            columns.iter().for_each(|(family, qualifier)| selection.add_column(family, qualifier));
            Some(Columns::named(&selection).unwrap_or_default())
        }
    };
    let ignores_others = options.columns.is_some();
    let columns = named.map_or_else(|| discovered(py, handle, scan), Ok)?;
    let kinds: Kinds = options.codecs.iter().map(|(name, codec)| (name.clone(), Kind::of_codec(codec))).collect();
    let (key, has_versions) = (Kind::of_codec(&options.key), options.versions);
    Ok(RowShape { columns, kinds, key, has_versions, ignores_others })
}

/// The columns of the scan's rows: reads all of them once, without their values.
fn discovered(py: Python<'_>, handle: &Handle, scan: &Scan) -> PyResult<Columns> {
    let mut columns = Columns::default();
    let mut scanner = detached(py, || handle.table.scan(discovery(scan)))?;
    loop {
        let is_more = detached(py, || match scanner.next_batch(PAGE.0, PAGE.1)? {
            Some(page) => columns.discover(&page).map(|()| true),
            None => Ok(false),
        })?;
        if !is_more {
            return Ok(columns);
        }
        py.check_signals()?;
    }
}
