//! Steps of a write: check, lock, timestamp, log, apply, make visible. Source: HBase's `HRegion.doMiniBatchMutate`.
//!
//! 1. Families, lengths and room in memory are checked before anything is locked.
//! 2. Rows are locked: shared for puts and deletes, exclusive for operations that read first (`atomic`).
//! 3. The clock is read once, after the locks; cells without a timestamp get its time.
//! 4. The sequence id is allocated inside the log's lock, so that the log's order is the region's order.
//! 5. The record is written with the requested durability; only then do its cells enter the memstore.
//! 6. The read point moves: all cells of the write become visible together.

use super::plan::WritePlan;
use super::together::Write;
use super::Region;
use crate::wal::{Part, RecordPart};
use rowstone_model::cell::{check_row, check_timestamp, find_tag, CellBuffer, LATEST_TIMESTAMP, MOB_REFERENCE_TAG};
use rowstone_model::codec::printable;
use rowstone_model::operations::{CellBatch, Durability, Mutation, MutationKind};
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::atomic::Ordering;

/// Bytes of cells after which a batch continues in another record.
const MAX_RECORD_BYTES: usize = 4 << 20;

impl Region {
    /// Changes one row. Increments and appends return the new cells.
    ///
    /// The cells of a put are moved out of `mutation`. After an error it has them again, without timestamps of this
    /// region: if its rows have moved, the next region gives the put a time after the writes that it has.
    pub fn mutate(&self, mutation: &mut Mutation) -> Result<CellBatch> {
        if mutation.kind != MutationKind::Put || mutation.guard.is_some() {
            return self.mutate_row(&mutation.row, std::slice::from_ref(mutation));
        }
        self.check_mutation(mutation)?;
        let _lock =
            if self.has_witness() { self.locks.exclusive(&mutation.row)? } else { self.locks.shared(&mutation.row)? };
        let now = self.now();
        let durability = self.effective_durability(mutation.durability);
        let mut plan = WritePlan::default();
        let mut can_clear = false;
        if mutation.ttl_ms.is_none() {
            // The common case: the caller's buffer is the record.
            plan = WritePlan { cells: std::mem::take(&mut mutation.cells), durability, nonce: None };
            can_clear = plan.cells.fill_timestamps_from(0, now);
        } else {
            plan.add_put(mutation, durability, now);
        }
        let written = self.check_cells(&plan.cells).and_then(|()| self.write(&plan, now));
        if written.is_err() && mutation.cells.is_empty() {
            if can_clear {
                plan.cells.clear_timestamps(now);
            }
            mutation.cells = plan.cells;
        }
        written.map(|()| CellBatch::default())
    }

    /// Applies puts and deletes of any rows of this region, each on its own. The results are in their order.
    pub fn mutate_many(&self, mutations: &[Mutation]) -> Vec<Result<()>> {
        let mut results = Vec::with_capacity(mutations.len());
        let mut rest = mutations;
        while !rest.is_empty() {
            let count = self.batch_length(rest);
            self.mutate_batch(&rest[..count], &mut results);
            rest = &rest[count..];
        }
        results
    }

    /// Number of mutations that one record may have: `hbase.regionserver.minibatch.size`, and 4 MiB of cells.
    fn batch_length(&self, mutations: &[Mutation]) -> usize {
        let most = self.limits.minibatch().min(mutations.len());
        let mut bytes = 0;
        for (index, mutation) in mutations[..most].iter().enumerate() {
            bytes += mutation.cells.byte_len();
            if bytes > MAX_RECORD_BYTES {
                return index.max(1);
            }
        }
        most
    }

    /// Writes one record for all mutations that pass their checks.
    fn mutate_batch(&self, mutations: &[Mutation], results: &mut Vec<Result<()>>) {
        let first = results.len();
        results.extend(mutations.iter().map(|mutation| self.check_mutation(mutation)));
        let outcome = self.write_batch(mutations, &mut results[first..]);
        if let Err(error) = outcome {
            for result in &mut results[first..] {
                if result.is_ok() {
                    *result = Err(error.clone());
                }
            }
        }
    }

    fn write_batch(&self, mutations: &[Mutation], results: &mut [Result<()>]) -> Result<()> {
        let rows = mutations.iter().zip(results.iter()).filter(|(_, result)| result.is_ok());
        let rows = rows.map(|(mutation, _)| mutation.row.as_slice());
        // A guard reads the row before it is written.
        let is_alone = self.has_witness() || mutations.iter().any(|mutation| mutation.guard.is_some());
        let _locks = if is_alone { self.locks.exclusive_many(rows)? } else { self.locks.shared_many(rows)? };
        let now = self.now();
        let bytes = mutations.iter().map(|mutation| mutation.cells.byte_len()).sum();
        let mut plan = WritePlan { cells: self.services.spare_cells().take(bytes), ..WritePlan::default() };
        for (mutation, result) in mutations.iter().zip(results.iter_mut()) {
            if result.is_err() {
                continue;
            }
            let start = plan.cells.byte_len();
            let planned = match mutation.kind {
                MutationKind::Put => {
                    plan.add_put(mutation, self.effective_durability(mutation.durability), now);
                    Ok(())
                }
                MutationKind::Delete => self.plan_delete(&mut plan, mutation, now),
                _ => Err(Error::internal("increments and appends do not go through plain batches")),
            };
            *result = planned
                .and_then(|()| self.ask_before_write(mutation, &plan.cells, start, now))
                .and_then(|()| self.check_cells_from(&plan.cells, start));
            if result.is_err() {
                plan.cells.truncate(start);
            }
        }
        if plan.cells.is_empty() {
            return Ok(());
        }
        let written = self.write(&plan, now);
        if written.is_ok() {
            // The write counted as one of them.
            let others = results.iter().filter(|result| result.is_ok()).count().saturating_sub(1);
            self.writes.fetch_add(others as u64, Ordering::Relaxed);
        }
        self.services.spare_cells().give(plan.cells);
        written
    }

    /// Logs the planned cells, applies them and makes them visible. With a witness, the witness decides how.
    #[inline]
    pub(super) fn write(&self, plan: &WritePlan, now: i64) -> Result<()> {
        if plan.cells.is_empty() {
            return Ok(());
        }
        match self.witness() {
            None => self.write_alone(plan, now),
            Some(witness) => witness.write(&Write::new(self, plan, now, None)),
        }
    }

    pub(super) fn write_alone(&self, plan: &WritePlan, now: i64) -> Result<()> {
        if plan.cells.is_empty() {
            return Ok(());
        }
        let _updates = self.updates.read();
        self.check_writable()?;
        if self.lost_families.load(Ordering::Relaxed) {
            self.check_planned(&plan.cells)?;
        }
        let sequence_id = self.log(plan, now)?;
        self.apply(&plan.cells, sequence_id);
        self.mvcc.complete(sequence_id);
        self.writes.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Refuses cells of families that were dropped after the write was planned, so that the router plans it again.
    /// The caller then gets an error for families that they named, and a delete of a row covers the existing
    /// families.
    pub(super) fn check_planned(&self, cells: &CellBuffer) -> Result<()> {
        let stores = self.stores();
        match cells.iter().find(|cell| stores.get(cell.family()).is_none()) {
            None => Ok(()),
            Some(cell) => {
                let (name, family) = (&self.info.encoded_name, printable(cell.family()));
                let message = format!("region {name} lost family '{family}' while a write was planned");
                Err(Error::new(ErrorKind::RegionNotFound, message))
            }
        }
    }

    /// Resolves a requested durability. A batch uses the strongest of its members, so each is resolved on its own.
    pub(super) fn effective_durability(&self, asked: Durability) -> Durability {
        match asked {
            Durability::UseDefault => self.table_durability(),
            other => other,
        }
    }

    /// Whether a write without its own durability is synced to disk before it returns.
    pub fn syncs_by_default(&self) -> bool {
        self.table_durability() == Durability::FsyncWal
    }

    fn log(&self, plan: &WritePlan, now: i64) -> Result<u64> {
        if plan.durability == Durability::SkipWal {
            self.has_unlogged.store(true, Ordering::Relaxed);
            self.unlogged.0.fetch_add(1, Ordering::Relaxed);
            self.unlogged.1.fetch_add(plan.cells.as_bytes().len() as u64, Ordering::Relaxed);
            return Ok(self.mvcc.begin());
        }
        let mut begun = None;
        let parts = [Part { region: self.key, cells: plan.cells.as_bytes() }];
        let logged = self.services.log_write(&parts, now, plan.durability, plan.nonce, &mut |_| {
            let id = self.mvcc.begin();
            begun = Some(id);
            id
        });
        match (logged, begun) {
            (Ok(()), Some(id)) => Ok(id),
            (Ok(()), None) => Err(Error::internal("the log gave no sequence id")),
            (Err(error), begun) => {
                if let Some(id) = begun {
                    self.mvcc.complete(id);
                }
                Err(error)
            }
        }
    }

    /// Inserts logged cells into the memstores of their families.
    pub(super) fn apply(&self, cells: &CellBuffer, sequence_id: u64) {
        let stores = self.stores();
        let Some(first) = cells.iter().next() else { return };
        if cells.iter().all(|cell| cell.family() == first.family()) {
            if let Some(store) = stores.get(first.family()) {
                self.note_size(store.insert(cells.iter(), sequence_id));
            }
            return;
        }
        for store in stores.iter() {
            let family = store.family_name();
            if cells.iter().any(|cell| cell.family() == family) {
                self.note_size(store.insert(cells.iter().filter(|cell| cell.family() == family), sequence_id));
            }
        }
    }

    /// Replays a record of the log at open, in log order. Families whose files already contain it are skipped.
    pub fn replay(&self, part: &RecordPart<'_>) {
        let sequence_id = part.sequence_id;
        self.mvcc.advance(sequence_id);
        for store in self.stores().iter().filter(|store| store.flushed_sequence_id() < sequence_id) {
            let family = store.family_name();
            let cells = part.iter().filter(|cell| cell.family() == family);
            self.note_size(store.insert(cells, sequence_id));
        }
    }

    /// Called after the last record: families without cells in memory are in files up to the end of the log.
    pub fn end_replay(&self) {
        let last = self.mvcc.last();
        self.stores().iter().for_each(|store| store.note_if_empty(last));
    }

    /// Checks several mutations as a whole.
    pub(super) fn check_mutations(&self, mutations: &[Mutation]) -> Result<()> {
        mutations.iter().try_for_each(|mutation| self.check_mutation(mutation))
    }

    fn check_mutation(&self, mutation: &Mutation) -> Result<()> {
        check_row(&mutation.row)?;
        if mutation.timestamp < 0 {
            check_timestamp(mutation.timestamp)?;
        }
        if mutation.cells.is_empty() && mutation.kind != MutationKind::Delete {
            return Err(Error::invalid(format!("no columns to write in row '{}'", printable(&mutation.row))));
        }
        if mutation.acl.is_some() {
            let message = "cell permissions (acl) have no effect without hbase.security.authorization; enable it first";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        if let Some(ttl) = mutation.ttl_ms.filter(|ttl| *ttl <= 0) {
            return Err(Error::invalid(format!("time to live of {ttl} ms is not positive")));
        }
        let stores = self.stores();
        let mut known = None;
        for cell in &mutation.cells {
            if known != Some(cell.family()) {
                if stores.get(cell.family()).is_none() {
                    return Err(self.no_such_family(cell.family()));
                }
                known = Some(cell.family());
            }
            check_timestamp(cell.timestamp())?;
            if !cell.tags().is_empty() && find_tag(cell.tags(), MOB_REFERENCE_TAG).is_some() {
                let row = printable(&mutation.row);
                return Err(Error::invalid(format!(
                    "a cell of row '{row}' has the tag of type {MOB_REFERENCE_TAG}, which only a flush writes"
                )));
            }
        }
        Ok(())
    }

    /// Checks cells before they are written: sizes, and timestamps too far ahead of the clock
    /// (`hbase.hregion.keyvalue.timestamp.slop.millisecs`).
    pub(super) fn check_cells(&self, cells: &CellBuffer) -> Result<()> {
        self.check_cells_from(cells, 0)
    }

    fn check_cells_from(&self, cells: &CellBuffer, start: usize) -> Result<()> {
        let max = self.limits.max_cell_bytes();
        // The common case: all cells together are below the limit for one.
        let none_is_large = cells.byte_len() - start <= max;
        if none_is_large && self.limits.timestamp_slop_ms() == i64::MAX {
            return Ok(());
        }
        let latest = self.now().saturating_add(self.limits.timestamp_slop_ms());
        for cell in cells.range(start, cells.byte_len()) {
            let bytes = cell.written_len(rowstone_model::cell::Layout::PLAIN);
            if bytes > max {
                return Err(Error::new(
                    ErrorKind::CellTooLarge,
                    format!(
                        "Cell with size {bytes} exceeds limit of {max} bytes (hbase.server.keyvalue.maxsize), row '{}', KeyValue size too large",
                        printable(cell.row())
                    ),
                ));
            }
            if cell.timestamp() > latest && cell.timestamp() != LATEST_TIMESTAMP {
                return Err(Error::invalid(format!(
                    "timestamp {} is more than {} ms ahead (hbase.hregion.keyvalue.timestamp.slop.millisecs)",
                    cell.timestamp(),
                    self.limits.timestamp_slop_ms()
                )));
            }
        }
        Ok(())
    }
}
