//! Data exported through the C interface is imported unchanged, and everything is released exactly once.

use proptest::prelude::*;
use rowstone_arrow::batches::{BatchSource, Limits, Pages};
use rowstone_arrow::cells::CellRecords;
use rowstone_arrow::columns::{Columns, Kinds};
use rowstone_arrow::export::export_stream;
use rowstone_arrow::import::{StreamReader, Value};
use rowstone_arrow::kind::Kind;
use rowstone_arrow::rows::{RowRecords, RowShape};
use rowstone_model::backend::ScannerBackend;
use rowstone_model::cell::{CellParts, CellType};
use rowstone_model::operations::{CellBatch, RowRange};
use rowstone_model::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// A scanner over prepared pages that reports when it is dropped.
struct Prepared {
    pages: Vec<CellBatch>,
    fails: bool,
    dropped: Arc<AtomicBool>,
}

impl ScannerBackend for Prepared {
    fn next_batch(&mut self, _: usize, _: usize) -> Result<Option<CellBatch>> {
        match self.pages.pop() {
            None if self.fails => Err(Error::invalid("the store burns")),
            page => Ok(page),
        }
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        assert!(!self.dropped.swap(true, Ordering::SeqCst), "it was dropped already");
    }
}

/// One row per entry: its number as the key, and a value for one column or none.
fn page(rows: &[Option<Vec<u8>>]) -> CellBatch {
    let mut batch = CellBatch::default();
    for (number, value) in rows.iter().enumerate() {
        let start = batch.cells.byte_len();
        let mut push = |qualifier: &[u8], value: &[u8]| {
            batch.cells.push(CellParts {
                row: format!("{number:05}").as_bytes(),
                family: b"f",
                qualifier,
                timestamp: number as i64,
                cell_type: CellType::Put,
                value,
                tags: b"",
            });
        };
        push(b"always", b"x");
        if let Some(value) = value {
            push(b"some", value);
        }
        let cell_count = 1 + u32::from(value.is_some());
        batch.rows.push(RowRange { start, end: batch.cells.byte_len(), cell_count, is_partial: false });
    }
    batch
}

fn pages(rows: &[Option<Vec<u8>>], fails: bool) -> (Pages, Arc<AtomicBool>) {
    let dropped = Arc::new(AtomicBool::new(false));
    let prepared = Prepared { pages: vec![page(rows)], fails, dropped: Arc::clone(&dropped) };
    (Pages::new(Some(Box::new(prepared)), Arc::default(), 0), dropped)
}

fn records(rows: &[Option<Vec<u8>>], limits: Limits, fails: bool) -> (Box<dyn BatchSource>, Arc<AtomicBool>) {
    let (pages, dropped) = pages(rows, fails);
    let mut columns = Columns::default();
    let _ = columns.discover(&page(&[Some(Vec::new())]));
    let kinds = Kinds::from([(b"f:always".to_vec(), Kind::Text)]);
    let shape = RowShape { columns, kinds, key: Kind::Binary, has_versions: false, ignores_others: false };
    (Box::new(RowRecords::new(pages, limits, shape)), dropped)
}

#[expect(unsafe_code, reason = "a stream of our own")]
fn reader(source: Box<dyn BatchSource>) -> Result<StreamReader> {
    // SAFETY: `export_stream` filled it.
    unsafe { StreamReader::new(export_stream(source)) }
}

/// All values of the column at `index`, from all batches.
fn read(reader: &mut StreamReader, index: usize) -> Result<Vec<Option<Vec<u8>>>> {
    let found = reader.columns()[index].found.clone().map_err(Error::invalid)?;
    let mut values = Vec::new();
    while let Some(batch) = reader.next_batch()? {
        let view = batch.column(index, &found)?;
        values.extend((0..batch.length()).map(|row| match view.get(row) {
            Value::Bytes(bytes) | Value::Text(bytes) => Some(bytes.to_vec()),
            _ => None,
        }));
    }
    Ok(values)
}

proptest! {
    #[test]
    fn rows_come_back_as_they_went(
        rows in proptest::collection::vec(proptest::option::of(proptest::collection::vec(any::<u8>(), 0..40)), 0..60),
        records_at_most in 1..20usize,
        bytes_at_most in 1..2000usize,
    ) {
        let limits = Limits { records: records_at_most, bytes: bytes_at_most };
        let (source, dropped) = records(&rows, limits, false);
        let names: Vec<String> = source.fields().iter().map(|field| field.name.clone()).collect();
        prop_assert_eq!(names, ["row", "f:always", "f:some"]);
        let mut reader = reader(source).map_err(|error| TestCaseError::fail(error.message().to_string()))?;
        prop_assert_eq!(read(&mut reader, 2).ok(), Some(rows));
        prop_assert!(dropped.load(Ordering::SeqCst), "the end lets go of the scan");
    }
}

#[test]
fn cells_come_back_with_their_timestamps() {
    let (pages, _) = pages(&[Some(vec![1]), None, Some(vec![2])], false);
    let source = CellRecords::new(pages, Limits { records: 2, bytes: 1 << 20 }, Kind::Text, true);
    let mut reader = reader(Box::new(source)).ok();
    let values = reader.as_mut().and_then(|reader| {
        let found = reader.columns()[3].found.clone().ok()?;
        let mut all = Vec::new();
        while let Some(batch) = reader.next_batch().ok()? {
            let view = batch.column(3, &found).ok()?;
            all.extend((0..batch.length()).map(|row| format!("{:?}", view.get(row))));
        }
        Some(all)
    });
    let wanted = [0, 0, 1, 2, 2].map(|number| format!("Integer({number})"));
    assert_eq!(values, Some(wanted.to_vec()));
}

#[test]
fn a_consumer_that_stops_lets_go_and_its_batches_stay() {
    let (source, dropped) = records(&vec![Some(vec![7; 100]); 50], Limits { records: 10, bytes: 1 << 20 }, false);
    let mut stream = reader(source).ok();
    let batch = stream.as_mut().and_then(|stream| stream.next_batch().ok().flatten());
    let found = stream.as_ref().and_then(|stream| stream.columns()[2].found.clone().ok());
    assert!(!dropped.load(Ordering::SeqCst));
    drop(stream);
    assert!(dropped.load(Ordering::SeqCst));
    let value = batch.zip(found).map(|(batch, found)| {
        batch.column(2, &found).map(|view| view.get(9) == Value::Bytes(&[7; 100])).unwrap_or_default()
    });
    assert_eq!(value, Some(true));
}

#[test]
fn an_error_is_told_and_stays() {
    let (source, dropped) = records(&[Some(vec![1])], Limits { records: 1, bytes: 1 << 20 }, true);
    let mut stream = reader(source).ok();
    let mut told = Vec::new();
    for _ in 0..3 {
        match stream.as_mut().map(StreamReader::next_batch) {
            Some(Ok(batch)) => told.push(format!("{:?}", batch.map(|batch| batch.length()))),
            Some(Err(error)) => told.push(error.message().to_string()),
            None => {}
        }
    }
    assert_eq!(told, ["Some(1)", "the source failed: the store burns", "the source failed: the store burns"]);
    assert!(dropped.load(Ordering::SeqCst));
}
