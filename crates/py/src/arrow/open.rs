//! Opens a stream of batches from a scanner and options.

use super::stream::ArrowStream;
use crate::call::detached;
use crate::errors::invalid;
use crate::handle::Handle;
use crate::scanner::Scanner;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rowstone_arrow::batches::{BatchSource, Limits, Pages};
use rowstone_arrow::cells::CellRecords;
use rowstone_arrow::columns::{discovery, Columns, Kinds};
use rowstone_arrow::kind::Kind;
use rowstone_arrow::parallel::{pieces, Opener, Parallel};
use rowstone_arrow::rows::{RowRecords, RowShape};
use rowstone_model::operations::{ColumnSelection, Scan};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows and bytes per fetch while columns are discovered.
const PAGE: (usize, usize) = (4096, 256 << 10);

/// The options of `Scanner._arrow`.
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
    /// Columns; `None` for those of the scan.
    #[pyo3(item)]
    columns: Option<Vec<(Vec<u8>, Vec<u8>)>>,
    #[pyo3(item)]
    versions: bool,
    #[pyo3(item)]
    batch_rows: usize,
    #[pyo3(item)]
    batch_bytes: usize,
    #[pyo3(item)]
    threads: usize,
}

/// The shape of a stream's records.
#[derive(Clone)]
enum Form {
    Cells { key: Kind, has_type: bool },
    Rows(RowShape),
}

impl Form {
    fn source(&self, pages: Pages, limits: Limits) -> Box<dyn BatchSource> {
        match self {
            Form::Cells { key, has_type } => Box::new(CellRecords::new(pages, limits, *key, *has_type)),
            Form::Rows(shape) => Box::new(RowRecords::new(pages, limits, shape.clone())),
        }
    }
}

/// Turns the rest of the scan into a stream; the scanner is exhausted afterwards.
pub fn open(py: Python<'_>, scanner: &Scanner, options: FrameOptions) -> PyResult<ArrowStream> {
    let limits = Limits { records: options.batch_rows, bytes: options.batch_bytes };
    let (scan, handle) = (scanner.scan(), scanner.handle(py)?);
    let form = match options.form.as_str() {
        "cells" if options.versions => {
            return Err(invalid(py, "form='cells' includes every version anyway; versions= is for form='rows'"));
        }
        "cells" => Form::Cells { key: Kind::of_codec(&options.key), has_type: scan.options.raw },
        "rows" => Form::Rows(row_shape(py, handle, scan, &options)?),
        other => return Err(invalid(py, format!("form '{other}' is unknown; there are 'rows' and 'cells'"))),
    };
    let pieces = match options.threads {
        1 => Vec::new(),
        threads => pieces_of(py, handle, scan, threads)?,
    };
    let pages = scanner.take(py)?;
    if pieces.len() < 2 {
        return Ok(ArrowStream::new(form.source(pages, limits), handle));
    }
    if !pages.is_fresh() {
        return Err(invalid(py, "threads= is for a scan of which nothing was read"));
    }
    let fields = form.source(pages, limits).fields().to_vec();
    let handle = Arc::clone(handle);
    let opener = move |piece| {
        let pages = Pages::new(Some(handle.table.scan(piece)?), Arc::default(), 0);
        Ok(form.source(pages, limits))
    };
    let opener: Arc<Opener> = Arc::new(opener);
    let source = detached(py, || Parallel::start(fields, pieces, options.threads, &opener))?;
    Ok(ArrowStream::new(Box::new(source), scanner.handle(py)?))
}

/// Splits the scan into pieces for threads; empty if it must not be split because of its order, limit or filter
/// (which may count).
fn pieces_of(py: Python<'_>, handle: &Handle, scan: &Scan, threads: usize) -> PyResult<Vec<Scan>> {
    if scan.reversed || scan.limit > 0 || scan.options.filter.is_some() {
        return Ok(Vec::new());
    }
    detached(py, || {
        let regions = handle.database.admin().regions(&handle.name)?;
        let splits = regions.into_iter().map(|region| region.start_key).collect();
        pieces(&*handle.table, scan, splits, threads)
    })
}

/// The columns that the scan names, as `family:qualifier`.
pub fn named_columns<'py>(py: Python<'py>, scan: &Scan) -> Vec<Bound<'py, PyBytes>> {
    let named = Columns::from_selection(&scan.options.columns).unwrap_or_default();
    named.names().map(|(family, qualifier)| PyBytes::new(py, &[family, b":", qualifier].concat())).collect()
}

/// The columns of the scan's rows, as pairs of family and qualifier.
pub fn columns_of<'py>(
    py: Python<'py>,
    scanner: &Scanner,
) -> PyResult<Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
    let columns = match Columns::from_selection(&scanner.scan().options.columns) {
        Some(named) => named,
        None => discovered(py, scanner.handle(py)?, scanner.scan())?,
    };
    Ok(columns.names().map(|(family, qualifier)| (PyBytes::new(py, family), PyBytes::new(py, qualifier))).collect())
}

fn row_shape(py: Python<'_>, handle: &Handle, scan: &Scan, options: &FrameOptions) -> PyResult<RowShape> {
    if scan.options.raw {
        return Err(invalid(py, "a scan with raw=True has delete markers, which are not rows: use form='cells'"));
    }
    if scan.batch > 0 {
        return Err(invalid(py, "a scan with batch= has pieces of rows: leave batch out, or take form='cells'"));
    }
    let named = match &options.columns {
        None => Columns::from_selection(&scan.options.columns),
        Some(columns) => {
            let mut selection = ColumnSelection::default();
            columns.iter().for_each(|(family, qualifier)| selection.add_column(family, qualifier));
            Some(Columns::from_selection(&selection).unwrap_or_default())
        }
    };
    let ignores_others = options.columns.is_some();
    let columns = named.map_or_else(|| discovered(py, handle, scan), Ok)?;
    detached(py, || columns.check_names())?;
    let kinds: Kinds = options.codecs.iter().map(|(name, codec)| (name.clone(), Kind::of_codec(codec))).collect();
    let (key, has_versions) = (Kind::of_codec(&options.key), options.versions);
    Ok(RowShape { columns, kinds, key, has_versions, ignores_others })
}

/// Discovers the columns of the scan's rows: reads all rows once, without their values.
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
