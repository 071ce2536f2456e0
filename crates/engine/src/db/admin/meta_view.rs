//! `hbase:meta` for readers: gets and scans of the view; writes are refused.

use super::super::shared::Shared;
use crate::meta::{self, MetaRow};
use rowstone_model::backend::{ScannerBackend, TableBackend};
use rowstone_model::cell::Cell;
use rowstone_model::codec::printable;
use rowstone_model::operations::{
    Action, ActionResult, CellBatch, CheckAndMutate, CheckResult, Get, Mutation, ReadOptions, RowMutations, RowRange,
    Scan,
};
use rowstone_model::{Error, ErrorKind, Result};
use std::cmp::Ordering;
use std::sync::Arc;

/// A handle on `hbase:meta`.
pub(in super::super) struct MetaView {
    shared: Arc<Shared>,
}

impl MetaView {
    pub(in super::super) fn new(shared: Arc<Shared>) -> Self {
        MetaView { shared }
    }

    fn rows(&self, options: &ReadOptions) -> Result<Vec<MetaRow>> {
        self.shared.check_open()?;
        let unknown = options.columns.families.keys().find(|family| !meta::FAMILIES.contains(&family.as_slice()));
        if let Some(family) = unknown {
            return Err(Error::new(
                ErrorKind::NoSuchColumnFamily,
                format!("hbase:meta has no column family '{}'; it has: info, table", printable(family)),
            ));
        }
        Ok(meta::rows(&self.shared.state()))
    }

    fn refuse<T>(&self) -> Result<T> {
        Err(Error::new(
            ErrorKind::Unsupported,
            "hbase:meta is a view of the manifest; create, alter and drop tables instead",
        ))
    }
}

fn is_wanted(cell: &Cell<'_>, options: &ReadOptions) -> bool {
    let column = match options.columns.families.get(cell.family()) {
        None => options.columns.is_all(),
        Some(None) => true,
        Some(Some(qualifiers)) => qualifiers.iter().any(|qualifier| qualifier == cell.qualifier()),
    };
    column && options.time_range_of(cell.family()).contains(cell.timestamp())
}

fn push_row(batch: &mut CellBatch, row: &MetaRow, options: &ReadOptions) -> bool {
    let start = batch.cells.byte_len();
    let mut cell_count = 0;
    for cell in row.cells.iter().filter(|cell| is_wanted(cell, options)) {
        batch.cells.push_cell(&cell);
        cell_count += 1;
    }
    if cell_count > 0 {
        batch.rows.push(RowRange { start, end: batch.cells.byte_len(), cell_count, is_partial: false });
    }
    cell_count > 0
}

impl TableBackend for MetaView {
    fn get(&self, get: &Get) -> Result<CellBatch> {
        let mut batch = CellBatch::default();
        for row in self.rows(&get.options)?.iter().filter(|row| row.key == get.row) {
            push_row(&mut batch, row, &get.options);
        }
        Ok(batch)
    }

    fn exists(&self, get: &Get) -> Result<bool> {
        Ok(!self.get(get)?.rows.is_empty())
    }

    fn get_many(&self, gets: &[Get]) -> Result<CellBatch> {
        let mut batch = CellBatch::default();
        for get in gets {
            let rows = self.rows(&get.options)?;
            let found =
                rows.iter().find(|row| row.key == get.row).is_some_and(|row| push_row(&mut batch, row, &get.options));
            if !found {
                let end = batch.cells.byte_len();
                batch.rows.push(RowRange { start: end, end, cell_count: 0, is_partial: false });
            }
        }
        Ok(batch)
    }

    fn mutate(&self, _mutation: Mutation) -> Result<CellBatch> {
        self.refuse()
    }

    fn mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>> {
        mutations.iter().map(|_| self.refuse()).collect()
    }

    fn mutate_row(&self, _mutations: RowMutations) -> Result<CellBatch> {
        self.refuse()
    }

    fn check_and_mutate(&self, _check: CheckAndMutate) -> Result<CheckResult> {
        self.refuse()
    }

    fn multi(&self, actions: Vec<Action>) -> Vec<Result<ActionResult>> {
        let run = |action| match action {
            Action::Get(get) => self.get(&get).map(ActionResult::Row),
            _ => self.refuse(),
        };
        actions.into_iter().map(run).collect()
    }

    fn scan(&self, scan: Scan) -> Result<Box<dyn ScannerBackend>> {
        let mut rows = self.rows(&scan.options)?;
        if scan.reversed {
            rows.reverse();
        }
        let side = |row: &MetaRow, bound: &[u8]| {
            let order = meta::compare_rows(&row.key, bound);
            if scan.reversed {
                order.reverse()
            } else {
                order
            }
        };
        rows.retain(|row| {
            let starts = scan.start.is_empty()
                || match side(row, &scan.start) {
                    Ordering::Less => false,
                    Ordering::Equal => scan.include_start,
                    Ordering::Greater => true,
                };
            let ends = scan.stop.is_empty()
                || match side(row, &scan.stop) {
                    Ordering::Less => true,
                    Ordering::Equal => scan.include_stop,
                    Ordering::Greater => false,
                };
            starts && ends
        });
        let mut batch = CellBatch::default();
        let limit = if scan.limit == 0 { usize::MAX } else { scan.limit as usize };
        for row in &rows {
            if batch.rows.len() < limit {
                push_row(&mut batch, row, &scan.options);
            }
        }
        Ok(Box::new(MetaScanner(Some(batch).filter(|batch| !batch.rows.is_empty()))))
    }
}

/// Meta is small: a scan of it is one batch.
struct MetaScanner(Option<CellBatch>);

impl ScannerBackend for MetaScanner {
    fn next_batch(&mut self, _max_rows: usize, _max_bytes: usize) -> Result<Option<CellBatch>> {
        Ok(self.0.take())
    }
}
