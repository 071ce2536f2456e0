//! Read-only view of `hbase:meta`: gets and scans work, writes are refused.

use super::meta_scanner::{MetaColumns, MetaFilter, MetaScanner};
use crate::db::state::shared::Shared;
use crate::meta::{self, MetaRow};
use rowstone_model::backend::{ScannerBackend, ServerPlace, TableBackend};
use rowstone_model::codec::printable;
use rowstone_model::operations::{
    Action, ActionResult, CellBatch, CheckAndMutate, CheckResult, Get, Mutation, ReadOptions, RowMutations, RowRange,
    Scan,
};
use rowstone_model::{Error, ErrorKind, Result};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// Families that a cluster's meta has, and that have no cells here.
const EMPTY_FAMILIES: [&[u8]; 2] = [b"ns", b"rep_barrier"];

/// A handle on `hbase:meta`.
pub(in super::super) struct MetaView {
    shared: Arc<Shared>,
    /// Server to report as the location of every region.
    server: Option<ServerPlace>,
}

impl MetaView {
    pub(in super::super) fn new(shared: Arc<Shared>, server: Option<ServerPlace>) -> Self {
        MetaView { shared, server }
    }

    fn rows(&self, options: &ReadOptions) -> Result<Arc<Vec<MetaRow>>> {
        self.shared.check_open()?;
        let is_known = |family: &[u8]| {
            meta::FAMILIES.contains(&family) || (self.server.is_some() && EMPTY_FAMILIES.contains(&family))
        };
        if let Some(family) = options.columns.families.keys().find(|family| !is_known(family)) {
            return Err(Error::new(
                ErrorKind::NoSuchColumnFamily,
                format!("hbase:meta has no column family '{}'; it has: info, table", printable(family)),
            ));
        }
        Ok(self.shared.meta.of(self.shared.state()))
    }

    fn select_columns(&self, options: &ReadOptions) -> MetaColumns {
        MetaColumns { options: options.clone(), server: self.server.clone() }
    }

    fn filter(&self, options: &ReadOptions, reversed: bool) -> Result<Option<MetaFilter>> {
        let filter = options.filter.as_deref();
        filter.map(|filter| MetaFilter::new(filter, reversed, &*self.shared.system.entropy)).transpose()
    }

    /// Appends the row with that key, if it exists.
    fn push(&self, get: &Get, batch: &mut CellBatch) -> Result<()> {
        let rows = self.rows(&get.options)?;
        if let Ok(place) = rows.binary_search_by(|row| meta::compare_rows(&row.key, &get.row)) {
            self.select_columns(&get.options).push(&rows[place], self.filter(&get.options, false)?.as_mut(), batch)?;
        }
        Ok(())
    }

    fn refuse<T>(&self) -> Result<T> {
        Err(Error::new(
            ErrorKind::Unsupported,
            "hbase:meta is a view of the manifest; create, alter and drop tables instead",
        ))
    }
}

/// Index range of the rows within the scan's range.
fn range_of(rows: &[MetaRow], scan: &Scan) -> Range<usize> {
    let (low, high) = if scan.reversed {
        ((&scan.stop, scan.include_stop), (&scan.start, scan.include_start))
    } else {
        ((&scan.start, scan.include_start), (&scan.stop, scan.include_stop))
    };
    let before = |bound: &[u8], with_equal: bool| {
        rows.partition_point(|row| match meta::compare_rows(&row.key, bound) {
            Ordering::Less => true,
            Ordering::Equal => with_equal,
            Ordering::Greater => false,
        })
    };
    let start = if low.0.is_empty() { 0 } else { before(low.0, !low.1) };
    let end = if high.0.is_empty() { rows.len() } else { before(high.0, high.1) };
    start..end.max(start)
}

impl TableBackend for MetaView {
    fn get(&self, get: &Get) -> Result<CellBatch> {
        let mut batch = CellBatch::default();
        self.push(get, &mut batch)?;
        Ok(batch)
    }

    fn exists(&self, get: &Get) -> Result<bool> {
        Ok(!self.get(get)?.rows.is_empty())
    }

    fn get_many(&self, gets: &[Get]) -> Result<CellBatch> {
        let mut batch = CellBatch::default();
        for get in gets {
            let rows = batch.rows.len();
            self.push(get, &mut batch)?;
            if batch.rows.len() == rows {
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
        let rows = self.rows(&scan.options)?;
        let range = range_of(&rows, &scan);
        let limit = if scan.limit == 0 { u64::MAX } else { scan.limit };
        let (wanted, filter) = (self.select_columns(&scan.options), self.filter(&scan.options, scan.reversed)?);
        Ok(Box::new(MetaScanner { rows, range, reversed: scan.reversed, limit, wanted, filter }))
    }
}
